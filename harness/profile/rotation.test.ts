import { expect, test } from 'vitest'
import { referenceProfile } from '../connection/reference-bank/reference-profile.ts'
import { profileSchema } from './schema.ts'
import { rotated, rotationOf, type Wanted } from './rotation.ts'

const profile = profileSchema.parse(referenceProfile())
const FREE = { application: false, customer: false, redirectUri: false }
const SCENARIOS = Array.from({ length: 40 }, (_, at) => `scenario ${at}`)

const rotations = (kind: Wanted['kind'], isFixed: Wanted['isFixed'] = FREE, known = profile) =>
  SCENARIOS.map((of) =>
    rotationOf(known, { of, kind, isFixed, canAct: ({ hasAccounts }) => hasAccounts !== false }),
  )

const different = (values: readonly (string | undefined)[]) => new Set(values)

test('over several scenarios each application of the kind, each customer and each delivery is used', () => {
  const drawn = rotations('TPP')
  const names = profile.applications.filter(({ kind }) => kind === 'TPP').map(({ name }) => name)
  expect(different(drawn.map(({ application }) => application))).toEqual(different(names))
  expect(different(drawn.map(({ customer }) => customer))).toEqual(
    different(profile.customers.map(({ name }) => name)),
  )
  expect(different(drawn.map(({ redirectUri }) => redirectUri)).size).toBeGreaterThan(2)
})

test('a FAC and a TPP use different customers and deliveries', () => {
  const [first] = profile.customers
  const deliveryOf = (uri: string | undefined) =>
    profile.applications.flatMap(({ redirectUris }) => redirectUris).find((one) => one.uri === uri)?.delivery
  for (const [at, ofFac] of rotations('FAC').entries()) {
    const ofTpp = rotations('TPP')[at]
    expect([ofFac, ofTpp].filter((one) => one?.customer === first?.name)).toHaveLength(1)
    expect(deliveryOf(ofFac.redirectUri)).not.toBe(deliveryOf(ofTpp?.redirectUri))
  }
})

test('a scenario uses the same ones each time', () => {
  expect(rotations('FAC')).toEqual(rotations('FAC'))
})

test('what a scenario depends on stays as the profile names it first', () => {
  const [first] = profile.applications
  for (const rotation of rotations('FAC', { application: true, customer: true, redirectUri: true }))
    expect(rotation).toEqual({ application: first?.name })
})

test('an application with other deliveries than the first is not used', () => {
  const [first, second, ...others] = profile.applications
  const applications = [
    first,
    second && { ...second, redirectUris: second.redirectUris.slice(0, 1) },
    ...others,
  ]
  const known = { ...profile, applications: applications.filter((one) => one !== undefined) }
  expect(different(rotations('FAC', FREE, known).map(({ application }) => application))).toEqual(
    different([first?.name]),
  )
})

test('payments and loans use each of the applications that the profile lists for them, and no other one', () => {
  const [, second, , fourth] = profile.applications.map(({ name }) => name)
  const listed = [fourth, second].filter((name) => name !== undefined)
  const payments = profile.payments && { ...profile.payments, applications: listed }
  const known = { ...profile, payments }
  const wanted = { kind: undefined, isFixed: FREE, canAct: () => true, parts: ['payments'] } as const
  const drawn = SCENARIOS.map((of) => rotationOf(known, { ...wanted, of }).application)
  expect(different(drawn)).toEqual(different(listed))
  for (const application of listed)
    expect(rotated(known, { application }).payments?.applications?.[0]).toBe(application)
  const unlisted = { ...profile, payments: payments && { ...payments, applications: undefined } }
  for (const of of SCENARIOS)
    expect(rotationOf(unlisted, { ...wanted, of }).application).toBe(profile.applications[0]?.name)
})

test('a customer without an account is not used, and nothing is rotated where a person authorizes', () => {
  const [first, ...others] = profile.customers
  const customers = [...(first ? [first] : []), ...others.map((one) => ({ ...one, hasAccounts: false }))]
  for (const { customer } of rotations('TPP', FREE, { ...profile, customers }))
    expect(customer).toBe(first?.name)
  const authorization = { kind: 'person', most: 9 } as never
  expect(rotations('TPP', FREE, { ...profile, authorization })).toEqual(SCENARIOS.map(() => ({})))
})

test('those of the rotation come first, and all others follow', () => {
  const application = profile.applications.at(-1)?.name ?? ''
  const customer = profile.customers.at(-1)?.name ?? ''
  const redirectUri = profile.applications.at(-1)?.redirectUris.at(-1)?.uri ?? ''
  const changed = rotated(profile, { application, customer, redirectUri })
  expect(changed.applications[0]?.name).toBe(application)
  expect(changed.applications[0]?.redirectUris[0]?.uri).toBe(redirectUri)
  expect(changed.customers[0]?.name).toBe(customer)
  expect(changed.applications.map(({ name }) => name).sort()).toEqual(
    profile.applications.map(({ name }) => name).sort(),
  )
  expect(rotated(profile)).toEqual(profile)
})

test('the second customer is the first of the others who has accounts', () => {
  const [first, second, third] = profile.customers
  if (first === undefined || second === undefined || third === undefined) throw new Error('three customers')
  const order = (changes: object) =>
    rotated({ ...profile, customers: [first, { ...second, ...changes }, third] }).customers[1]?.name
  expect(order({})).toBe(second.name)
  expect(order({ hasAccounts: false })).toBe(third.name)
  expect(order({ accounts: [] })).toBe(third.name)
})
