import {
  isAccepted,
  note,
  NotReached,
  refusalsAmong,
  wasAccepted,
  type Exchange,
  type Observed,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import {
  change,
  type Application,
  type AuthorizationOptions,
  type Change,
  type Grant,
  type Scenario,
  type Session,
  type Tokens,
} from '../../harness/session/index.ts'
import { TOK } from './requirements.ts'

/** Parts of token requests that several spec files use. */

/**
 * The control after a refused refresh: a refresh with the same tokens, or with those of a fresh grant if that fails.
 * A bank may end a refresh token or its grant when it refuses a request with it.
 */
export const refreshStill = async (
  app: Application,
  tokens: Tokens & { readonly scope?: string },
): Promise<Exchange> => {
  const still = await refreshIn(app, tokens)
  if (isAccepted(still)) return still
  const fresh = await app.tokens()
  return refreshIn(app, tokens.scope === undefined ? { refreshToken: fresh.refreshToken } : fresh)
}

/** Has a scope if there is one. */
const refreshIn = (
  app: Application,
  { refreshToken, scope }: { readonly refreshToken: string; readonly scope?: string },
): Promise<Exchange> =>
  app.refresh({ refreshToken }, scope === undefined ? undefined : change.form('scope', scope))

/** The secret in letters of the other case; longer where it has no letters. */
const recased = (secret: string): string => {
  const other = secret === secret.toUpperCase() ? secret.toLowerCase() : secret.toUpperCase()
  return other === secret ? `${secret}A` : other
}

/** A letter in its other case; any other character as it is. */
export const otherCase = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()

/** The text with one letter of the other case: the last letter of it; longer where it has no letters. */
export const withOneLetterRecased = (text: string): string => {
  const at = Array.from(text).findLastIndex((character) => otherCase(character) !== character)
  return at < 0 ? `${text}A` : text.slice(0, at) + otherCase(text.charAt(at)) + text.slice(at + 1)
}

/** Wrong secrets, made from the right one. */
export const WRONG_SECRETS = {
  empty: () => '',
  cut: (secret: string) => secret.slice(0, -1),
  beheaded: (secret: string) => secret.slice(1),
  longer: (secret: string) => `${secret}x`,
  recased,
  withOneLetterRecased,
} as const

/** What the exchanges of one code have resulted in, by the name of their change. */
interface ExchangesOfOneCode<Name extends string> {
  readonly changed: Readonly<Record<Name, Exchange>>
  /** The valid exchange after them. */
  readonly after: Exchange
}

/**
 * Code exchanges with one change each, and a valid one after them. All use one code, so that the customer authorizes
 * once: where the valid exchange is accepted, no change was refused because its code was used up. Where it is refused,
 * the bank uses a code up when it refuses an exchange, and each change is tried again with a code of its own.
 */
export const exchangesOfOneCode = async <Name extends string>(
  app: Application,
  changes: Readonly<Record<Name, (grant: Grant) => Change>>,
  options: AuthorizationOptions = {},
): Promise<ExchangesOfOneCode<Name>> => {
  const send = async (isUsedUp: (exchange: Exchange) => boolean): Promise<ExchangesOfOneCode<Name>> => {
    let grant = await app.grant(options)
    const changed: [string, Exchange][] = []
    for (const [name, changeOf] of Object.entries<(grant: Grant) => Change>(changes)) {
      const exchange = await app.exchangeCode(grant, changeOf(grant))
      changed.push([name, exchange])
      if (isUsedUp(exchange)) grant = await app.grant(options)
    }
    const after = await app.exchangeCode(grant)
    return { changed: Object.fromEntries(changed) as Record<Name, Exchange>, after }
  }
  const sent = await send(isAccepted)
  return isAccepted(sent.after) ? sent : send(() => true)
}

/** The second customer, where the profile has one: so that tokens of both customers are judged. */
export const secondCustomerOf = ({ profile }: Session): Pick<AuthorizationOptions, 'customer'> => {
  const [, customer] = profile.customers
  return customer === undefined ? {} : { customer }
}

/** Code verifiers of RFC 7636. */

/** The characters of a code_verifier (§4.1). */
export const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

/** The example of Appendix B. */
export const APPENDIX_B = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** As long as a code_verifier may be, with every character that it may have, and a punctuation mark first. */
export const LONGEST = Array.from(UNRESERVED).reverse().join('').repeat(2).slice(0, 128)

/** The form of refused token requests. */

/**
 * Those of the calls that were refused: to judge the form of each.
 * @throws NotReached where the valid request before them was refused as well: then the reason may be another one.
 */
export const refusedAfter = (
  before: ObservedExchange,
  calls: readonly ObservedExchange[],
): readonly ObservedExchange[] => {
  wasAccepted(before, 'before')
  return refusalsAmong(calls)
}

/** Judges that the HTTP status of a refusal is that of a refusal, and not that of a success or a redirect. */
export const hasTheStatusOfARefusal = ({ status }: ObservedExchange): void => {
  const value = Number(status.value)
  status.satisfies(value >= 400 && value < 500, 'a status from 400 to 499')
}

/** Judges that a refusal is a JSON object with an error. */
export const namesAnError = ({ body }: ObservedExchange, path: string): void => {
  body.kind().equals('object')
  body.field(path).isText()
}

/** Judges the error of a refusal. That there is one is a requirement of its own. */
export const saysWhatIsWrong = ({ body }: ObservedExchange, path: string, word: string): void => {
  const error = body.field(path)
  if (typeof error.value !== 'string') throw new NotReached('the refusal names no error')
  error.equals(word)
}

const decoded = (credentials: string): string => Buffer.from(credentials, 'base64').toString()

const basicOf = (headers: ObservedExchange['request']['headers']): string => {
  const [, value = ''] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? []
  return decoded(value.replace(/^Basic /, ''))
}

/** Shorter ones may be words that an error uses by itself. */
const SHORTEST_SECRET = 8

/** Judges that the answer does not repeat the secrets of its request. */
export const hidesItsSecrets = (refusal: ObservedExchange): void => {
  const { headers, body } = refusal.request
  const form = new URLSearchParams(body?.text)
  const pair = basicOf(headers)
  const secrets = {
    'the code': form.get('code'),
    'the code_verifier': form.get('code_verifier'),
    'the refresh token': form.get('refresh_token'),
    'the client secret': pair.slice(pair.indexOf(':') + 1),
    'the Basic credentials': pair,
  }
  for (const [name, secret] of Object.entries(secrets))
    if (secret !== null && secret.length >= SHORTEST_SECRET) refusal.hides(secret, name)
}

interface Refusals {
  readonly errorPath: string
  /** By what was wrong with the request. */
  readonly refused: Readonly<Record<string, ObservedExchange>>
}

const described = (refusal: ObservedExchange, errorPath: string): string => {
  const { status, body } = refusal
  const type = String(refusal.header('Content-Type').value)
  if (body.kind().value !== 'object') return `${String(status.value)} ${type}`
  const { value } = body.field(errorPath)
  return `${String(status.value)} ${type}, ${typeof value === 'string' ? value : 'no error'} in ${body.shape}`
}

/** Notes what refusals of the token endpoint look like. */
export const describeRefusals = <Seen>(
  scenario: Scenario<Seen>,
  pick: (record: Observed<Seen>) => Refusals,
): void =>
  note(TOK.errorBodyOfTheTokenEndpoint, scenario, (record) => {
    const { errorPath, refused } = pick(record)
    return Object.entries(refused)
      .map(([fault, answer]) => `${fault}: ${described(answer, errorPath)}`)
      .join('; ')
  })
