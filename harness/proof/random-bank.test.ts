import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { conflictOf } from '../bank/composition/conflicts.ts'
import { freedoms } from '../bank/composition/freedoms.ts'
import { variations } from '../bank/variations/index.ts'
import { profileSchema } from '../profile/schema.ts'
import { omissions } from '../connection/reference-bank/omissions.ts'
import { dialectProfile, referenceProfile } from '../connection/reference-bank/reference-profile.ts'
import { bankOf, changesOf, partsOf, randomBank, tryRandomBank, type RandomBank } from './random-bank.ts'
import { bankTasks, loadVariations } from './selection.ts'

test('the same seed composes the bank that is tried, and another seed another one', async () => {
  const tried: RandomBank[] = []
  await tryRandomBank(7, async (bank) => tried.push(bank) > 0)
  expect(tried).toEqual([bankOf(7)])
  expect(bankOf(8)).not.toEqual(bankOf(7))
})

test('16 banks, as many as a full verification has, have nearly all variations', () => {
  const wanted = { only: [], id: [], seed: 42, runs: 1 }
  const had = new Set(bankTasks(wanted, 16).flatMap(({ seed }) => bankOf(seed).choices.map(({ id }) => id)))
  const known = [...loadVariations(), ...freedoms].map(({ id }) => id)
  expect([...had].filter((id) => !known.includes(id))).toEqual([])
  expect(known.filter((id) => !had.has(id)).length).toBeLessThan(40)
})

test('no two variations of a bank conflict', () => {
  const known = new Map(variations.map((variation) => [variation.id, variation]))
  const ofFreedom = new Map(freedoms.map((freedom) => [freedom.id, freedom]))
  for (const { choices } of fc.sample(randomBank, { numRuns: 20, seed: 42 })) {
    const parts = choices.map(
      ({ id, value }) => known.get(id) ?? { id, ...ofFreedom.get(id)?.vary(value ?? 0) },
    )
    const conflicts = parts.flatMap((one, at) =>
      parts.slice(at + 1).filter((other) => conflictOf(one, other) !== undefined),
    )
    expect(conflicts).toEqual([])
  }
})

test('fifty banks combine many variations', () => {
  const sizes = fc.sample(randomBank, { numRuns: 50, seed: 42 }).map(({ choices }) => choices.length)
  expect(Math.max(...sizes)).toBeGreaterThan(80)
})

test('fifty banks leave out each omission once, three at most, and never both kinds of application', () => {
  const banks = fc.sample(randomBank, { numRuns: 50, seed: 42 })
  expect(new Set(banks.flatMap(({ without }) => without))).toEqual(new Set(omissions.map(({ id }) => id)))
  expect(Math.max(...banks.map(({ without }) => without.length))).toBe(3)
  expect(
    banks.filter(
      ({ without }) => without.includes('third-parties-alone') && without.includes('own-data-alone'),
    ),
  ).toEqual([])
})

const whole = { dialect: undefined, choices: [] }

test.each(omissions)('$id leaves something out of the profile of each dialect', ({ id }) => {
  for (const dialect of [undefined, 'generated-1', 'generated-2', 'generated-7']) {
    const own = dialect === undefined ? referenceProfile() : dialectProfile(dialect)
    const { profile } = changesOf('a bank', { ...whole, dialect, without: [id] })
    expect(profileSchema.parse({ ...own, ...profile })).not.toEqual(profileSchema.parse(own))
  }
})

test('what a bank lacks is answered with 404', async () => {
  const { variation } = changesOf('a bank', { ...whole, without: ['no-loans'] })
  const answer = variation.wire?.(async () => new Response('bank'))
  const statusAt = async (path: string) => (await answer?.(new Request(`http://bank.example${path}`)))?.status
  expect(await statusAt('/paylater/sandbox/api/v1/loans')).toBe(404)
  expect(await statusAt('/premium/sandbox/v1/accounts')).toBe(200)
})

test('a bank that raises an alarm is shrunk to the parts that raise it, and its path leads back to them', async () => {
  const has = ({ choices }: RandomBank, id: string): boolean => choices.some((choice) => choice.id === id)
  const raisesNone = async (bank: RandomBank): Promise<boolean> =>
    !(
      has(bank, 'json-is-indented-with-a-line-break-before-and-after') &&
      has(bank, 'a-precalculation-offers-one-loan')
    )
  let seed = 0
  let smallest = await tryRandomBank(seed, raisesNone)
  while (smallest === undefined) smallest = await tryRandomBank((seed += 1), raisesNone)
  expect([...partsOf(smallest.bank)].sort()).toEqual([
    'a-precalculation-offers-one-loan',
    'json-is-indented-with-a-line-break-before-and-after',
  ])
  const again = await tryRandomBank(seed, raisesNone, smallest.path)
  expect(again?.bank).toEqual(smallest.bank)
})
