import {
  check,
  factsOf,
  note,
  wasAccepted,
  refusalsAmong,
  NotReached,
  type ObservedExchange,
  type Observed,
} from '../../harness/check/index.ts'
import { TOK } from './requirements.ts'
import type { Scenario } from '../../harness/session/index.ts'

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
const namesAnError = ({ body }: ObservedExchange, path: string): void => {
  body.kind().equals('object')
  body.field(path).isText()
}

/** Judges the error of a refusal. */
export const saysWhatIsWrong = ({ body }: ObservedExchange, path: string, word: string): void => {
  const error = body.field(path)
  if (typeof error.value !== 'string') throw new NotReached('the refusal names no error')
  error.equals(word)
}

/** The evidence has the pair of a Basic header without its base64. */
const basicOf = (headers: ObservedExchange['request']['headers']): string => {
  const [, value = ''] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? []
  return value.replace(/^Basic /, '')
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
    if (secret !== null && factsOf(secret).length >= SHORTEST_SECRET) refusal.hides(secret, name)
}

interface Refusals {
  readonly errorPath: string
  /** By what was wrong with the request. */
  readonly refused: Readonly<Record<string, ObservedExchange>>
}

/** Judges the form of refusals. Of the statuses, 400 is that of all but failed client authentications. */
export const checkRefusalForm = <Seen extends { readonly errorPath: string }>(
  scenario: Scenario<Seen>,
  refusedIn: (record: Observed<Seen>) => readonly ObservedExchange[],
  { has400 = true } = {},
): void => {
  const each =
    (judge: (refusal: ObservedExchange, record: Observed<Seen>) => void) => (record: Observed<Seen>) => {
      for (const refusal of refusedIn(record)) judge(refusal, record)
    }
  check(TOK.refusedRequestHasTheStatusOfARefusal, scenario, each(hasTheStatusOfARefusal))
  if (has400)
    check(
      TOK.refusalHasStatus400,
      scenario,
      each(({ status }) => status.equals(400)),
    )
  check(
    TOK.refusalNamesAnError,
    scenario,
    each((refusal, { errorPath }) => namesAnError(refusal, errorPath)),
  )
  check(TOK.refusalRepeatsNoSecret, scenario, each(hidesItsSecrets))
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
