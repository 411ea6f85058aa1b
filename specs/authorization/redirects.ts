import type { ObservedRedirect } from '../../harness/check/index.ts'
import type { Application, Random } from '../../harness/session/index.ts'

/** For a bank that shows every denial and refusal: the interface leaves that open, but a run cannot know it beforehand. */
export const DECLARE_IT = 'if the target never redirects them, the profile says so in notApplicable'

/** Statuses after which a browser sends the same form again (RFC 9110 §15.4.8, §15.4.9). */
const REPEATING = [307, 308]

/** Judges that a redirect does not have the browser send the form of the customer to the application. */
export const sendsNoFormOn = ({ exchange }: ObservedRedirect): void => {
  const isForm = exchange.request.method === 'POST'
  exchange.status.satisfies(
    !isForm || !REPEATING.includes(Number(exchange.status.value)),
    'a status after which a browser sends a GET request, such as 303',
  )
}

/** A redirect URI to which the bank redirects, if the application has one: one with a query, in which a bank may lose what it adds. */
export const redirectUriOf = ({ profile: { redirectUris } }: Application): string => {
  const redirected = redirectUris.filter(({ delivery }) => delivery === 'redirect').map(({ uri }) => uri)
  return redirected.find((uri) => uri.includes('?')) ?? redirected[0] ?? redirectUris[0]?.uri ?? ''
}

/** A state that ends like this, and was never sent: a bank may refuse one that it has seen before. */
export const newState = (random: Random, end: string): string => random.uuid().slice(0, 8) + end

/**
 * Whether a redirect has the state that was sent. The scenario compares it, and not the check: if a person authorizes, the state
 * of their link is a secret, and checks see a pseudonym.
 */
export const returnsState = (
  { redirect }: { readonly redirect?: string | undefined },
  state: string,
): boolean => redirect !== undefined && new URL(redirect).searchParams.get('state') === state

/** Judges what `returnsState` has found. */
export const hasItsState = (redirectResult: ObservedRedirect, isReturned: boolean): void =>
  redirectResult.parameter('state').satisfies(isReturned, 'the state that was sent')

/**
 * Judges that a redirect has each parameter once. What a redirect URI repeats in its own query, the redirect keeps
 * (RFC 6749 §3.1.2).
 * @param expected a parameter that the redirect has in any case.
 */
export const namesEachParameterOnce = (
  redirectUri: string,
  redirectResult: ObservedRedirect,
  expected: 'code' | 'error',
): void => {
  const { names } = redirectResult
  const own = new URL(redirectUri).searchParams
  const countOf = (name: string): number => names.filter((one) => one === name).length
  const repeated = names.find((name) => countOf(name) > Math.max(1, own.getAll(name).length))
  redirectResult
    .parameter(repeated ?? expected)
    .satisfies(repeated === undefined, 'one value, and not several')
}
