/** The input of handlers (one request to one environment of a bank) and of scheduled work (one environment). */
import type { EnvironmentName } from './base-paths.ts'
import type { VirtualClock } from './clock.ts'
import type { Rules } from './rules.ts'
import type { Endpoint, Facts, Variant } from './rules/facts.ts'
import type { RecordKind, RefusalWord } from './rules/refusal-rules.ts'
import type { Account, Client } from './seed-data.ts'
import type { Ledger, World } from './state.ts'

export interface BankParts {
  readonly clock: VirtualClock
  readonly world: World
  /** A defect may exist in only one environment. */
  readonly rules: Readonly<Record<EnvironmentName, Rules>>
  /** Whether the bank has the test hooks. */
  readonly testHooks: boolean
  /** Sends a request of the bank to an application. */
  readonly deliver: (request: Request) => Promise<Response>
  /** Whether the clock runs by itself: then the bank does not wait for its calls to applications. */
  readonly runs: boolean
}

/** One environment of a bank, for work without a request. */
export interface BankContext extends Pick<BankParts, 'clock' | 'world' | 'deliver' | 'runs'> {
  readonly environment: EnvironmentName
  readonly rules: Rules
  readonly ledger: Ledger
}

export const contextOf = (parts: BankParts, environment: EnvironmentName): BankContext => ({
  ...parts,
  environment,
  rules: parts.rules[environment],
  ledger: parts.world.ledgers[environment],
})

/** The facts of a rule for work without a request. */
export const factsAt = ({ environment, clock }: BankContext): Facts => ({ environment, now: clock.now() })

export interface Call extends Facts {
  readonly request: Request
  readonly url: URL
  /** The path of the environment: `/premium/sandbox`; in the second accounts variant `/sandbox`, or nothing. */
  readonly base: string
  readonly endpoint: Endpoint
  readonly variant: Variant
  readonly rules: Rules
  readonly world: World
  /** The bank itself, for work after the answer. */
  readonly parts: BankParts
  /** The ledger of this environment, which stores new records. */
  readonly ledger: Ledger
  /** A parameter of the path. */
  readonly parameter: (name: string) => string
}

export type Handler = (call: Call) => Promise<Response>

export const factsOf = ({ environment, now }: Call): Facts => ({ environment, now })

/** A refusal. One function creates the response from its reason. */
export class Refusal extends Error {
  readonly error: RefusalWord
  /** The account that was refused, if there is one. */
  readonly account: Account | undefined

  constructor(error: RefusalWord, description: string, account?: Account) {
    const { stackTraceLimit } = Error
    // The stack is not used, and its creation is slow.
    Error.stackTraceLimit = 0
    super(description)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refusal'
    this.error = error
    this.account = account
  }
}

type RecordOf<Kind extends RecordKind> = Ledger[Kind] extends Map<string, infer Record> ? Record : never

/** The record with this id, in this environment or in another one that the bank searches. */
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

/** The ledger of a record, which stores its changes. */
export const ledgerOf = (call: Call, record: { readonly environment: EnvironmentName }): Ledger =>
  call.world.ledgers[record.environment]

/** An optional parameter, which must not be repeated. */
export const single = (call: Call, parameters: URLSearchParams, name: string): string | undefined => {
  const [value, ...others] = parameters.getAll(name)
  if (others.length > 0 && !call.rules.mayRepeat({ ...factsOf(call), name, endpoint: call.endpoint })) {
    throw new Refusal('invalid_request', `The parameter ${name} is given more than once.`)
  }
  // A parameter without a value counts as absent (RFC 6749 §3.1).
  return value === '' ? undefined : value
}

/** A required parameter, which must not be repeated. */
export const required = (call: Call, parameters: URLSearchParams, name: string): string => {
  const value = single(call, parameters, name)
  if (value === undefined) throw new Refusal('invalid_request', `The parameter ${name} is missing.`)
  return value
}

/** The value of a text that is JSON; undefined for any other text. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The JSON of a request's body; undefined if the body is not JSON. */
export const jsonOf = async ({ request }: Call): Promise<unknown> => jsonIn(await request.text())

/** The members of a text that is a JSON object; undefined for any other text. */
export const objectIn = (text: string): Readonly<Record<string, unknown>> | undefined => {
  const value = jsonIn(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined
}

/** The client of a record. */
export const clientOf = (
  { world }: Pick<BankContext, 'world'>,
  { clientId }: { readonly clientId: string },
): Client => {
  const client = world.seedData.clients.find((candidate) => candidate.clientId === clientId)
  if (!client) throw new Error(`a record of an unknown client: ${clientId}`)
  return client
}

/** The address of a page in the page of this call. @param path below the path of the environment. */
export const pageAddressOf = (call: Call, path: string): string =>
  call.rules.pageAddress({
    ...factsOf(call),
    origin: call.url.origin,
    from: call.url.pathname,
    path: call.base + path,
  })
