import { onOneLine } from '../printable.ts'
import { clip } from './text.ts'
import type { Ora } from 'ora'
import type { WaitNotice } from '../../evidence/signals.ts'
import type { CheckResult } from '../../check/result.ts'

export interface Progress {
  ended(result: Pick<CheckResult, 'verdict' | 'title'>): void
  /** A scenario waits, or no longer waits. */
  waits(notice: WaitNotice): void
  /** Writes lines above the progress line. */
  above(text: string): void
  /** Removes the line, and keeps the text for above it, until the returned function is called. */
  pause(): () => void
  /** Removes the line. */
  stop(): void
}

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** Counts nothing; text for above the line is still written. */
export const silentProgress = (stream: Output): Progress => ({
  ended: () => undefined,
  waits: () => undefined,
  above: (text) => void stream.write(`${text}\n`),
  pause: () => () => undefined,
  stop: () => undefined,
})

const WIDTH = 78

/** In the reader's time zone. */
const timeOf = (at: number): string => new Date(at).toTimeString().slice(0, 8)

/** The scenario that continues next, and when. */
const waitOf = (waiting: ReadonlyMap<string, number>): string | undefined => {
  const [next] = [...waiting].sort(([, one], [, other]) => one - other)
  if (next === undefined) return undefined
  const [scenario, until] = next
  const others = waiting.size === 1 ? '' : ` and ${waiting.size - 1} more`
  return `waits until ${timeOf(until)}${others}: ${onOneLine(scenario)}`
}

/** A line that counts the checks, on a terminal; nothing in a pipe, where each update would be a further line. */
export const startProgress = (total: number, stream: Output = process.stderr): Progress => {
  // On a terminal without a known width a line cannot be replaced.
  if (stream.isTTY !== true || stream.columns === 0) return silentProgress(stream)
  let line: Ora | undefined
  let stopped = false
  let done = 0
  let broken = 0
  let paused = false
  const kept: string[] = []
  let last = ''
  const waiting = new Map<string, number>()
  const textNow = (): string => {
    const failures = broken === 0 ? '' : `, ${broken} failed`
    return clip(`${done} of ${total} checks${failures}  ${waitOf(waiting) ?? last}`, WIDTH)
  }
  let text = `0 of ${total} checks`
  const update = (): void => {
    text = textNow()
    if (line !== undefined) line.text = text
  }
  // Loaded only on a terminal.
  void import('ora').then(({ default: ora }) => {
    if (stopped) return
    line = ora({ text, stream, discardStdin: false })
    if (!paused) line.start()
  })
  const above = (lines: string): void => {
    if (paused) return void kept.push(lines)
    line?.clear()
    stream.write(`${lines}\n`)
    line?.render()
  }
  return {
    ended: ({ verdict, title }) => {
      done += 1
      if (verdict === 'fail') broken += 1
      last = onOneLine(title)
      update()
    },
    waits: ({ scenario, until }) => {
      if (until === undefined) waiting.delete(scenario)
      else waiting.set(scenario, until)
      update()
    },
    above,
    pause: () => {
      paused = true
      line?.stop()
      return () => {
        paused = false
        if (stopped) return
        line?.start()
        for (const text of kept.splice(0)) above(text)
      }
    },
    stop: () => {
      stopped = true
      line?.stop()
    },
  }
}
