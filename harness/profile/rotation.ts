import { createHash } from 'node:crypto'
import { isAuthorizing } from './schema/authorization.ts'
import type { ApplicationProfile, CustomerProfile, Profile } from './schema.ts'

/**
 * Which application, customer, redirect URI and amount of a loan a scenario uses, if the profile has several. Scenarios use different ones, so
 * that a fault of the second customer, or of codes on the result screen, is found without a scenario of its own.
 */

/** Those that come first in the profile of a scenario. */
export interface Rotation {
  readonly application?: string
  readonly customer?: string
  readonly redirectUri?: string
  /** The number of the amount of its first loan, where an application names none. */
  readonly turn?: number
}

type ActingPart = 'payments' | 'loans'

/** The scenario for which they are drawn. */
export interface Wanted {
  /** The title of the scenario, and the seed. */
  readonly of: string
  readonly kind: ApplicationProfile['kind'] | undefined
  /** Whether it depends on the application, the customer or the redirect URI that the profile names first. */
  readonly isFixed: Readonly<Record<'application' | 'customer' | 'redirectUri', boolean>>
  /** The parts of the profile that it uses, for which the profile may list applications. */
  readonly parts?: readonly ActingPart[]
  /** Whether a customer can act in it. */
  readonly canAct: (customer: CustomerProfile) => boolean
}

/** A pseudo-random whole number, always the same for the same text. */
export const drawnFrom = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE()

/** Few, so that they can be read in a plan. */
const TURNS = 60

const take = <T>(all: readonly T[], drawn: number): T | undefined => all[drawn % Math.max(1, all.length)]

/** What the plan relies on: where an application exists, and how codes are delivered to it. */
const abilitiesOf = ({ environments, redirectUris }: ApplicationProfile): string =>
  JSON.stringify([
    Object.keys(environments ?? {}).sort(),
    [...new Set(redirectUris.map(({ delivery }) => delivery))].sort(),
  ])

/** Draws them. If a person authorizes, nothing is rotated: they may not know the passwords of several customers. */
export const rotationOf = (profile: Profile, { of, kind, isFixed, parts = [], canAct }: Wanted): Rotation => {
  if (!isAuthorizing(profile.authorization) || profile.authorization.kind === 'person') return {}
  const acting = profile.applications.filter((one) => kind === undefined || one.kind === kind)
  const [first] = acting
  if (first === undefined) return {}
  const alike = acting.filter(
    (one) =>
      abilitiesOf(one) === abilitiesOf(first) &&
      parts.every((part) => profile[part]?.applications?.includes(one.name)),
  )
  const application = isFixed.application ? first : (take(alike, drawnFrom(`application ${of}`)) ?? first)
  // A scenario that runs once for each kind uses one customer and delivery with a FAC, and others with a TPP.
  const next = application.kind === 'TPP' ? 1 : 0
  const [usual, ...others] = profile.customers.filter(canAct)
  const whose = drawnFrom(`customer ${of}`)
  const customer = (whose + next) % 2 === 0 ? usual : (take(others, whose >>> 1) ?? usual)
  const { redirectUris } = application
  const deliveries = [...new Set(redirectUris.map(({ delivery }) => delivery))]
  const delivery = take(deliveries, drawnFrom(`delivery ${of}`) + next)
  const redirectUri = isFixed.redirectUri ? undefined : redirectUris.find((one) => one.delivery === delivery)
  return {
    application: application.name,
    ...(parts.includes('loans') && { turn: drawnFrom(`turn ${of}`) % TURNS }),
    ...(customer && !isFixed.customer && { customer: customer.name }),
    ...(redirectUri && { redirectUri: redirectUri.uri }),
  }
}

const firstOf = <T>(all: readonly T[], isFirst: (one: T) => boolean): T[] => [
  ...all.filter(isFirst),
  ...all.filter((one) => !isFirst(one)),
]

/** What a customer makes testable as the other one: an account, the login. */
const usefulness = ({ accounts, hasAccounts }: CustomerProfile): number =>
  hasAccounts === false ? 0 : Math.min(accounts.length, 1) + 1

/** The first customer, and then the others: the second one is the one who makes the most testable. */
export const actingCustomers = ([first, ...others]: Profile['customers']): Profile['customers'] =>
  first === undefined ? [] : [first, ...others.toSorted((one, next) => usefulness(next) - usefulness(one))]

const actingFirst = <Part extends { readonly applications?: readonly string[] | undefined }>(
  part: Part,
  name: string | undefined,
): Part => ({ ...part, applications: part.applications && firstOf(part.applications, (one) => one === name) })

export const rotated = (
  profile: Profile,
  { application, customer, redirectUri }: Rotation = {},
): Profile => ({
  ...profile,
  payments: profile.payments && actingFirst(profile.payments, application),
  loans: profile.loans && actingFirst(profile.loans, application),
  applications: firstOf(profile.applications, ({ name }) => name === application).map((one) => ({
    ...one,
    redirectUris: firstOf(one.redirectUris, ({ uri }) => one.name === application && uri === redirectUri),
  })),
  customers: actingCustomers(firstOf(profile.customers, ({ name }) => name === customer)),
})
