import { placeOf } from './parts.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Misfit } from '../check/misfit.ts'
import type { Profile } from '../profile/schema.ts'

/**
 * The one header of a request that the interface names and the profile binds: that of a consent. Where the profile has
 * another one, and no consent came about, that may be why.
 */

/** Endpoints, Consent and authorization, POST /v1/consents. */
const DOCUMENTED = 'X-Request-ID'

const CONSENT = 'operations.createConsent'

const statusOf = ({ response }: Exchange): number => response?.status ?? 0

/** Nothing there is a matter of the path. */
const isRefused = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500 && ![404, 405].includes(statusOf(exchange))

export const misfittingHeaders = (
  profile: Profile,
  exchanges: readonly Exchange[],
  all: () => Iterable<Exchange>,
): readonly Misfit[] => {
  const { requestIdHeader } = profile.operations.createConsent
  if (requestIdHeader.toLowerCase() === DOCUMENTED.toLowerCase()) return []
  const isOfConsents = (exchange: Exchange): boolean => placeOf(profile, exchange)?.part.key === CONSENT
  const refused = exchanges.find((exchange) => isOfConsents(exchange) && isRefused(exchange))
  if (refused === undefined) return []
  for (const exchange of all()) if (isOfConsents(exchange) && statusOf(exchange) < 300) return []
  return [
    {
      ...{ key: `${CONSENT}.requestIdHeader`, bound: requestIdHeader, expected: 'header of the interface' },
      shown: `each request is answered ${statusOf(refused)}, and the interface has ${DOCUMENTED}`,
      exchange: refused.id,
    },
  ]
}
