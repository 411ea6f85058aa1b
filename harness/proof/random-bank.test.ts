import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { conflictOf } from '../bank/composition/conflicts.ts'
import { freedoms } from '../bank/composition/freedoms.ts'
import { variations } from '../bank/variations/index.ts'
import { profileSchema } from '../profile/schema.ts'
import { omissions } from '../connection/reference-bank/omissions.ts'
import { dialectProfile, referenceProfile } from '../connection/reference-bank/reference-profile.ts'
import { changesOf, partsOf, randomBank, tryRandomBank, type RandomBank } from './random-bank.ts'

const bankOf = async (seed: number): Promise<RandomBank | undefined> => {
  let composed: RandomBank | undefined
  await tryRandomBank(seed, async (bank) => {
    composed = bank
    return true
  })
  return composed
}

test('the same seed composes the same bank, and another seed another one', async () => {
  expect(await bankOf(7)).toEqual(await bankOf(7))
  expect(await bankOf(8)).not.toEqual(await bankOf(7))
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

test('fifty banks combine many variations, and most variations are in one of them', () => {
  const banks = fc.sample(randomBank, { numRuns: 50, seed: 42 })
  const sizes = banks.map(({ choices }) => choices.length)
  expect(Math.max(...sizes)).toBeGreaterThan(80)
  const used = new Set(banks.flatMap(({ choices }) => choices.map(({ id }) => id)))
  expect(used.size).toBeGreaterThan((variations.length + freedoms.length) * 0.8)
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
  const seeds = Array.from({ length: 80 }, (_, seed) => seed)
  const found = await Promise.all(
    seeds.map(async (seed) => ({ seed, smallest: await tryRandomBank(seed, raisesNone) })),
  )
  const alarmed = found.find(({ smallest }) => smallest !== undefined)
  if (alarmed?.smallest === undefined) throw new Error('no bank has both variations')
  expect([...partsOf(alarmed.smallest.bank)].sort()).toEqual([
    'a-precalculation-offers-one-loan',
    'json-is-indented-with-a-line-break-before-and-after',
  ])
  const again = await tryRandomBank(alarmed.seed, raisesNone, alarmed.smallest.path)
  expect(again?.bank).toEqual(alarmed.smallest.bank)
})
