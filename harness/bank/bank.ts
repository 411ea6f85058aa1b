/** The reference bank, without a port: a function from a request to a response, and its clock. */
import { type EnvironmentName, ENVIRONMENTS } from './base-paths.ts'
import { VirtualClock } from './clock.ts'
import type { Defect, Dialect, Exchange, RuleChange, Variation } from './defect.ts'
import type { BankParts } from './call.ts'
import { residents, type Residents } from './seed-data.ts'
import { routes } from './routes.ts'
import { lawfulRules, type Rules } from './rules.ts'
import { createWorld, type World } from './state.ts'

export interface BankOptions {
  /** What the bank does wrong. */
  readonly defect?: Defect
  /** What the bank does differently, and rightly. */
  readonly variation?: Variation
  /** What the bank speaks; its own words, if it is left out. */
  readonly dialect?: Dialect
  /** The time at which the bank opens; a constant, unless it is said. */
  readonly startAt?: Date
  /** Whether the test hooks are offered, under `/_test-hooks/`; they are, unless this says no. */
  readonly testHooks?: boolean
  /** What the transactions before the opening are drawn from; a constant, unless it is said. */
  readonly seed?: number
  /** A redirect URI that every client has registered as well. */
  readonly redirectUri?: string
  /** Virtual ms per ms of the wall; 0 (the default) is a clock that stands still until it is advanced. */
  readonly speed?: number
  /** How the bank calls an application; over the network, unless it is said. */
  readonly deliver?: (request: Request) => Promise<Response>
}

export interface Bank {
  readonly fetch: Exchange
  readonly clock: VirtualClock
  readonly world: World
}

export const OPENING_TIME = new Date('2026-01-05T09:00:00Z')

const SEED = 42

const changesOf = (rules: Rules, change: RuleChange): Partial<Rules> =>
  typeof change === 'function' ? change(rules) : change

/** Of a hundred rules one or two are changed: the others are those that they were. */
const changed = (rules: Rules, change: RuleChange | undefined): Rules =>
  change === undefined ? rules : (Object.assign(Object.create(rules), changesOf(rules, change)) as Rules)

/** The rules of a bank that is right, and speaks this dialect. */
export const rulesIn = (dialect: Dialect | undefined): Rules =>
  dialect?.rules === undefined ? lawfulRules : { ...lawfulRules, ...changesOf(lawfulRules, dialect.rules) }

const rulesOf = ({ defect, variation, dialect }: BankOptions): BankParts['rules'] => {
  const usual = changed(rulesIn(dialect), variation?.rules)
  const wrong = changed(usual, defect?.rules)
  const at = (environment: EnvironmentName): Rules => (isWrongAt(defect, environment) ? wrong : usual)
  return { sandbox: at('sandbox'), production: at('production') }
}

const isWrongAt = (defect: Defect | undefined, environment: EnvironmentName): boolean =>
  defect !== undefined && (defect.environment === undefined || defect.environment === environment)

/** Loans have their sandbox alone; payments and the second accounts variant `/sandbox`, and no base path in production. */
const environmentOf = (path: string): EnvironmentName | undefined => {
  if (path.startsWith('/sandbox/') || path.startsWith('/paylater/')) return 'sandbox'
  if (path.startsWith('/api/') || path.startsWith('/auth/')) return 'production'
  return ENVIRONMENTS.find((environment) => path.startsWith(`/premium/${environment}/`))
}

/** The bank behind its decorations. Test hooks are no part of the interface, and are never decorated. */
const wired = ({ defect, variation }: BankOptions, plain: Exchange): Exchange => {
  if (!defect?.wire && !variation?.wire) return plain
  const usual = variation?.wire?.(plain) ?? plain
  const wrong = defect?.wire?.(usual) ?? usual
  return (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/_test-hooks/')) return plain(request)
    const environment = environmentOf(pathname)
    const isWrong =
      environment === undefined ? defect?.environment === undefined : isWrongAt(defect, environment)
    return (isWrong ? wrong : usual)(request)
  }
}

/** Whoever develops a client against the bank is called back at an address of their own. */
const withRedirectUri = (known: Residents, uri: string | undefined): Residents =>
  uri === undefined
    ? known
    : {
        ...known,
        clients: known.clients.map((client) => ({
          ...client,
          redirectUris: [...client.redirectUris, uri],
        })),
      }

/** A bank of its own, with nothing in its ledgers. Cheap: thousands are made in one run. */
export const createBank = (options: BankOptions = {}): Bank => {
  const {
    startAt = OPENING_TIME,
    seed = SEED,
    speed = 0,
    testHooks = true,
    deliver = fetch,
    dialect,
  } = options
  const clock = new VirtualClock({ startAt, speed })
  const world = createWorld(withRedirectUri(residents, options.redirectUri), { seed, openedAt: startAt })
  const calls = dialect?.calls(async (request) => deliver(request)) ?? deliver
  const parts: BankParts = {
    clock,
    world,
    rules: rulesOf(options),
    testHooks,
    deliver: calls,
    runs: speed > 0,
  }
  const bank = wired(options, async (request) => routes.fetch(request, parts))
  return { fetch: dialect?.wire(bank) ?? bank, clock, world }
}
