import { randomBytes } from 'node:crypto'
import { chance, keyedRandom, type Random } from '../../session/random.ts'
import { refuseLate } from '../../target/wall-clock.ts'
import type { TaskMeta } from 'vitest'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Tape } from '../../evidence/recorder.ts'
import type { Access } from '../../session/authorization/grant-store.ts'
import type { TargetClock } from '../../session/clock.ts'

/** All that an act gets from the world: as it was before, as far as that goes, and then as it comes. */
interface ActTape extends Tape {
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
const isBroken = (taken: readonly Taken[]): boolean => {
  const answered = new Set(taken.flatMap((one) => (one.kind === 'exchange' ? [one.exchange.id] : [])))
  return taken.some((one) => one.kind === 'intent' && !answered.has(one.id))
}

/** @param append is given what is new, before it is relied on. */
const createTape = (act: string, before: readonly Taken[], append: (taken: Taken) => void): ActTape => {
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

/** A run as its log tells it, and as it goes on. */

/** What is known of an act before it begins. */
type Beginning = Pick<Begun, 'of' | 'taped' | 'application' | 'grants'>

/** One act on the target. */
export interface Act {
  /** Begins the ids of its exchanges. */
  readonly id: string
  readonly random: Random
  /** All that it gets, where it can be done again from it. */
  readonly tape?: ActTape
  /** It goes on after it has waited. */
  back(): void
  /** Another act that came after this one had begun, and in which a customer may have granted to the same application. */
  disturber(): string | undefined
}

export interface RunLog {
  /** What a check has found already. */
  found(check: string): TaskMeta | undefined
  keep(check: string, meta: TaskMeta): void
  waits(check: string, until: string): void
  begin(beginning: Beginning): Act
}

/**
 * A run that nobody can resume keeps nothing.
 * @param randomOf what is random in an act, where somebody else than chance has a say in it.
 */
export const withoutLog = (randomOf: (act: string) => Random = () => chance): RunLog => ({
  found: () => undefined,
  keep: () => undefined,
  waits: () => undefined,
  begin: ({ of }) => ({ id: of, random: randomOf(of), back: () => undefined, disturber: () => undefined }),
})

export const noLog: RunLog = withoutLog()

/** Unlike applications do not end one another's grants. */
const meet = (one: Begun, other: Begun): boolean =>
  one.application === undefined || other.application === undefined || one.application === other.application

interface LoggedRun {
  readonly begun: readonly Begun[]
  /** Who was active, in this order: each act when it began, and when it went on. */
  readonly active: readonly Begun[]
  readonly taken: ReadonlyMap<string, readonly Taken[]>
}

const loggedRunOf = (entries: readonly Entry[]): LoggedRun => {
  const begun = entries.filter((entry) => entry.kind === 'begin')
  const named = new Map(begun.map((one) => [one.act, one]))
  const taken = new Map<string, Taken[]>()
  const active: Begun[] = []
  for (const entry of entries) {
    if (!('act' in entry)) continue
    const act = named.get(entry.act)
    if (act === undefined) continue
    if (entry.kind === 'begin' || entry.kind === 'back') active.push(act)
    else {
      const own = taken.get(entry.act) ?? []
      own.push(entry)
      taken.set(entry.act, own)
    }
  }
  return { begun, active, taken }
}

/** @param entries what the log holds. @param append is given what is new. */
export const createRunLog = (entries: readonly Entry[], append: (entry: Entry) => void): RunLog => {
  const found = new Map(
    entries.flatMap((entry) => (entry.kind === 'result' ? [[entry.check, entry.meta] as const] : [])),
  )
  const { taken, ...before } = loggedRunOf(entries)
  const begun = [...before.begun]
  const active = [...before.active]
  /** Acts that this process has begun or resumed. */
  const underWay = new Set<string>()
  const takenBy = (act: string): readonly Taken[] => taken.get(act) ?? []

  const begin = ({ of, taped, application, grants }: Beginning): Begun => {
    const tries = begun.filter((one) => one.of === of)
    const last = tries.at(-1)
    const canGoOn = last?.taped === true && !underWay.has(last.act) && !isBroken(takenBy(last.act))
    if (last !== undefined && canGoOn) return last
    const entry: Begun = {
      kind: 'begin',
      act: tries.length === 0 ? of : `${of}~${tries.length + 1}`,
      ...{ of, taped, grants, key: randomBytes(32).toString('base64') },
      ...(application !== undefined && { application }),
    }
    begun.push(entry)
    active.push(entry)
    append(entry)
    return entry
  }

  return {
    found: (check) => found.get(check),
    keep: (check, meta) => append({ kind: 'result', check, meta }),
    waits: (check, until) => append({ kind: 'waits', check, until }),
    begin(beginning) {
      const own = begin(beginning)
      underWay.add(own.act)
      const since = active.indexOf(own) + 1
      const isDisturbing = (other: Begun): boolean => other !== own && other.grants && meet(own, other)
      return {
        id: own.act,
        random: keyedRandom(Buffer.from(own.key, 'base64')),
        ...(own.taped && { tape: createTape(own.act, takenBy(own.act), append) }),
        back() {
          active.push(own)
          append({ kind: 'back', act: own.act })
        },
        disturber: () => (own.grants ? active.slice(since).find(isDisturbing)?.act : undefined),
      }
    },
  }
}

/** What the log of a run is made of, in the order in which it came about. */

/** An act on the target begins. */
interface Begun {
  readonly kind: 'begin'
  /** The id that begins those of its exchanges: that of its scenario, with `~2` for the second try and so on. */
  readonly act: string
  /** The same without the try. */
  readonly of: string
  /** Whether all that it gets is kept, so that it can be done again without the network. */
  readonly taped: boolean
  /** What its randomness comes from, in base64. */
  readonly key: string
  /** Which kind of application acts, where it is one. */
  readonly application?: string
  /** Whether a customer grants in it, which may end what was granted before. */
  readonly grants: boolean
}

/** Something that an act got from the world, or is about to do to it. */
type Taken =
  | { readonly kind: 'intent'; readonly act: string; readonly id: string }
  | { readonly kind: 'exchange'; readonly act: string; readonly exchange: Exchange }
  /** A reading of the target's clock, in ms since 1970. */
  | { readonly kind: 'reading'; readonly act: string; readonly at: number }
  /** The end of a wait, by the target's clock. */
  | { readonly kind: 'due'; readonly act: string; readonly at: number }
  | { readonly kind: 'access'; readonly act: string; readonly access: Access }

export type Entry =
  | Begun
  /** An act goes on after it has waited. */
  | { readonly kind: 'back'; readonly act: string }
  | Taken
  /** All that a check found. */
  | { readonly kind: 'result'; readonly check: string; readonly meta: TaskMeta }
  /** A check that can be judged from then on. */
  | { readonly kind: 'waits'; readonly check: string; readonly until: string }
  /** Somebody resumes the run. */
  | { readonly kind: 'resumed'; readonly at: string }
