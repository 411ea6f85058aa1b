import { expect, test } from 'vitest'
import { referenceProfile } from '../connection/reference-bank/reference-profile.ts'
import { profileSchema } from './schema.ts'
import { inTurn, turnOf, type Wanted } from './turn.ts'

const profile = profileSchema.parse(referenceProfile())
const FREE = { application: false, customer: false, redirectUri: false }
const SCENARIOS = Array.from({ length: 40 }, (_, at) => `scenario ${at}`)

const turns = (kind: Wanted['kind'], isFixed: Wanted['isFixed'] = FREE, known = profile) =>
  SCENARIOS.map((of) => turnOf(known, { of, kind, isFixed }))

const different = (values: readonly (string | undefined)[]) => [...new Set(values)].sort()

test('over several scenarios each application of the kind, each customer and each delivery has its turn', () => {
  const drawn = turns('TPP')
  const names = profile.applications.filter(({ kind }) => kind === 'TPP').map(({ name }) => name)
  expect(different(drawn.map(({ application }) => application))).toEqual(different(names))
  expect(different(drawn.map(({ customer }) => customer))).toEqual(
    different(profile.customers.map(({ name }) => name)),
  )
  expect(different(drawn.map(({ redirectUri }) => redirectUri)).length).toBeGreaterThan(2)
})

test('what has its turn with one kind has it not with the other', () => {
  const [first] = profile.customers
  const deliveryOf = (uri: string | undefined) =>
    profile.applications.flatMap(({ redirectUris }) => redirectUris).find((one) => one.uri === uri)?.delivery
  for (const [at, ofFac] of turns('FAC').entries()) {
    const ofTpp = turns('TPP')[at]
    expect([ofFac, ofTpp].filter((one) => one?.customer === first?.name)).toHaveLength(1)
    expect(deliveryOf(ofFac.redirectUri)).not.toBe(deliveryOf(ofTpp?.redirectUri))
  }
})

test('a scenario has the same turn each time', () => {
  expect(turns('FAC')).toEqual(turns('FAC'))
})

test('what a scenario depends on stays as the profile names it first', () => {
  const [first] = profile.applications
  for (const turn of turns('FAC', { application: true, customer: true, redirectUri: true }))
    expect(turn).toEqual({ application: first?.name })
})

test('an application of which the plan has assumed other things has no turn', () => {
  const [first, second, ...others] = profile.applications
  const applications = [
    first,
    second && { ...second, redirectUris: second.redirectUris.slice(0, 1) },
    ...others,
  ]
  const known = { ...profile, applications: applications.filter((one) => one !== undefined) }
  expect(different(turns('FAC', FREE, known).map(({ application }) => application))).toEqual([first?.name])
})

test('a customer without an account has no turn, and a person is asked for the usual ones', () => {
  const [first, ...others] = profile.customers
  const customers = [...(first ? [first] : []), ...others.map((one) => ({ ...one, hasAccounts: false }))]
  for (const { customer } of turns('TPP', FREE, { ...profile, customers })) expect(customer).toBe(first?.name)
  const authorization = { kind: 'person', most: 9 } as never
  expect(turns('TPP', FREE, { ...profile, authorization })).toEqual(SCENARIOS.map(() => ({})))
})

test('those whose turn it is come first, and nobody is lost', () => {
  const application = profile.applications.at(-1)?.name ?? ''
  const customer = profile.customers.at(-1)?.name ?? ''
  const redirectUri = profile.applications.at(-1)?.redirectUris.at(-1)?.uri ?? ''
  const turned = inTurn(profile, { application, customer, redirectUri })
  expect(turned.applications[0]?.name).toBe(application)
  expect(turned.applications[0]?.redirectUris[0]?.uri).toBe(redirectUri)
  expect(turned.customers[0]?.name).toBe(customer)
  expect(turned.applications.map(({ name }) => name).sort()).toEqual(
    profile.applications.map(({ name }) => name).sort(),
  )
  expect(inTurn(profile)).toEqual(profile)
})
