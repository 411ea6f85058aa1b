import { onOneLine } from '../printable.ts'
import { clip } from './layout.ts'
import type { Ora } from 'ora'
import type { WaitNotice } from '../audience.ts'
import type { CheckResult } from '../../check/result.ts'

export interface Progress {
  ended(result: Pick<CheckResult, 'verdict' | 'title'>): void
  /** A scenario waits, or goes on. */
  waits(notice: WaitNotice): void
  /** Writes lines above the progress line. */
  above(text: string): void
  /** Takes the line away, and keeps what is to stand above it, until the result is called. */
  pause(): () => void
  /** Takes the line away. */
  stop(): void
}

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** Counts nothing; what is written above a line is still written. */
export const silentProgress = (stream: Output): Progress => ({
  ended: () => undefined,
  waits: () => undefined,
  above: (text) => void stream.write(`${text}\n`),
  pause: () => () => undefined,
  stop: () => undefined,
})

const WIDTH = 78

/** By the clock on the wall of whoever reads it. */
const timeOf = (at: number): string => new Date(at).toTimeString().slice(0, 8)

/** What goes on next, and when. */
const waitOf = (waiting: ReadonlyMap<string, number>): string | undefined => {
  const [next] = [...waiting].sort(([, one], [, other]) => one - other)
  if (next === undefined) return undefined
  const [scenario, until] = next
  const others = waiting.size === 1 ? '' : ` and ${waiting.size - 1} more`
  return `waits until ${timeOf(until)}${others}: ${onOneLine(scenario)}`
}

/** A line that counts the checks, on a terminal; in a pipe nothing, since nobody watches a log grow. */
export const startProgress = (total: number, stream: Output = process.stderr): Progress => {
  // On a terminal that knows no width of its own a line cannot be taken back.
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
  const tell = (): void => {
    text = textNow()
    if (line !== undefined) line.text = text
  }
  // Loaded only where there is a terminal; the first results do not wait for it.
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
      tell()
    },
    waits: ({ scenario, until }) => {
      if (until === undefined) waiting.delete(scenario)
      else waiting.set(scenario, until)
      tell()
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
