import { attemptOf } from '../../harness/check/index.ts'
import type { ObservedExchange, WholeRun } from '../../harness/check/index.ts'

/** The grants of customers, by their tokens: as far as the scenario of a request was given the token itself. */

interface Granted {
  readonly scope: string
  /** The consent in the scope of a TPP. */
  readonly consentId: string | undefined
  /** The id of its code exchange. */
  readonly exchange: string
}

export const isRenewal = ({ request }: ObservedExchange): boolean =>
  new URLSearchParams(request.body?.text).get('grant_type') === 'refresh_token'

/** The grant of a token answer, or of the token in a request. */
export const grantsIn = ({
  exchanges,
  profile,
}: WholeRun): ((answer: ObservedExchange) => Granted | undefined) => {
  const grants = new Map<string, Granted>()
  const grantOf = (answer: ObservedExchange): Granted | undefined => {
    const { headers, body } = answer.request
    const [, value = ''] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? []
    const secrets = [value.replace(/^Bearer /i, ''), ...new URLSearchParams(body?.text).values()]
    return [answer.id, ...secrets].flatMap((secret) => grants.get(`${attemptOf(answer)} ${secret}`) ?? [])[0]
  }
  const ofConsent = `${profile.scopes.accounts}:`
  for (const answer of exchanges.filter(({ operation, accepted }) => operation === 'token' && accepted)) {
    const { value: stated } = answer.body.field('scope')
    const requested = new URLSearchParams(answer.request.body?.text).get('scope') ?? ''
    const scope = typeof stated === 'string' && stated.includes(ofConsent) ? stated : requested
    const [word] = scope.split(' ').filter((one) => one.startsWith(ofConsent))
    const granted = grantOf(answer) ?? {
      scope,
      consentId: word?.slice(ofConsent.length),
      exchange: answer.id,
    }
    const names = ['access_token', profile.operations.token.refreshToken]
    for (const value of [answer.id, ...names.map((name) => answer.body.field(name).value)])
      if (typeof value === 'string') grants.set(`${attemptOf(answer)} ${value}`, granted)
  }
  return grantOf
}
