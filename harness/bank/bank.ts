import { changedRules, withChange } from './changes/change.ts'
import { VirtualClock } from './clock.ts'
import { conformingRules, type Rules } from './rules.ts'
import { seedData, type SeedData } from './seed-data.ts'
import { createWorld, type World } from './state.ts'
import { environmentOf, addressRulesFor, asResponse, routes } from './routes.ts'
import type { EnvironmentName } from './base-paths.ts'
import type { BankParts } from './call.ts'
import type { Defect, Dialect, Exchange, Variation } from './defect.ts'

/** The reference bank, without a port: a function from a request to a response, and its clock. */

export interface BankOptions {
  readonly defect?: Defect
  /** A permitted difference of the bank. */
  readonly variation?: Variation
  /** The dialect of the bank; default: the reference wire format. */
  readonly dialect?: Dialect
  /** The time at which the bank opens; default: a constant. */
  readonly startAt?: Date
  /** Whether the test hooks are offered, below `/_test-hooks/`; default: true. */
  readonly testHooks?: boolean
  /** The seed of the transactions before the opening; default: a constant. */
  readonly seed?: number
  /** A redirect URI that every client has registered as well. */
  readonly redirectUri?: string
  /** Whether a request over plain HTTP is refused; default: false. */
  readonly requiresTls?: boolean
  /** Virtual ms per ms of the wall clock; 0 (the default) is a clock that is stopped until it is advanced. */
  readonly speed?: number
  /** Sends a request of the bank to an application; default: over the network. */
  readonly deliver?: (request: Request) => Promise<Response>
}

export interface Bank {
  readonly fetch: Exchange
  readonly clock: VirtualClock
  readonly world: World
}

const OPENING_TIME = new Date('2026-01-05T09:00:00Z')

const SEED = 42

/** The conforming rules of a bank with this dialect. */
export const rulesIn = (dialect: Dialect | undefined): Rules =>
  dialect?.rules === undefined
    ? conformingRules
    : { ...conformingRules, ...changedRules(dialect.rules, conformingRules) }

const rulesOf = ({ defect, variation, dialect }: BankOptions): BankParts['rules'] => {
  const usual = withChange(rulesIn(dialect), variation?.rules)
  const wrong = withChange(usual, defect?.rules)
  const at = (environment: EnvironmentName): Rules => (isWrongAt(defect, environment) ? wrong : usual)
  return { sandbox: at('sandbox'), production: at('production') }
}

const isWrongAt = (defect: Defect | undefined, environment: EnvironmentName): boolean =>
  defect !== undefined && (defect.environment === undefined || defect.environment === environment)

/**
 * The bank with the wires of its changes. The wire of a variation is applied to the answers of the defect. Test hooks are
 * not part of the interface, and never changed.
 */
const wired = ({ defect, variation }: BankOptions, clock: VirtualClock, plain: Exchange): Exchange => {
  if (!defect?.wire && !variation?.wire) return plain
  const inFormOf = (next: Exchange): Exchange => variation?.wire?.(next) ?? next
  const usual = inFormOf(plain)
  const wrong = inFormOf(defect?.wire?.(plain, () => clock.now()) ?? plain)
  return (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/_test-hooks/')) return plain(request)
    const environment = environmentOf(pathname)
    const isWrong =
      environment === undefined ? defect?.environment === undefined : isWrongAt(defect, environment)
    return (isWrong ? wrong : usual)(request)
  }
}

const requiringTls =
  (parts: BankParts, next: Exchange): Exchange =>
  async (request) => {
    if (new URL(request.url).protocol === 'https:') return next(request)
    const { rules, facts } = addressRulesFor(parts, request.url)
    return asResponse(rules.refusalWithoutTls(facts))
  }

/** A developer of a client can register a redirect URI of their own. */
const withRedirectUri = (known: SeedData, uri: string | undefined): SeedData =>
  uri === undefined
    ? known
    : {
        ...known,
        clients: known.clients.map((client) => ({
          ...client,
          redirectUris: [...client.redirectUris, uri],
        })),
      }

/** A new bank with empty ledgers. This is cheap: one run creates thousands. */
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
  const world = createWorld(withRedirectUri(seedData, options.redirectUri), { seed, openedAt: startAt })
  const calls = dialect?.calls(async (request) => deliver(request)) ?? deliver
  const parts: BankParts = {
    clock,
    world,
    rules: rulesOf(options),
    testHooks,
    deliver: calls,
    runs: speed > 0,
  }
  const answer = async (request: Request): Promise<Response> => routes.fetch(request, parts)
  const bank = wired(options, clock, options.requiresTls === true ? requiringTls(parts, answer) : answer)
  return { fetch: dialect?.wire(bank) ?? bank, clock, world }
}
