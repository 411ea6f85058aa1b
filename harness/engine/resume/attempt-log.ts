import { throwIfLate } from '../../connection/wall-clock.ts'
import type { ReplayLog } from '../../evidence/recorder.ts'
import type { TargetClock } from '../../session/clock.ts'
import type { Access } from '../../session/authorization/grants-file.ts'
import type { InputEntry } from './log-entries.ts'

/** The inputs of a scenario: first those in the log of an earlier run, then new ones. */

export interface AttemptLog extends ReplayLog {
  /** The latest recorded instant, by the target's clock, if it has inputs of an earlier run. */
  readonly recordedUntil: number | undefined
  /** Called before the first input that is not recorded, unless the run ended in a wait. @param verify throws if it is too late */
  beforeContinuing(verify: () => void): void
  /** A reading of the target's clock, in ms since 1970. */
  reading(now: () => number): number
  /** The end of a wait. `wasPassed`: whether the scenario already continued after it in an earlier run. */
  recordWait(due: () => number): { readonly due: number; readonly wasPassed: boolean }
  /** Called after a wait: the same before the next request, if it is not recorded. */
  beforeNextRequest(verify: () => void): void
  access(get: () => Promise<Access>): Promise<Access>
}

const pathOf = (url: string): string => new URL(url).pathname

const renderRequest = ({ method, url }: { readonly method: string; readonly url: string }): string =>
  `${method} ${pathOf(url)}`

/** A request without a recorded answer may have been processed: its scenario cannot be repeated from the log. */
export const hasUnansweredRequest = (inputs: readonly InputEntry[]): boolean => {
  const answered = new Set(inputs.flatMap((one) => (one.kind === 'exchange' ? [one.exchange.id] : [])))
  return inputs.some((one) => one.kind === 'intent' && !answered.has(one.intent.id))
}

const inputsByKind = (inputs: readonly InputEntry[]) => ({
  exchanges: new Map(
    inputs.flatMap((one) => (one.kind === 'exchange' ? [[one.exchange.id, one.exchange] as const] : [])),
  ),
  readings: inputs.flatMap((one) => (one.kind === 'reading' ? [one.at] : [])),
  dues: inputs.flatMap((one) => (one.kind === 'due' ? [one.at] : [])),
  accesses: inputs.flatMap((one) => (one.kind === 'access' ? [one.access] : [])),
})

/** @throws if a scenario that is repeated sends another request than before. */
const refuseChanged = (id: string, before: string, now: string): void => {
  if (before === now) return
  throw new Error(
    `repeated from its log, the scenario sends another request: ${id} was ${before} and is now ${now}`,
  )
}

/** @param append writes a new entry before the scenario uses its value. */
export const createAttemptLog = (
  attempt: string,
  before: readonly InputEntry[],
  append: (input: InputEntry) => void,
): AttemptLog => {
  const { exchanges, readings, dues, accesses } = inputsByKind(before)
  const recordInput = <T>(input: InputEntry, value: T): T => {
    append(input)
    return value
  }
  const instants = [...exchanges.values()].map(({ sentAt, durationMs }) => Date.parse(sentAt) + durationMs)
  let verifyNext: (() => void) | undefined
  let verifyContinuing: (() => void) | undefined
  const continues = (): void => {
    const verify = verifyContinuing
    verifyContinuing = undefined
    verify?.()
  }
  return {
    recordedUntil: before.length === 0 ? undefined : Math.max(0, ...readings, ...instants),
    beforeContinuing: (verify) => void (verifyContinuing = verify),
    exchange(request) {
      const known = exchanges.get(request.id)
      if (known === undefined) {
        continues()
        verifyNext?.()
      }
      verifyNext = undefined
      if (known !== undefined) refuseChanged(request.id, renderRequest(known.request), renderRequest(request))
      return known
    },
    recordIntent: (intent) => append({ kind: 'intent', attempt, intent }),
    recordExchange: (exchange) => append({ kind: 'exchange', attempt, exchange }),
    reading(now) {
      const known = readings.shift()
      if (known !== undefined) return known
      continues()
      const at = now()
      return recordInput({ kind: 'reading', attempt, at }, at)
    },
    recordWait(due) {
      const known = dues.shift()
      if (known === undefined) {
        const at = due()
        return recordInput({ kind: 'due', attempt, at }, { due: at, wasPassed: false })
      }
      const wasPassed = readings.length > 0
      if (!wasPassed) verifyContinuing = undefined
      return { due: known, wasPassed }
    },
    beforeNextRequest: (verify) => void (verifyNext = verify),
    async access(get) {
      const known = accesses.shift()
      if (known !== undefined) return known
      const access = await get()
      return recordInput({ kind: 'access', attempt, access }, access)
    },
  }
}

/** Between two requests without a wait: a code lives for minutes. */
const LONGEST_PAUSE_MS = 60_000

export const recordedClock = (clock: TargetClock, replayLog: AttemptLog): TargetClock => {
  const read = (): number => clock.now().getTime()
  const { recordedUntil } = replayLog
  if (recordedUntil !== undefined)
    replayLog.beforeContinuing(() =>
      throwIfLate({ due: recordedUntil, now: read(), slackMs: LONGEST_PAUSE_MS }),
    )
  return {
    kind: clock.kind,
    isResumed: recordedUntil !== undefined,
    now: () => new Date(replayLog.reading(read)),
    async pass(ms, slackMs) {
      const { due, wasPassed } = replayLog.recordWait(() => read() + ms)
      const left = due - read()
      if (!wasPassed && left > 0) await clock.pass(left)
      throwIfLate({ due, now: replayLog.reading(read), slackMs })
      // The run may have ended between the wait and the request.
      if (wasPassed) replayLog.beforeNextRequest(() => throwIfLate({ due, now: read(), slackMs }))
    },
  }
}
