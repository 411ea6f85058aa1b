import { onOneLine } from '../run-observer.ts'
import { plural } from '../../plan/lists.ts'
import { clip, durationText } from './text.ts'
import type { Ora } from 'ora'
import type { CheckResult } from '../../check/result.ts'
import type { WaitNotice } from '../../evidence/signals.ts'
import type { PlannedCheck } from '../../plan/plan.ts'

/** The progress of a run: a line that is replaced on a terminal, and a new line every 30 seconds anywhere else. */

export interface Progress {
  ended(result: Pick<CheckResult, 'id' | 'verdict' | 'title'>): void
  /** A scenario waits, or no longer waits. */
  waits(notice: WaitNotice): void
  /** What follows the scenarios begins. */
  step(what: string): void
  /** Writes lines above the progress line. */
  above(text: string): void
  /** Removes the line, and keeps the text for above it, until the returned function is called. */
  pause(): () => void
  stop(): void
}

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

interface Expected {
  readonly checks: readonly Pick<PlannedCheck, 'id' | 'chapter' | 'scenario'>[]
  /** About how long it takes, if that is known. */
  readonly lastsMs?: number | undefined
}

/** What has happened so far. */
interface Count extends Pick<Progress, 'ended' | 'waits'> {
  elapsedMs(): number
  /** For a line that is replaced: with the check that ended last. */
  line(): string
  /** For a line that stays: with the elapsed time. */
  lineWithTime(): string
}

const MINUTE = 60_000

/** The minute in the reader's time zone, rounded up: what is expected is not shown in the past. */
const minuteAt = (at: number): string => new Date(Math.ceil(at / MINUTE) * MINUTE).toTimeString().slice(0, 5)

/** What the run waits for, and when one of these scenarios continues. */
const waitOf = (waiting: ReadonlyMap<string, number>): string | undefined => {
  if (waiting.size === 0) return undefined
  const paths = [...waiting.keys()].filter((scenario) => scenario.startsWith('loans/')).length
  const others = waiting.size - paths
  const what = [
    ...(paths === 0 ? [] : [plural(paths, 'loan path')]),
    ...(others === 0 ? [] : [plural(others, paths === 0 ? 'scenario' : 'other scenario')]),
  ]
  return `waiting for ${what.join(' and ')} (next change ${minuteAt(Math.min(...waiting.values()))})`
}

/** `12 of 26 min · ends about 21:05`. */
const timeOf = (startedAt: number, lastsMs: number | undefined): string => {
  const ms = Date.now() - startedAt
  if (lastsMs === undefined) return durationText(ms)
  const [unit, size] = lastsMs < 90_000 ? ['s', 1000] : ['min', MINUTE]
  const [done, all] = [Math.floor(ms / size), Math.round(lastsMs / size)]
  return done > all
    ? `${done} ${unit}, longer than the expected ${all} ${unit}`
    : `${done} of ${all} ${unit} · ends about ${minuteAt(startedAt + lastsMs)}`
}

const createCount = ({ checks, lastsMs }: Expected): Count => {
  const startedAt = Date.now()
  const waiting = new Map<string, number>()
  const planned = new Map(checks.map((check) => [check.id, check]))
  /** The checks of each scenario that have not ended. */
  const open = new Map<string, number>()
  for (const { scenario } of checks) open.set(scenario, (open.get(scenario) ?? 0) + 1)
  let done = 0
  let broken = 0
  let title = ''
  /** Where something happened last. */
  let chapter: string | undefined
  const failed = (): string => (broken === 0 ? '' : `${broken} failed`)
  const counts = (): string => [`${done} of ${checks.length} checks`, failed()].filter(Boolean).join(', ')
  /** Whether a scenario runs, so that not all that is left waits. */
  const isActive = (): boolean => open.size > waiting.size
  const inTime = (): readonly (string | undefined)[] => [timeOf(startedAt, lastsMs), waitOf(waiting)]
  const shown = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' · ')
  return {
    elapsedMs: () => Date.now() - startedAt,
    ended(result) {
      done += 1
      if (result.verdict === 'fail') broken += 1
      title = onOneLine(result.title)
      const check = planned.get(result.id)
      if (check === undefined) return
      chapter = check.chapter
      const left = (open.get(check.scenario) ?? 0) - 1
      if (left > 0) open.set(check.scenario, left)
      else open.delete(check.scenario)
    },
    waits({ scenario, until }) {
      if (until !== undefined) return void waiting.set(scenario, until)
      waiting.delete(scenario)
      chapter = scenario.split('/', 1)[0]
    },
    line: () => {
      if (waiting.size === 0) return done === 0 ? counts() : `${counts()}  ${title}`
      return shown([isActive() ? counts() : failed(), ...inTime()])
    },
    lineWithTime: () => shown([...(isActive() ? [chapter, counts()] : [failed()]), ...inTime()]),
  }
}

const HEARTBEAT_MS = 30_000
/** After a shorter run, its last steps take no time. */
const SHORT_RUN_MS = 5_000

/** For pipes and logs: a run of half an hour that prints nothing looks like one that hangs. */
const lineByLine = (count: Count, stream: Output): Progress => {
  let paused = false
  const timer = setInterval(() => {
    if (!paused) stream.write(`${count.lineWithTime()}\n`)
  }, HEARTBEAT_MS)
  timer.unref()
  return {
    ...count,
    step: (what) => {
      if (count.elapsedMs() > SHORT_RUN_MS) stream.write(`${what}\n`)
    },
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
/** The line contains the time. */
const UPDATE_MS = 1_000

const replacedLine = (count: Count, stream: Output, columns: () => number): Progress => {
  let line: Ora | undefined
  let stopped = false
  let paused = false
  const kept: string[] = []
  const textNow = (): string => clip(count.line(), Math.max(1, columns() - BESIDE_THE_TEXT))
  const update = (): void => {
    if (line !== undefined) line.text = textNow()
  }
  const timer = setInterval(update, UPDATE_MS)
  timer.unref()
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
    ended: (result) => {
      count.ended(result)
      update()
    },
    waits: (notice) => {
      count.waits(notice)
      update()
    },
    step: (what) => {
      if (line !== undefined) line.text = what
      // The event loop is busy with the step.
      line?.render()
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
      clearInterval(timer)
      line?.stop()
    },
  }
}

const DEFAULT_COLUMNS = 80

export const startProgress = (expected: Expected, stream: Output = process.stderr): Progress => {
  const count = createCount(expected)
  // On a terminal without a known width a line cannot be replaced.
  if (stream.isTTY !== true || stream.columns === 0) return lineByLine(count, stream)
  return replacedLine(count, stream, () => stream.columns ?? DEFAULT_COLUMNS)
}
