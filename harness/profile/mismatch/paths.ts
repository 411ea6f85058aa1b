import { factsOfOperation, headerOf, type Exchange } from '../../evidence/exchange.ts'
import { codeOf } from '../../evidence/record/loan-application.ts'
import { operationsOf, type Base, type BoundOperation } from '../operations.ts'
import { isRefused, statusOf, type ProfileMismatch, type RunExchanges } from './mismatch.ts'
import type { Profile } from '../schema.ts'

/** The part of the profile that configures an exchange, found by its operation and its address. */

export interface PlacedExchange {
  readonly part: BoundOperation
  readonly base: Base
}

type Sent = Pick<Exchange, 'operation' | 'request'>

const searchPlace = (profile: Profile, { operation, request }: Sent): PlacedExchange | undefined => {
  const { pathname } = new URL(request.url)
  const fitting = operationsOf(profile)
    .filter((part) => part.operation === operation)
    .flatMap((part) => part.bases.map((base) => ({ part, base })))
    .filter(({ base }) => base.ending.test(pathname))
  // One base path may be the end of another, or be none.
  const longest = Math.max(...fitting.map(({ base }) => base.path.length))
  return fitting.find(({ base }) => base.path.length === longest)
}

/** For each check that did not pass, each exchange of the run is looked at. */
const known = new WeakMap<Profile, WeakMap<Sent, { readonly place: PlacedExchange | undefined }>>()

/**
 * The part that an exchange belongs to, and the base path that it went to. Undefined for an address that is
 * not from the profile: a link of the target, a path that a check has changed.
 */
export const placeOf = (profile: Profile, sent: Sent): PlacedExchange | undefined => {
  const places = known.get(profile) ?? new WeakMap<Sent, { readonly place: PlacedExchange | undefined }>()
  known.set(profile, places)
  const found = places.get(sent) ?? { place: searchPlace(profile, sent) }
  places.set(sent, found)
  return found.place
}

/** Whether an exchange belongs to this part of the profile, or to an item of it. */
export const isOf =
  (profile: Profile, part: string) =>
  (exchange: Exchange): boolean =>
    `${placeOf(profile, exchange)?.part.key ?? ''}.`.startsWith(`${part}.`)

/** There is no resource, or none with this method (RFC 9110 §15.5.5, §15.5.6). */
const NOT_FOUND: readonly number[] = [404, 405]

/** Errors, 5: an answer with such a code is that of a loan operation, whatever its status. */
const LOAN_CODES: readonly unknown[] = ['APP_NOT_FOUND', 'NOT_ALLOWED_OPER']

/** Where an operation of the API was redirected to on the same host: its path is another one. */
const movedTo = ({ operation, request, response }: Exchange): string | undefined => {
  const status = response?.status ?? 0
  const location = headerOf(response?.headers ?? [], 'location') ?? ''
  if (factsOfOperation(operation)?.answer === undefined || status < 301 || status > 308) return undefined
  if (location === '' || !URL.canParse(location, request.url)) return undefined
  const [from, to] = [new URL(request.url), new URL(location, request.url)]
  return from.host === to.host && from.pathname !== to.pathname ? to.pathname : undefined
}

/** The path of the profile that leads there. */
const pathFor = (to: string, { base }: PlacedExchange): string =>
  to.startsWith(base.path) ? to.slice(base.path.length) : to

const isOfAnOperation = ({ loans }: Profile, exchange: Exchange): boolean =>
  !NOT_FOUND.includes(statusOf(exchange)) ||
  (loans !== undefined && LOAN_CODES.includes(codeOf(exchange, loans)))

interface AskedPath extends PlacedExchange {
  readonly exchange: Exchange
  readonly isThere: boolean
}

const askedIn = (profile: Profile, exchanges: Iterable<Exchange>): readonly AskedPath[] =>
  [...exchanges].flatMap((exchange) => {
    const placed = exchange.response && placeOf(profile, exchange)
    if (placed === undefined) return []
    const isThere = movedTo(exchange) === undefined && isOfAnOperation(profile, exchange)
    return [{ ...placed, exchange, isThere }]
  })

/** The cause of a 404 or 405: the path, the base path, or the target (undefined). */
const causeOf = (
  profile: Profile,
  { part, base }: AskedPath,
  isBaseThere: boolean,
): 'path' | 'base' | undefined => {
  if (part.documented !== undefined && part.path !== part.documented) return 'path'
  // In the environment that is not judged, there are too few requests to conclude that the base path is wrong.
  const mayBeBase =
    base.documented === undefined ? base.environment === profile.environment : base.path !== base.documented
  if (!isBaseThere && mayBeBase) return 'base'
  return part.documented === undefined ? 'path' : undefined
}

/**
 * Paths without any successful answer. A documented path must exist, so that only another one may be an error of
 * the profile.
 */
export const mismatchedPaths = ({ profile, exchanges, all }: RunExchanges): readonly ProfileMismatch[] => {
  const missed = askedIn(profile, exchanges).filter(({ isThere }) => !isThere)
  if (missed.length === 0) return []
  const there = askedIn(profile, all()).filter(({ isThere }) => isThere)
  return missed.flatMap((asked) => {
    const { part, base, exchange } = asked
    const onBase = there.filter((one) => one.base.key === base.key)
    if (onBase.some((one) => one.part.key === part.key)) return []
    const moved = movedTo(exchange)
    const cause = moved === undefined ? causeOf(profile, asked, onBase.length > 0) : 'path'
    if (cause === undefined) return []
    const [key, { path, documented }] = cause === 'path' ? [`${part.key}.path`, part] : [base.key, base]
    return [
      {
        key,
        bound: path === '' ? '/' : path,
        expected: 'operation',
        shown:
          moved === undefined
            ? `each request is answered ${statusOf(exchange)}` +
              (documented === undefined ? '' : `, and the interface has ${documented}`)
            : `each request is redirected (${statusOf(exchange)}) to ${pathFor(moved, asked)}`,
        exchange: exchange.id,
      },
    ]
  })
}

/** The parts of an authorization request that a bank looks at. */
const askedFor = ({ request }: Exchange): string => {
  const { searchParams } = new URL(request.url)
  return `${searchParams.get('client_id') ?? ''} ${searchParams.get('redirect_uri') ?? ''}`
}

/**
 * Whether nothing is served at the address of the authorization: a gateway gives one answer to every application and every
 * redirect URI, right or wrong.
 */
export const unservedAuthorization = ({ profile, all }: RunExchanges): readonly ProfileMismatch[] => {
  const asked = [...all()].filter(
    (exchange) => exchange.response !== undefined && isOf(profile, 'operations.authorize')(exchange),
  )
  const [first] = asked
  const answers = new Set(
    asked.map((exchange) => `${statusOf(exchange)} ${exchange.response?.body.text ?? ''}`),
  )
  const isOneRefusal = answers.size === 1 && first !== undefined && isRefused(first)
  if (!isOneRefusal || new Set(asked.map(askedFor)).size < 2) return []
  return [
    {
      key: 'operations.authorize.path',
      bound: profile.operations.authorize.path,
      expected: 'operation',
      shown: `each application and each redirect URI is given the same answer (${statusOf(first)}): look at this path and at \`basePaths\``,
      exchange: first.id,
    },
  ]
}
