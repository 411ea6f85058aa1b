import { expect, test } from 'vitest'
import { sampleProfile } from '../../testing/samples/profile.ts'
import { profileSchema, type ProfileInput } from '../../profile/schema.ts'
import { hasVisibleFault } from './visible-fault.ts'
import type { ReasonCode } from '../../profile/schema/payments.ts'

const NOW = new Date('2026-01-05T09:00:00Z')
const BATCH = {
  name: 'batch',
  path: '/payments/batch/sba',
  body: { transfers: [{ sum: '{amount}' }], controlSum: '{amount}' },
}
const DATED = { name: 'dated', path: '/payments/dated/sba', body: { sum: '{amount}', due: '{date}' } }

type Payments = NonNullable<ProfileInput['payments']>

const VALUES = {
  amount: 0.01,
  amountText: '0.01',
  date: '2026-01-07',
  yesterday: '2026-01-04',
  currency: 'EUR',
  debtorIban: 'SK2998010000002600001129',
  creditorIban: 'SK1198010000004000007788',
  creditorName: 'Ján',
}

const hasFault = (code: ReasonCode, order: NonNullable<Payments['provocations']>[ReasonCode]): boolean => {
  const payments: Payments = {
    debtor: { name: 'Anna', iban: 'SK2998010000002600001129' },
    creditor: { name: 'Ján', iban: 'SK1198010000004000007788' },
    initiations: [{ name: 'ecomm', path: '/payments/ecomm/sba' }, BATCH, DATED],
    provocations: { [code]: order },
  }
  const profile = profileSchema.parse({ ...sampleProfile(), payments }).payments
  if (profile === undefined) throw new Error('the profile has payments')
  const [provocation] = profile.provocations[code] ?? []
  if (provocation === undefined) throw new Error(`the profile provokes ${code}`)
  return hasVisibleFault(profile, code, provocation, { now: NOW, values: VALUES })
}

test.each<[ReasonCode, string, NonNullable<Payments['provocations']>[ReasonCode]]>([
  ['AC01', 'wrong check digits', { change: { creditor: { iban: 'SK9998010000005100001118' } } }],
  ['AC01', 'no IBAN', { change: { debtor: { iban: '123' } } }],
  ['AM03', 'no currency', { change: { instructedAmount: { currency: 'ABC' } } }],
  ['AM05', 'one message twice', { twice: true }],
  ['AM10', 'another control sum', { method: 'batch', change: { controlSum: 99.99 } }],
  ['DT01', 'a date in the past', { method: 'dated', change: { due: '2020-01-03' } }],
  ['DT01', 'no date of the calendar', { method: 'dated', change: { due: '2026-13-40' } }],
  ['DT01', 'a day that its month does not have', { method: 'dated', change: { due: '2026-02-31' } }],
  ['RR03', 'a blank name', { change: { creditor: { name: ' ' } } }],
  ['RR03', 'no name', { change: { creditor: { name: null } } }],
])('%s is visible: %s', (code, _, order) => {
  expect(hasFault(code, order)).toBe(true)
})

test.each<[ReasonCode, string, NonNullable<Payments['provocations']>[ReasonCode]]>([
  [
    'AC01',
    'an IBAN with correct check digits',
    { change: { creditor: { iban: 'SK6898010000005100001118' } } },
  ],
  ['AC01', 'a member that the valid order does not have', { change: { other: { iban: 'SK99' } } }],
  ['AM03', 'a currency that other banks process', { change: { instructedAmount: { currency: 'USD' } } }],
  ['AM05', 'a message that is sent once', {}],
  ['AM10', 'all amounts changed', { method: 'batch', change: { transfers: [{ sum: 2 }], controlSum: 2 } }],
  ['AM10', 'one amount only', { change: { instructedAmount: { value: 2 } } }],
  ['AC01', 'the account of the debtor', { change: { creditor: { iban: '{debtorIban}' } } }],
  ['AM05', 'a repeated id', { change: { instructionIdentification: '{earlierInstructionIdentification}' } }],
  ['AM10', 'the same amount as a text', { method: 'batch', change: { controlSum: '{amountText}' } }],
  ['DT01', 'yesterday, as a placeholder', { method: 'dated', change: { due: '{yesterday}' } }],
  ['DT01', 'no date', { method: 'dated', change: { due: null } }],
  ['DT01', 'yesterday', { method: 'dated', change: { due: '2026-01-04' } }],
  ['RR03', 'another name', { change: { creditor: { name: 'Eva' } } }],
  ['AM04', 'funds that only the bank knows', { change: { instructedAmount: { value: 1_000_000 } } }],
  [
    'AG01',
    'an account that only the bank knows',
    { change: { debtor: { iban: 'SK6898010000005100001118' } } },
  ],
])('%s is not visible: %s', (code, _, order) => {
  expect(hasFault(code, order)).toBe(false)
})
