import { randomBytes } from 'node:crypto'
import { chance, keyedRandom } from '../../session/random.ts'
import { createTape, isBroken } from './tape.ts'
import type { TaskMeta } from 'vitest'
import type { Random } from '../../session/random.ts'
import type { Begun, Entry, Taken } from './entries.ts'
import type { ActTape } from './tape.ts'

/** A run as its log tells it, and as it goes on. */

/** What is known of an act before it begins. */
export type Beginning = Pick<Begun, 'of' | 'taped' | 'application' | 'grants'>

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
 * A run that nobody can go on with keeps nothing.
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
  /** Acts that this process has begun or gone on with. */
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
