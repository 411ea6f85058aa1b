import { stringify } from 'fast-check'
import { Semaphore } from 'async-mutex'
import { createRedactor } from '../evidence/redaction.ts'
import { createWallet } from '../session/wallet.ts'
import { isReading } from '../check/scenario.ts'
import { openSession } from './open-session.ts'
import type { Need, Property, Scenario } from '../check/scenario.ts'
import type { Effect } from '../evidence/effect.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Journal } from '../evidence/journal.ts'
import type { KnownSecret, Redactor } from '../evidence/redaction.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { Wallet } from '../session/wallet.ts'
import type { Sink } from '../sink/sink.ts'
import type { Target } from '../target/target.ts'
import type { Course } from './course.ts'
import type { Ending, Recording } from './open-session.ts'

/** What an act came to: its record, or what stopped it. */
export type Outcome = { readonly record: unknown } | { readonly stopped: unknown }

/** A scenario done on the target, once for all its checks. */
export interface Performance {
  /** Takes out what was secret before the run, and what was learned in it. */
  readonly redactor: Redactor
  /** Takes out what was secret before the run alone. */
  readonly known: Redactor
  readonly exchanges: readonly Exchange[]
  /** What the act came to; of a property, with this value. The same value is acted on once. */
  outcome(value?: unknown): Promise<Outcome>
  /** Everything that was acted on until now, with what it came to. */
  done(): Promise<readonly Done[]>
}

export interface Done {
  readonly value: unknown
  readonly outcome: Outcome
}

export interface PerformerOptions {
  readonly target: Target
  readonly journal: Journal
  readonly secrets: readonly KnownSecret[]
  readonly allowed: readonly Effect[]
  /** Scenarios under way at once. */
  readonly concurrency: number
  /** `wall` leaves the target's clock alone. */
  readonly time: 'auto' | 'wall'
  /** Where webhook calls arrive; opened for the first scenario that waits for one. */
  readonly sink?: () => Promise<Sink>
  /** What bounds the run; a run that nothing bounds has none. */
  readonly course?: Course
}

export type Performer = (planned: PlannedCheck, scenario: Scenario | Property) => Performance

/** Does each scenario of a plan once, however many checks ask for it. */
export const createPerformer = (options: PerformerOptions): Performer => {
  const performances = new Map<string, Performance>()
  const circumstances = {
    ...options,
    places: new Semaphore(options.concurrency),
    walletOf: createWallets(options),
  }

  return (planned, scenario) => {
    const known = performances.get(planned.scenario)
    if (known !== undefined) return known
    const performance = perform(circumstances, planned, scenario)
    performances.set(planned.scenario, performance)
    return performance
  }
}

interface Circumstances extends PerformerOptions {
  readonly places: Semaphore
  /** The wallet of a place on the target. */
  readonly walletOf: (place: string) => Wallet
}

/** A target that all scenarios share has one wallet for the whole run; a bank of its own has its own. */
const createWallets = ({ target, course }: PerformerOptions): ((place: string) => Wallet) => {
  const wallets = new Map<string, Wallet>()
  return (place) => {
    if (!target.fresh && course !== undefined) return course.wallet
    const wallet = wallets.get(place) ?? createWallet(target.profile)
    wallets.set(place, wallet)
    return wallet
  }
}

/** Where those scenarios go that only read. */
const READING = 'reading'

const placeOf = (
  { target }: Circumstances,
  planned: PlannedCheck,
  { options }: Scenario | Property,
): string => (target.shared && isReading(options) ? READING : planned.scenario)

const perform = (stage: Circumstances, planned: PlannedCheck, scenario: Scenario | Property): Performance => {
  const redactor = createRedactor(stage.secrets)
  const exchanges: Exchange[] = []
  const outcomes = new Map<string, { readonly value: unknown; readonly outcome: Promise<Outcome> }>()

  const act = async (id: string, value: unknown): Promise<Outcome> => {
    const before = exchanges.length
    try {
      stage.course?.ends.throwIfAborted()
      stage.course?.breaker?.admit()
      return { record: await visited(stage, planned, scenario, { id, redactor, exchanges }, value) }
    } catch (stopped) {
      return { stopped }
    } finally {
      stage.course?.breaker?.hear(exchanges.slice(before))
    }
  }

  return {
    redactor,
    known: createRedactor(stage.secrets),
    exchanges,
    outcome(value) {
      const key = scenario.kind === 'property' ? stringify(value) : ''
      const id = scenario.kind === 'property' ? `${planned.scenario}.${outcomes.size + 1}` : planned.scenario
      const known = outcomes.get(key) ?? {
        value,
        outcome: withPlace(stage, scenario, () => act(id, value)),
      }
      outcomes.set(key, known)
      return known.outcome
    },
    done: () =>
      Promise.all(
        [...outcomes.values()].map(async ({ value, outcome }) => ({ value, outcome: await outcome })),
      ),
  }
}

/**
 * A scenario that moves the clock of a shared target, or revokes what the customer has granted, has the target for
 * itself: nobody else's tokens may end under their feet. So has one that points the webhooks of an application to
 * itself, and one that books: whoever walks the pages of the account at the same time would see them move. Payments
 * book as well, and move the clock into the hours in which they are taken.
 */
const withPlace = <T>(
  { target, places, concurrency }: Circumstances,
  scenario: Scenario | Property,
  run: () => Promise<T>,
) => {
  const { needs = [] } = scenario.options
  const isAlone = needs.some((need) => EXCLUSIVE.has(need))
  return places.runExclusive(run, isAlone && !target.fresh ? concurrency : 1)
}

const EXCLUSIVE: ReadonlySet<Need> = new Set([
  'clock',
  'revocation',
  'consent-revocation',
  'booking',
  'webhook',
  'webhook-settings',
  'payments',
])

/** Whoever has no use for the sink does not wait until it listens. */
const sinkFor = async ({ sink }: Circumstances, { options: { needs = [] } }: Scenario | Property) =>
  needs.includes('webhook') || needs.includes('webhook-settings') ? sink?.() : undefined

const visited = async (
  stage: Circumstances,
  planned: PlannedCheck,
  scenario: Scenario | Property,
  recording: Recording,
  value: unknown,
): Promise<unknown> => {
  const place = placeOf(stage, planned, scenario)
  const wallet = stage.walletOf(place)
  const endings: Ending[] = []
  const sink = await sinkFor(stage, scenario)
  const session = await openSession(stage, {
    visit: await stage.target.open(place),
    kind: planned.application ?? 'any',
    readsOnly: isReading(scenario.options),
    wallet,
    recording,
    ...(sink && { sink }),
    onEnd: (end) => endings.push(end),
  })
  try {
    return await (scenario.kind === 'property' ? scenario.act(session, value) : scenario.act(session))
  } finally {
    for (const end of endings) await end()
    if (!isReading(scenario.options)) wallet.distrust()
  }
}
