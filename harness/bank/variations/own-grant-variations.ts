/** Banks whose second variant of the accounts is granted by itself. Their profiles say so, in `secondVariant.oauth`. */
import { accept, alter, type FactsOf } from '../changes/alter.ts'
import { reread } from '../changes/answer.ts'
import { both } from '../changes/change.ts'
import { variationsOf } from '../changes/named.ts'
import type { Variation } from '../defect.ts'

/** The scope of the second variant. */
const SCOPE = 'AIS_2'

const isOwn = (scope: string): boolean => scope.split(':')[0] === SCOPE

/** Begins the refresh tokens of the second variant. */
const MARK = 'ais2_'

const OWN_ENDPOINT = /^(\/sandbox)?\/auth\/ais\/(authorize|token)$/
const ENDPOINT = /^\/premium\/\w+\/auth\/oauth\/v2\/(authorize|token)$/

/** The endpoint of the first variant, which does the work for both. */
const workingFor = (pathname: string): string =>
  pathname.replace(
    OWN_ENDPOINT,
    (_, sandbox: string | undefined, name: string) =>
      `/premium/${sandbox === undefined ? 'production' : 'sandbox'}/auth/oauth/v2/${name}`,
  )

/** What belongs to the other variant is not known here. */
const forgetForeign = (fields: URLSearchParams, isOfSecond: boolean): void => {
  const [scope, refreshToken] = [fields.get('scope'), fields.get('refresh_token')]
  if (scope !== null && isOwn(scope) !== isOfSecond) fields.set('scope', 'unknown')
  if (refreshToken !== null && refreshToken.startsWith(MARK) !== isOfSecond)
    fields.set('refresh_token', 'unknown')
}

/** The second variant has an authorization endpoint and a token endpoint of its own. */
const ownEndpoints = reread(({ url, query, form }) => {
  const isOfSecond = OWN_ENDPOINT.test(url.pathname)
  if (!isOfSecond && !ENDPOINT.test(url.pathname)) return
  url.pathname = workingFor(url.pathname)
  forgetForeign(query, isOfSecond)
  forgetForeign(form, isOfSecond)
})

/** The scope of the second variant has a consentId, as that of the first. */
const underAConsent = alter({
  requestedScope: (requested, { scope }) => {
    const [, consentId] = /^AIS_2(?::(\S+))?$/.exec(scope) ?? []
    return isOwn(scope) ? { name: SCOPE, consentId } : requested
  },
})

/** A token opens one variant only. */
const openingOneVariant = accept(
  'accessIsRevoked',
  ({ variant, token }: FactsOf<'accessIsRevoked'>) => isOwn(token.scope) !== (variant === 'second'),
)

export const ownGrantVariations: readonly Variation[] = variationsOf({
  'The second variant has its own endpoints and no consent': both(
    ownEndpoints,
    alter({
      requestedScope: (requested, { scope }) =>
        scope === SCOPE ? { name: SCOPE, consentId: undefined } : requested,
      newRefreshToken: (token, { grant }) => (isOwn(grant.scope) ? MARK : '') + token,
    }),
    accept('scopeFitsClient', ({ requested }) => requested.name === SCOPE),
    openingOneVariant,
  ),
  'The second variant has its own scope under the same consent': both(underAConsent, openingOneVariant),
  'The second variant also accepts tokens of the first variant': underAConsent,
})
