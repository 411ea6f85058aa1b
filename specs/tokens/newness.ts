import { attemptOf, check, inWholeRun } from '../../harness/check/index.ts'
import type { ObservedExchange, Selection, WholeRun } from '../../harness/check/index.ts'
import type { Scenario } from '../../harness/session/index.ts'
import { isRenewal } from '../shared/grants.ts'

/** The answers of the run with tokens for accounts, and whether their tokens are new. */

export const NO_ANSWER = 'no code exchange was answered with an access token at its place'

export const hasItsPlace = ({ body }: ObservedExchange): boolean =>
  body.field('access_token').value !== undefined

/** Tokens for payments have other lifetimes. A refresh has no scope of its own. */
const isForAccounts = ({ request, body }: ObservedExchange, { scopes }: WholeRun['profile']): boolean => {
  const form = new URLSearchParams(request.body?.text)
  const scope = form.get('scope') ?? body.field('scope').value
  const isOfACustomer = ['authorization_code', 'refresh_token'].includes(form.get('grant_type') ?? '')
  return isOfACustomer && (typeof scope !== 'string' || scope.startsWith(scopes.accounts))
}

const answersIn = ({ exchanges, profile }: WholeRun): readonly ObservedExchange[] =>
  exchanges.filter((answer) => answer.accepted && hasItsPlace(answer) && isForAccounts(answer, profile))

/** @param scenario where a code surely is exchanged. */
export const answersWithTokens = (scenario: Scenario): Selection<ObservedExchange> =>
  inWholeRun(scenario, ['token']).each(answersIn, NO_ANSWER)

interface Issued {
  readonly answer: ObservedExchange
  /** The code or the refresh token that was sent. */
  readonly key: string | null
  readonly names: Readonly<Record<Kind, string>>
  readonly tokens: readonly unknown[]
}

type Kind = 'access token' | 'refresh token'

const issuedIn = (run: WholeRun): readonly Issued[] => {
  const { refreshForm, refreshToken } = run.profile.operations.token
  const isSent = ([, value]: [string, string]): boolean => value.includes('{refresh_token}')
  const [parameter = ''] = Object.entries(refreshForm).find(isSent) ?? []
  const names = { 'access token': 'access_token', 'refresh token': refreshToken }
  return answersIn(run).map((answer) => {
    const key = new URLSearchParams(answer.request.body?.text).get(isRenewal(answer) ? parameter : 'code')
    return { answer, key, names, tokens: Object.values(names).map((name) => answer.body.field(name).value) }
  })
}

/** Judges that such a token was in no answer before, except to the same code or refresh token. */
export const checkNewness = (
  row: Parameters<typeof check>[0],
  scenario: Scenario,
  kind: Kind,
  isMeant: (answer: ObservedExchange) => boolean,
): void => {
  const issued = inWholeRun(scenario, ['token']).each((run) => {
    const all = issuedIn(run)
    return all.map((one, at) => {
      const others = all
        .slice(0, at)
        .filter(({ answer, key }) => attemptOf(answer) === attemptOf(one.answer) && key !== one.key)
      const earlier = others.flatMap(({ tokens }) => tokens).filter((token) => typeof token === 'string')
      return { ...one, earlier: new Set(earlier.filter((token) => token !== '')) }
    })
  }, NO_ANSWER)
  const later = issued
    .where(({ answer }) => isMeant(answer), 'there was no such answer in the run')
    .where(({ earlier }) => earlier.size > 0, 'fewer than two answers of one scenario have such a token')
  check(row, later, ({ answer, earlier, names, tokens }) => {
    const token = answer.body.field(names[kind])
    if (isRenewal(answer)) token.isText()
    token.satisfies(!earlier.has(String(token.value)), 'a token that no answer before has given')
    if (answer.strings.some((text) => earlier.has(text) && !tokens.includes(text)))
      answer.discloses('a token of another answer')
  })
}
