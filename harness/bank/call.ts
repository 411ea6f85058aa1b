/** What handlers and scheduled work start from: one request to one environment of one bank, or the environment alone. */
import type { EnvironmentName } from './base-paths.ts'
import type { VirtualClock } from './clock.ts'
import type { Rules } from './rules.ts'
import type { Endpoint, Facts, Variant } from './rules/facts.ts'
import type { RecordKind, RefusalWord } from './rules/account-rules.ts'
import type { Account } from './seed-data.ts'
import type { Ledger, World } from './state.ts'

export interface BankParts {
  readonly clock: VirtualClock
  readonly world: World
  /** A defect may hold in one environment alone. */
  readonly rules: Readonly<Record<EnvironmentName, Rules>>
  /** Whether the test hooks are there. */
  readonly testHooks: boolean
  /** How the bank calls an application. */
  readonly deliver: (request: Request) => Promise<Response>
  /** Whether time passes by itself: then nobody waits for a call to an application. */
  readonly runs: boolean
}

/** One environment of a bank, at work on its own: there is no request that it answers. */
export interface Branch extends Pick<BankParts, 'clock' | 'world' | 'deliver' | 'runs'> {
  readonly environment: EnvironmentName
  readonly rules: Rules
  readonly ledger: Ledger
}

export const branchOf = (parts: BankParts, environment: EnvironmentName): Branch => ({
  ...parts,
  environment,
  rules: parts.rules[environment],
  ledger: parts.world.ledgers[environment],
})

/** What a rule is told of work that no request asks for. */
export const factsAt = ({ environment, clock }: Branch): Facts => ({ environment, now: clock.now() })

export interface Call extends Facts {
  readonly request: Request
  readonly url: URL
  /** The path of the environment: `/premium/sandbox`; in the second accounts variant `/sandbox`, or nothing. */
  readonly base: string
  readonly endpoint: Endpoint
  readonly variant: Variant
  readonly rules: Rules
  readonly world: World
  /** The bank itself: for what goes on after the answer. */
  readonly parts: BankParts
  /** The ledger of this environment: where new records go. */
  readonly ledger: Ledger
  /** A parameter of the path. */
  readonly parameter: (name: string) => string
}

export type Handler = (call: Call) => Promise<Response>

/** What a rule is told of every call. */
export const factsOf = ({ environment, now }: Call): Facts => ({ environment, now })

/** The bank says no. The answer is written in one place, from the word; nobody asks where it was said. */
export class Refusal extends Error {
  readonly error: RefusalWord
  /** The account that is kept shut, if there is one. */
  readonly account: Account | undefined

  constructor(error: RefusalWord, description: string, account?: Account) {
    const { stackTraceLimit } = Error
    // To trace where it was said takes longer than to say it.
    Error.stackTraceLimit = 0
    super(description)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refusal'
    this.error = error
    this.account = account
  }
}

type RecordOf<Kind extends RecordKind> = Ledger[Kind] extends Map<string, infer Record> ? Record : never

/** The record of this name, of this environment or of one where the bank looks for it as well. */
export const findRecord = <Kind extends RecordKind>(
  call: Call,
  kind: Kind,
  name: string,
): RecordOf<Kind> | undefined => {
  const recordIn = (ledger: Ledger): RecordOf<Kind> | undefined =>
    ledger[kind].get(name) as RecordOf<Kind> | undefined
  const { endpoint, variant } = call
  return (
    recordIn(call.ledger) ??
    call.rules
      .otherEnvironmentsSearched({ ...factsOf(call), endpoint, variant, kind })
      .map((environment) => recordIn(call.world.ledgers[environment]))
      .find((record) => record !== undefined)
  )
}

/** The ledger in which a record was found: what happens to it is written there. */
export const ledgerOf = (call: Call, record: { readonly environment: EnvironmentName }): Ledger =>
  call.world.ledgers[record.environment]

/** A parameter that may be given once. */
export const single = (call: Call, parameters: URLSearchParams, name: string): string | undefined => {
  const [value, ...others] = parameters.getAll(name)
  if (others.length > 0 && !call.rules.mayRepeat({ ...factsOf(call), name, endpoint: call.endpoint })) {
    throw new Refusal('invalid_request', `The parameter ${name} is given more than once.`)
  }
  // A parameter without a value counts as left out (RFC 6749 §3.1).
  return value === '' ? undefined : value
}

/** A parameter that must be given, once. */
export const required = (call: Call, parameters: URLSearchParams, name: string): string => {
  const value = single(call, parameters, name)
  if (value === undefined) throw new Refusal('invalid_request', `The parameter ${name} is missing.`)
  return value
}

/** The JSON of a request's body; nothing if it is none. */
export const jsonOf = async ({ request }: Call): Promise<unknown> => {
  try {
    return await request.json()
  } catch {
    return undefined
  }
}
