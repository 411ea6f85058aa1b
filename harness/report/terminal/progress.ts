import { onOneLine } from '../run-observer.ts'
import { clip } from './text.ts'
import type { Ora } from 'ora'
import type { CheckResult } from '../../check/result.ts'
import type { WaitNotice } from '../../evidence/signals.ts'

/** The progress of a run: a line that is replaced on a terminal, and a new line every 30 seconds anywhere else. */

export interface Progress {
  /** @param chapter of the check. */
  ended(result: Pick<CheckResult, 'verdict' | 'title'>, chapter?: string): void
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

/** What has happened so far. */
interface Count extends Pick<Progress, 'ended' | 'waits'> {
  /** Without the time: for a line that is replaced. */
  line(): string
  /** With the chapter and the elapsed time: for a line that stays. */
  lineWithTime(): string
}

/** In the reader's time zone. */
const timeOf = (at: number): string => new Date(at).toTimeString().slice(0, 8)

/** The scenario that continues next, and when. */
const waitOf = (waiting: ReadonlyMap<string, number>): string | undefined => {
  const [next] = [...waiting].sort(([, one], [, other]) => one - other)
  if (next === undefined) return undefined
  const [scenario, until] = next
  const others = waiting.size === 1 ? '' : `, and ${waiting.size - 1} more`
  return `waits until ${timeOf(until)} for ${onOneLine(scenario)}${others}`
}

const elapsed = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

const createCount = (total: number): Count => {
  const startedAt = Date.now()
  const waiting = new Map<string, number>()
  let done = 0
  let broken = 0
  let last: { readonly title: string; readonly chapter?: string | undefined } = { title: '' }
  const counts = (): string => `${done} of ${total} checks${broken === 0 ? '' : `, ${broken} failed`}`
  return {
    ended({ verdict, title }, chapter) {
      done += 1
      if (verdict === 'fail') broken += 1
      last = { title: onOneLine(title), chapter }
    },
    waits({ scenario, until }) {
      if (until === undefined) waiting.delete(scenario)
      else waiting.set(scenario, until)
    },
    line: () =>
      done === 0 && waiting.size === 0 ? counts() : `${counts()}  ${waitOf(waiting) ?? last.title}`,
    lineWithTime: () =>
      [last.chapter, counts(), elapsed(Date.now() - startedAt), waitOf(waiting)].filter(Boolean).join(' · '),
  }
}

const HEARTBEAT_MS = 30_000

/** For pipes and logs: a run of half an hour that prints nothing looks like one that hangs. */
const lineByLine = (count: Count, stream: Output): Progress => {
  let paused = false
  const timer = setInterval(() => {
    if (!paused) stream.write(`${count.lineWithTime()}\n`)
  }, HEARTBEAT_MS)
  timer.unref()
  return {
    ...count,
    above: (text) => void stream.write(`${text}\n`),
    pause: () => {
      paused = true
      return () => void (paused = false)
    },
    stop: () => clearInterval(timer),
  }
}

/** The spinner before the text takes two columns; a line as wide as the terminal would be folded. */
const BESIDE_THE_TEXT = 3

const replacedLine = (count: Count, stream: Output, columns: () => number): Progress => {
  let line: Ora | undefined
  let stopped = false
  let paused = false
  const kept: string[] = []
  const textNow = (): string => clip(count.line(), Math.max(1, columns() - BESIDE_THE_TEXT))
  const update = (): void => {
    if (line !== undefined) line.text = textNow()
  }
  // Loaded only on a terminal.
  void import('ora').then(({ default: ora }) => {
    if (stopped) return
    line = ora({ text: textNow(), stream, discardStdin: false })
    if (!paused) line.start()
  })
  const above = (lines: string): void => {
    if (paused) return void kept.push(lines)
    line?.clear()
    stream.write(`${lines}\n`)
    line?.render()
  }
  return {
    ended: (result, chapter) => {
      count.ended(result, chapter)
      update()
    },
    waits: (notice) => {
      count.waits(notice)
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

const DEFAULT_COLUMNS = 80

/** @param total number of planned checks. */
export const startProgress = (total: number, stream: Output = process.stderr): Progress => {
  const count = createCount(total)
  // On a terminal without a known width a line cannot be replaced.
  if (stream.isTTY !== true || stream.columns === 0) return lineByLine(count, stream)
  return replacedLine(count, stream, () => stream.columns ?? DEFAULT_COLUMNS)
}
