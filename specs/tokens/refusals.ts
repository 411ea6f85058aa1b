import {
  check,
  factsOf,
  headerOf,
  note,
  wasAccepted,
  refusalsAmong,
  NotReached,
  type Exchange,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import { attemptsOf, type NameOfAttempt } from '../shared/refused.ts'
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

/** The evidence has the pair of a Basic header without its base64. */
const basicOf = ({ headers }: ObservedExchange['request']): string =>
  headerOf(headers, 'Authorization')?.replace(/^Basic /, '') ?? ''

/** Shorter ones may be words that an error uses by itself. */
const SHORTEST_SECRET = 8

/** Judges that the answer does not repeat the secrets of its request. */
export const hidesItsSecrets = (refusal: ObservedExchange): void => {
  const form = new URLSearchParams(refusal.request.body?.text)
  const pair = basicOf(refusal.request)
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

/** A record with refused token requests. */
interface Refusals {
  /** Where the error stands in their bodies. */
  readonly errorPath: string
  /** The valid request before them. */
  readonly before: Exchange
}

type Names<Seen> = readonly NameOfAttempt<Seen, Exchange>[]

const exchangesOf = (record: unknown, name: string): readonly ObservedExchange[] =>
  attemptsOf(record, name) as readonly ObservedExchange[]

/** States a check of each of these attempts that was refused. */
export const checkRefusals = <Seen extends Refusals>(
  row: Parameters<typeof check>[0],
  scenario: Scenario<Seen>,
  names: Names<Seen>,
  judge: (refusal: ObservedExchange, errorPath: string) => void,
): void =>
  check<Refusals, undefined>(row, scenario, (record) => {
    const calls = names.flatMap((name) => exchangesOf(record, name))
    for (const refusal of refusedAfter(record.before, calls)) judge(refusal, record.errorPath)
  })

/** Judges the form of refusals. Of the statuses, 400 is that of all but failed client authentications. */
export const checkRefusalForm = <Seen extends Refusals>(
  scenario: Scenario<Seen>,
  names: Names<Seen>,
  { has400 = true } = {},
): void => {
  checkRefusals(TOK.refusedRequestHasTheStatusOfARefusal, scenario, names, hasTheStatusOfARefusal)
  if (has400) checkRefusals(TOK.refusalHasStatus400, scenario, names, ({ status }) => status.equals(400))
  checkRefusals(TOK.refusalNamesAnError, scenario, names, namesAnError)
  checkRefusals(TOK.refusalRepeatsNoSecret, scenario, names, hidesItsSecrets)
}

/** Judges the error of refusals. */
export const checkError = <Seen extends Refusals>(
  row: Parameters<typeof check>[0],
  scenario: Scenario<Seen>,
  names: Names<Seen>,
  word: string,
): void =>
  checkRefusals(row, scenario, names, ({ body }, path) => {
    const error = body.field(path)
    if (typeof error.value !== 'string') throw new NotReached('the refusal names no error')
    error.equals(word)
  })

const described = (refusal: ObservedExchange, errorPath: string): string => {
  const { status, body } = refusal
  const type = String(refusal.header('Content-Type').value)
  if (body.kind().value !== 'object') return `${String(status.value)} ${type}`
  const { value } = body.field(errorPath)
  return `${String(status.value)} ${type}, ${typeof value === 'string' ? value : 'no error'} in ${body.shape}`
}

/** Notes what refusals of the token endpoint look like. @param faults by the name of an attempt: what was wrong with it. */
export const describeRefusals = <Seen extends Refusals>(
  scenario: Scenario<Seen>,
  faults: { readonly [Name in NameOfAttempt<Seen, Exchange>]?: string },
): void =>
  note<Refusals>(TOK.errorBodyOfTheTokenEndpoint, scenario, (record) =>
    Object.entries<string>(faults as Record<string, string>)
      .flatMap(([name, fault]) =>
        exchangesOf(record, name).map((answer) => `${fault}: ${described(answer, record.errorPath)}`),
      )
      .join('; '),
  )
