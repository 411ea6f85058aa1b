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
import { change, type Application, type Scenario, type Tokens } from '../../harness/session/index.ts'
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

/** How a secret is wrong. A property prints its values: these words, and not the secrets that are made. */
export const WRONG_SECRETS = {
  empty: () => '',
  cut: (secret: string) => secret.slice(0, -1),
  recased,
} as const

/** Code verifiers of RFC 7636. */

/** The characters of a code_verifier (§4.1). */
export const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

/** The example of Appendix B. */
export const APPENDIX_B = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** As long as a code_verifier may be, with every character that it may have, and a punctuation mark first. */
export const LONGEST = Array.from(UNRESERVED).reverse().join('').repeat(2).slice(0, 128)

/** What the refusal of a token request says, and what it does not. */

/**
 * Those of the calls that were refused: to judge the form of each.
 * @throws NotReached where the valid request before them was refused as well: then they may be refused for its reason.
 */
export const refusedAfter = (
  before: ObservedExchange,
  calls: readonly ObservedExchange[],
): readonly ObservedExchange[] => {
  wasAccepted(before, 'before')
  return refusalsAmong(calls)
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

/** Judges that the answer repeats nothing that the request proved itself with. */
export const hidesItsSecrets = (refusal: ObservedExchange): void => {
  const { headers, body } = refusal.request
  const form = new URLSearchParams(body?.text)
  const pair = basicOf(headers)
  const secrets = {
    'the code': form.get('code'),
    'the code_verifier': form.get('code_verifier'),
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
