import { OPERATIONS, type Effect, type Operation } from '../../evidence/exchange.ts'
import { HeldBack, NotReached } from '../../evidence/signals.ts'
import { isAddressing, placesBelow, type Place } from '../../profile/address-environment.ts'
import type { Environment } from '../../profile/environment.ts'
import type { Profile } from '../../profile/schema.ts'
import type { HttpRequest } from './request.ts'
import type { Layer } from './layers/layer.ts'

/** Decides which request may be sent: by its origin, by the effects that are allowed at its address, and by the budget. */

/** The effects that are allowed at an address, or why nothing is sent there. */
type Permission =
  | { readonly kind: 'allowed'; readonly environment?: Environment; readonly effects: readonly Effect[] }
  | { readonly kind: 'misdirected'; readonly because: string }

export type Permits = (request: HttpRequest) => Permission

export interface Permitting {
  /** The origins of the target and its test hooks: nothing is sent anywhere else. */
  readonly origins: readonly string[]
  /** Decides which effects are allowed at an address. Required, so that no client is created without it. */
  readonly permits: Permits
  /** Those that are added to every request. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Passes a request on that may be sent.
 * @throws HeldBack if its effect is not allowed, or its origin is not one of the target.
 * @throws NotReached if it is meant for the sandbox and its address could be one of production.
 */
export const permitted = (options: Permitting): Layer => {
  const { origins, permits } = options
  return async (sending, next) => {
    const { request, effect } = sending
    refuseForeign(request, origins)
    const permission = permits(request)
    if (permission.kind === 'misdirected') throw new NotReached(permission.because)
    const { environment = 'this target', effects } = permission
    if (!effects.includes(effect))
      throw new HeldBack(
        `${request.method} ${request.url} has the effect "${effect}", which is not allowed in ${environment} (${effects.length === 0 ? 'nothing is' : `allowed: ${effects.join(', ')}`})`,
      )
    refuseReaddressed(request, options)
    return next(sending)
  }
}

const refuseForeign = ({ url, withoutTls }: HttpRequest, origins: readonly string[]): void => {
  const { origin, username, password } = new URL(url)
  if (!origins.includes(origin) && !(withoutTls === true && isPlainTwin(origin, origins)))
    throw new HeldBack(`${origin} is not the target's origin (${origins.join(', ')})`)
  // The part before the @ is not sent, and may have been intended as the host.
  if (username !== '' || password !== '')
    throw new NotReached(`a request to ${origin} was not sent: its address carries credentials before an @`)
}

/** Whether an origin is that of plain HTTP to the host and port of an allowed origin. */
const isPlainTwin = (origin: string, origins: readonly string[]): boolean =>
  origins.some((allowed) => allowed.startsWith('https:') && allowed.replace(/^https:/, 'http:') === origin)

const refuseReaddressed = ({ url, headers }: HttpRequest, { headers: added }: Permitting): void => {
  const fields = [...Object.keys(added), ...headers.map(([name]) => name)]
  const field = fields.find(isAddressing)
  if (field !== undefined)
    throw new NotReached(
      `a request to ${new URL(url).origin} was not sent: its header ${field} names another address`,
    )
}

export type Allowed = Readonly<Record<Environment, readonly Effect[]>>

/** The allowed effects in the judged environment, and in the other one. */
export const allowedIn = (
  { environment }: Pick<Profile, 'environment'>,
  here: readonly Effect[],
  there: readonly Effect[] = [],
): Allowed => {
  const isSandbox = environment === 'sandbox'
  return { sandbox: isSandbox ? here : there, production: isSandbox ? there : here }
}

/** For a server that has one environment only, such as those of the tests and of the benchmark. */
export const permitsAnywhere =
  (effects: readonly Effect[]): Permits =>
  () => ({ kind: 'allowed', effects })

/**
 * Decides by the address of a request, in every interpretation. No request that is meant for the sandbox is sent to
 * production, whether its address is from a profile, a redirect, a form or a link.
 */
export const permitsFor = (profile: Profile, baseUrl: string, allowed: Allowed): Permits => {
  const placeAt = placesBelow(profile, baseUrl)
  return (request) => {
    const meant = request.environment ?? profile.environment
    const place = placeAt(request.url)
    const environment = place?.environment ?? meant
    const mayBelongToProduction = place?.environment === 'production' && meant === 'sandbox'
    if (
      mayBelongToProduction &&
      !(isSharedPage(request, place) && allowed.production.includes(OPERATIONS[request.operation].effect))
    )
      return { kind: 'misdirected', because: describeMisdirection(request, place) }
    return { kind: 'allowed', environment, effects: allowed[environment] }
  }
}

/**
 * Whether the address is below an operation of production without a base path, where the bank may
 * have the pages of all environments. The effects of production are allowed there.
 */
const isSharedPage = ({ sender }: HttpRequest, { isShared }: Place): boolean =>
  sender === 'customer' && isShared === true

const describeMisdirection = ({ method, url }: HttpRequest, { claim }: Place): string => {
  const { origin, pathname } = new URL(url)
  const owner =
    claim === undefined
      ? 'is encoded so often that it could be one of production'
      : `could be one of production, ${claim.value} (${claim.keys.join(' with ') || 'the interface, Versioning, 2'})`
  return `${method} ${origin}${pathname} was not sent: it is meant for the sandbox, and its address ${owner}; look at what leads there: the profile, or a redirect, form or link of the bank`
}

/** How many requests a run may still send. */
export interface Budget {
  /** Counts one request. @throws NotReached if none is left: then nothing is sent. */
  spend(operation: Operation): void
}

export interface Limits {
  readonly requests?: number | undefined
  readonly perOperation: Readonly<Partial<Record<Operation, number>>>
}

export type Spent = ReadonlyMap<string, number>

const sum = (spent: Spent): number => [...spent.values()].reduce((total, count) => total + count, 0)

/** @param before the requests that were already sent, by operation. */
export const createBudget = ({ requests, perOperation }: Limits, before: Spent = new Map()): Budget => {
  const spent = new Map(before)
  let all = sum(before)
  return {
    spend(operation) {
      const own = spent.get(operation) ?? 0
      const most = perOperation[operation]
      if (requests !== undefined && all >= requests)
        throw new NotReached(
          `not sent: the budget of ${requests} requests is used up (--budget, or \`budget.requests\` of the profile)`,
        )
      if (most !== undefined && own >= most)
        throw new NotReached(
          `not sent: the budget of ${most} requests of the operation ${operation} is used up (\`budget.perOperation\` of the profile)`,
        )
      all += 1
      spent.set(operation, own + 1)
    },
  }
}

export interface Spending {
  /** The remaining number of requests; unlimited by default. */
  readonly budget?: Budget
}

/** Counts each request that is sent. */
export const budgeted =
  ({ budget }: Spending): Layer =>
  async (sending, next) => {
    budget?.spend(sending.request.operation)
    return next(sending)
  }
