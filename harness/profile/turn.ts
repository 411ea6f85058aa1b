import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isAuthorizing } from './schema/authorization.ts'
import type { ApplicationProfile, Profile } from './schema.ts'

/**
 * Who acts in a scenario, where several could: a scenario that needs "an application", "a customer" or "a redirect URI"
 * gets another one than the next scenario. So that a fault of the second customer, or of codes on the result screen, is
 * seen by the scenarios that exist, and none has to be written for it.
 */

/** The names of those whose turn it is; they come first in the profile that the scenario sees. */
export interface Turn {
  readonly application?: string
  readonly customer?: string
  readonly redirectUri?: string
}

/** What a scenario needs of those who act. */
export interface Wanted {
  /** What is the same in each run: the scenario and the seed. */
  readonly of: string
  readonly kind: ApplicationProfile['kind'] | undefined
  /** Whether it depends on the application, the customer or the redirect URI that the profile names first. */
  readonly isFixed: Readonly<Record<keyof Turn, boolean>>
}

/** A whole number that looks drawn, and is the same for the same text. */
export const drawnFrom = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE()

const take = <T>(all: readonly T[], drawn: number): T | undefined => all[drawn % Math.max(1, all.length)]

/** What the plan has assumed of an application: where it exists, and how codes are delivered to it. */
const abilitiesOf = ({ environments, redirectUris }: ApplicationProfile): unknown => [
  Object.keys(environments ?? {}).sort(),
  [...new Set(redirectUris.map(({ delivery }) => delivery))].sort(),
]

/** Draws whose turn it is. A person is asked for the same customers and applications as ever. */
export const turnOf = (profile: Profile, { of, kind, isFixed }: Wanted): Turn => {
  if (!isAuthorizing(profile.authorization) || profile.authorization.kind === 'person') return {}
  const acting = profile.applications.filter((one) => kind === undefined || one.kind === kind)
  const [first] = acting
  if (first === undefined) return {}
  const alike = acting.filter((one) => isDeepStrictEqual(abilitiesOf(one), abilitiesOf(first)))
  const application = isFixed.application ? first : (take(alike, drawnFrom(`application ${of}`)) ?? first)
  // A scenario that runs once for each kind sees a customer and a delivery with the one, and others with the other.
  const next = application.kind === 'TPP' ? 1 : 0
  const [usual, ...others] = profile.customers.filter(({ hasAccounts }) => hasAccounts !== false)
  const whose = drawnFrom(`customer ${of}`)
  const customer = (whose + next) % 2 === 0 ? usual : (take(others, whose >>> 1) ?? usual)
  const { redirectUris } = application
  const deliveries = [...new Set(redirectUris.map(({ delivery }) => delivery))]
  const delivery = take(deliveries, drawnFrom(`delivery ${of}`) + next)
  const redirectUri = isFixed.redirectUri ? undefined : redirectUris.find((one) => one.delivery === delivery)
  return {
    application: application.name,
    ...(customer && !isFixed.customer && { customer: customer.name }),
    ...(redirectUri && { redirectUri: redirectUri.uri }),
  }
}

const firstOf = <T>(all: readonly T[], isFirst: (one: T) => boolean): T[] => [
  ...all.filter(isFirst),
  ...all.filter((one) => !isFirst(one)),
]

/** The profile in which those come first whose turn it is. */
export const inTurn = (profile: Profile, { application, customer, redirectUri }: Turn = {}): Profile => ({
  ...profile,
  applications: firstOf(profile.applications, ({ name }) => name === application).map((one) => ({
    ...one,
    redirectUris: firstOf(one.redirectUris, ({ uri }) => one.name === application && uri === redirectUri),
  })),
  customers: firstOf(profile.customers, ({ name }) => name === customer),
})
