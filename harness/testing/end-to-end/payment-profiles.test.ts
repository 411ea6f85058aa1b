import { expect, test } from 'vitest'
import { PAYMENT_ACCOUNTS } from '../../bank/seed-data.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { runTrial } from '../../proof/trial.ts'
import { inventedIban } from '../../session/index.ts'
import { chance } from '../../session/random.ts'
import { referenceProfile } from '../../target/reference-bank/reference-profile.ts'
import type { CheckResult } from '../../check/result.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** A missing or wrong key in the payments part of a profile gives neither a failure nor a pass. */

type Payments = NonNullable<ProfileInput['payments']>

const catalogue = await loadCatalogue()
const { payments: reference } = referenceProfile()
if (reference === undefined) throw new Error('the profile of the reference bank has payments')

const judged = (changes: Partial<Payments>): Promise<readonly CheckResult[]> =>
  runTrial(catalogue, () => ({}), {
    profile: { payments: { ...reference, ...changes } },
    only: ['payments'],
    socket: false,
    seed: 42,
    runsOf: () => 2,
  })

const failures = (results: readonly CheckResult[]): readonly string[] =>
  results
    .filter(({ violation }) => violation !== undefined)
    .map(({ id, because }) => `${id} ${because ?? ''}`)

const ofThese = (results: readonly CheckResult[], ids: readonly string[]): readonly CheckResult[] =>
  results.filter(({ requirement }) => ids.includes(requirement))

const REJECTED = ['PAY-34', 'PAY-35', 'PAY-36', 'PAY-37', 'PAY-38', 'PAY-40'] as const

test('without provocations no statement about a rejected payment is judged', async () => {
  const results = await judged({ provocations: {}, rejectedAtSubmission: {} })
  expect(ofThese(results, REJECTED)).toEqual([])
  expect(failures(results)).toEqual([])
})

const { debtor, poor, savings, creditor } = PAYMENT_ACCOUNTS
// A valid IBAN that no account has.
const UNKNOWN = { ...debtor, iban: inventedIban(chance, creditor.iban) }

test.each([
  ['AG01', 'payments.debtor', savings],
  ['AM04', 'payments.debtor', poor],
  ['AC01', 'payments.debtor', UNKNOWN],
])('a debtor that the bank rejects with %s is reported with %s', async (code, key, account) => {
  const results = await judged({ debtor: account })
  expect(failures(results)).toEqual([])
  const [valid] = ofThese(results, ['PAY-08'])
  expect(valid).toMatchObject({ verdict: 'not-reached' })
  expect(valid?.because).toContain(`with ${code} ("`)
  expect(valid?.because).toContain(key)
  // Checks that need an accepted payment are not reached either.
  const dependent = ofThese(results, ['PAY-23', 'PAY-24', 'PAY-29', 'PAY-30', 'PAY-60', 'PAY-63', 'PAY-68'])
  expect(new Set(dependent.map(({ verdict }) => verdict))).toEqual(new Set(['not-reached']))
  for (const { because } of dependent) expect(because).toContain(`with ${code} ("`)
})

const SUFFICIENT = { change: { instructedAmount: { value: 1 } } }
const LAWFUL_BATCH = { method: 'batch', change: { memo: 'none' } }

test.each([
  ['AG01', 'PAY-43', { change: { debtor } }],
  ['AM04', 'PAY-45', SUFFICIENT],
  ['AM10', 'PAY-48', LAWFUL_BATCH],
  ['TM01', 'PAY-53', { at: '12:00' }],
])('an order that does not cause %s is reported with its key', async (code, id, order) => {
  const results = await judged({ provocations: { ...reference.provocations, [code]: order } })
  expect(failures(results)).toEqual([])
  const [own] = ofThese(results, [id])
  expect(own).toMatchObject({ verdict: 'not-reached' })
  expect(own?.because).toMatch(new RegExp(`accepted .* look at payments\\.provocations\\.${code}$`))
})

test.each([
  ['AM04', SUFFICIENT],
  ['TM01', { at: '12:00' }],
])('an order that its submission does not reject with %s is reported with its key', async (code, order) => {
  const results = await judged({ rejectedAtSubmission: { [code]: order } })
  expect(failures(results)).toEqual([])
  const [own] = ofThese(results, ['PAY-25'])
  expect(own).toMatchObject({ verdict: 'not-reached' })
  expect(own?.because).toContain(`look at payments.rejectedAtSubmission.${code}`)
})
