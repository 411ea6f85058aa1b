import { expect, test } from 'vitest'
import { crossCheck } from '../cross-checks.ts'
import { sampleProfile } from '../sample.ts'
import { profileSchema } from '../schema.ts'
import type { ProfileInput } from '../schema.ts'

type PaymentsInput = NonNullable<ProfileInput['payments']>

const PARTIES = {
  debtor: { name: 'Anna', iban: 'SK2998010000002600001129' },
  creditor: { name: 'Ján', iban: 'SK1198010000004000007788' },
}

const checked = (payments: Partial<PaymentsInput>) =>
  crossCheck(profileSchema.parse({ ...sampleProfile(), payments: { ...PARTIES, ...payments } }))

const problemsOf = (payments: Partial<PaymentsInput>): string => checked(payments).problems.join('\n')

test('two parties are enough', () => {
  expect(checked({})).toMatchObject({ problems: [] })
})

test('a target without payments has no part for them', () => {
  expect(profileSchema.parse(sampleProfile()).payments).toBeUndefined()
})

test('the codes are the thirteen of the interface', () => {
  const read = profileSchema.safeParse({
    ...sampleProfile(),
    payments: { ...PARTIES, provocations: { AC02: {} } },
  })
  expect(read.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['AC02'] }])
})

test('a body passes the amount on', () => {
  const initiations: PaymentsInput['initiations'] = [{ name: 'ecomm', path: '/payments/ecomm/sba', body: {} }]
  const read = profileSchema.safeParse({ ...sampleProfile(), payments: { ...PARTIES, initiations } })
  expect(read.error?.issues[0]?.message).toBe('the body passes {amount} on')
})

test('a placeholder that nothing stands for is a mistake, in a body and in a provocation', () => {
  const body = { value: '{amount}', iban: '{creditorIbann}' }
  expect(problemsOf({ initiations: [{ name: 'ecomm', path: '/p', body }] })).toContain(
    '`payments.initiations.0.body.iban` has the unknown placeholder {creditorIbann}; did you mean {creditorIban}?',
  )
  expect(problemsOf({ provocations: { AM04: { change: { amount: '{ammount}' } } } })).toContain(
    '`payments.provocations.AM04.change.amount` has the unknown placeholder {ammount}',
  )
})

test('a provocation names an initiation method that is there', () => {
  expect(problemsOf({ provocations: { DT01: { method: 'standart' } } })).toContain(
    '`payments.provocations.DT01.method` names "standart", which `payments.initiations` does not have; did you mean "standard"?',
  )
})

test('the application that initiates is one of the profile', () => {
  expect(problemsOf({ application: 'shopp' })).toContain('`payments.application` names "shopp"')
})

test('a time of day without hours is warned of', () => {
  const provocations = { TM01: { at: '21:00' } }
  const warnings = (payments: Partial<PaymentsInput>): string => checked(payments).warnings.join('\n')
  expect(warnings({ provocations })).toContain('`payments.hours` is left out')
  expect(warnings({ provocations, hours: { from: '06:00', to: '16:00' } })).not.toContain('payments.hours')
})
