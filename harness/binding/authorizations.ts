import { anywhere, jsonOf } from '../session/answer.ts'
import { placeOf } from './parts.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Misfit } from '../check/misfit.ts'
import type { Profile } from '../profile/schema.ts'

/**
 * How the authorization of a payment is asked for is not shown: where each is refused before the customer is asked, for
 * its scope or for what it lacks, that may be what the profile has in their place.
 */

const PART = 'payments.authorize'

interface Blame {
  readonly key: 'scope' | 'parameter'
  readonly expected: string
}

const BLAMED: ReadonlyMap<string | undefined, Blame> = new Map([
  ['invalid_scope', { key: 'scope', expected: 'scope of the target' }],
  ['invalid_request', { key: 'parameter', expected: 'parameter of the target' }],
])

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])

/** RFC 6749 §4.1.2.1. */
const errorOf = ({ request, response }: Exchange): string | undefined => {
  const location = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (location === undefined || !REDIRECTS.has(response?.status)) return undefined
  if (!URL.canParse(location, request.url)) return undefined
  return new URL(location, request.url).searchParams.get('error') ?? undefined
}

const isOfPayments =
  (profile: Profile) =>
  (exchange: Exchange): boolean =>
    exchange.response !== undefined && placeOf(profile, exchange)?.part.key === PART

/** The orderIds of payments that were told to be rejected: nobody has to let a customer authorize these. */
const rejectedIn = (exchanges: readonly Exchange[]): readonly string[] =>
  exchanges
    .filter(({ response }) => response !== undefined)
    .map(jsonOf)
    .filter((answer) => anywhere(answer, 'status').includes('RJCT'))
    .flatMap((answer) => anywhere(answer, 'orderId').map(String))

/**
 * @param exchanges those of one scenario.
 * @param all those of the run so far: what was asked of the customer once is a request that fits.
 */
export const misfittingAuthorizations = (
  profile: Profile,
  exchanges: readonly Exchange[],
  all: () => Iterable<Exchange>,
): readonly Misfit[] => {
  const { payments } = profile
  if (payments === undefined) return []
  const isOf = isOfPayments(profile)
  const rejected = rejectedIn(exchanges)
  const isOwed = ({ request }: Exchange): boolean =>
    !rejected.some((orderId) => request.url.includes(encodeURIComponent(orderId)))
  const refusal = exchanges.find(
    (exchange) => isOf(exchange) && isOwed(exchange) && BLAMED.has(errorOf(exchange)),
  )
  const error = refusal && errorOf(refusal)
  const blame = BLAMED.get(error)
  if (refusal === undefined || blame === undefined) return []
  for (const exchange of all()) if (isOf(exchange) && errorOf(exchange) === undefined) return []
  const { key, expected } = blame
  return [
    {
      ...{ key: `${PART}.${key}`, bound: payments.authorize[key], expected },
      shown: `each authorization of a payment is refused with the error ${error ?? ''}`,
      exchange: refusal.id,
    },
  ]
}
