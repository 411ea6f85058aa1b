import { refuseLate } from '../../target/wall-clock.ts'
import type { Tape } from '../../evidence/replay.ts'
import type { TargetClock } from '../../session/clock.ts'
import type { Access } from '../../session/authorization/grants-file.ts'
import type { Taken } from './entries.ts'

/** All that an act gets from the world: as it was before, as far as that goes, and then as it comes. */
export interface ActTape extends Tape {
  /** A reading of the target's clock, in ms since 1970. */
  reading(now: () => number): number
  /** The end of a wait. `isOver` tells whether the act has gone on from it before. */
  wait(due: () => number): { readonly due: number; readonly isOver: boolean }
  access(get: () => Promise<Access>): Promise<Access>
}

const pathOf = (url: string): string => new URL(url).pathname

const sent = ({ method, url }: { readonly method: string; readonly url: string }): string =>
  `${method} ${pathOf(url)}`

/** A request that was sent and never answered may have been carried out: an act with one cannot be done again. */
export const isBroken = (taken: readonly Taken[]): boolean => {
  const answered = new Set(taken.flatMap((one) => (one.kind === 'exchange' ? [one.exchange.id] : [])))
  return taken.some((one) => one.kind === 'intent' && !answered.has(one.id))
}

/** @param append is given what is new, before it is relied on. */
export const createTape = (
  act: string,
  before: readonly Taken[],
  append: (taken: Taken) => void,
): ActTape => {
  const exchanges = new Map(
    before.flatMap((one) => (one.kind === 'exchange' ? [[one.exchange.id, one.exchange] as const] : [])),
  )
  const readings = before.flatMap((one) => (one.kind === 'reading' ? [one.at] : []))
  const dues = before.flatMap((one) => (one.kind === 'due' ? [one.at] : []))
  const accesses = before.flatMap((one) => (one.kind === 'access' ? [one.access] : []))
  const kept = <T>(taken: Taken, value: T): T => {
    append(taken)
    return value
  }
  return {
    exchange(request) {
      const known = exchanges.get(request.id)
      if (known === undefined || sent(known.request) === sent(request)) return known
      throw new Error(
        `done again from its log, the scenario goes another way: ${request.id} was ${sent(known.request)} and is now ${sent(request)}`,
      )
    },
    intends: (id) => append({ kind: 'intent', act, id }),
    keeps: (exchange) => append({ kind: 'exchange', act, exchange }),
    reading(now) {
      const known = readings.shift()
      if (known !== undefined) return known
      const at = now()
      return kept({ kind: 'reading', act, at }, at)
    },
    wait(due) {
      const known = dues.shift()
      if (known !== undefined) return { due: known, isOver: readings.length > 0 }
      const at = due()
      return kept({ kind: 'due', act, at }, { due: at, isOver: false })
    },
    async access(get) {
      const known = accesses.shift()
      if (known !== undefined) return known
      const access = await get()
      return kept({ kind: 'access', act, access }, access)
    },
  }
}

/** A clock of which every reading is kept, and every wait. */
export const tapedClock = (clock: TargetClock, tape: ActTape): TargetClock => {
  const read = (): number => clock.now().getTime()
  return {
    kind: clock.kind,
    now: () => new Date(tape.reading(read)),
    async pass(ms, slackMs) {
      const { due, isOver } = tape.wait(() => read() + ms)
      const left = due - read()
      if (!isOver && left > 0) await clock.pass(left)
      refuseLate({ due, now: tape.reading(read), slackMs })
    },
  }
}
