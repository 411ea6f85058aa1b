import { expect, test } from 'vitest'
import { crossCheck } from '../cross-checks.ts'
import { describeIssues } from '../messages.ts'
import { sampleProfile, parsedProfile } from '../../testing/samples/profile.ts'
import { profileSchema } from '../schema.ts'
import { provocationsOf } from './payments.ts'
import type { ProfileInput } from '../schema.ts'

type PaymentsInput = NonNullable<ProfileInput['payments']>

const PARTIES = {
  debtor: { name: 'Anna', iban: 'SK2998010000002600001129' },
  creditor: { name: 'Ján', iban: 'SK1198010000004000007788' },
}

const checked = (payments: Partial<PaymentsInput>) =>
  crossCheck(parsedProfile({ payments: { ...PARTIES, ...payments } }))

const problemsOf = (payments: Partial<PaymentsInput>): string => checked(payments).problems.join('\n')

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

test('a code is provoked in one way or in several, each with its key', () => {
  const wrong = { change: { creditor: { iban: 'SK99' } } }
  const { payments } = parsedProfile({
    payments: { ...PARTIES, provocations: { AC01: [wrong, { change: { x: 1 } }], AM05: { twice: true } } },
  })
  if (payments === undefined) throw new Error('the profile has payments')
  expect(provocationsOf(payments, 'AC01').map(({ key, order }) => [key, order.change])).toEqual([
    ['payments.provocations.AC01.0', wrong.change],
    ['payments.provocations.AC01.1', { x: 1 }],
  ])
  expect(provocationsOf(payments, 'AM05')).toMatchObject([
    { key: 'payments.provocations.AM05', order: { twice: true } },
  ])
  expect(provocationsOf(payments, 'AC04')).toEqual([])
})

test('a mistake in a list of provocations is reported with its place', () => {
  const linesOf = (AC01: unknown): readonly string[] => {
    const input = { ...sampleProfile(), payments: { ...PARTIES, provocations: { AC01 } } }
    return describeIssues(profileSchema.safeParse(input).error?.issues ?? [], input)
  }
  expect(linesOf([{}, { chnage: {} }])).toEqual([
    'unknown key `payments.provocations.AC01.1.chnage`; did you mean `change`?',
  ])
  expect(linesOf({ twise: true })).toEqual([
    'unknown key `payments.provocations.AC01.twise`; did you mean `twice`?',
  ])
  expect(linesOf([{ at: '9' }])).toEqual([
    '`payments.provocations.AC01.0.at`: a time of day is written HH:MM, by `timeZone`; received "9"',
  ])
  expect(linesOf({ twice: 'yes' })).toEqual([
    '`payments.provocations.AC01.twice`: expected true or false; received "yes"',
  ])
  expect(linesOf([])).toEqual(['`payments.provocations.AC01` is empty'])
})

test('only a provocation repeats values of an earlier order', () => {
  const orders = { AM05: { change: { instructionIdentification: '{earlierInstructionIdentification}' } } }
  expect(problemsOf({ provocations: orders })).toBe('')
  expect(problemsOf({ rejectedAtSubmission: orders })).toContain(
    '`payments.rejectedAtSubmission.AM05.change.instructionIdentification` has the unknown placeholder {earlierInstructionIdentification}',
  )
})

test('several orders that are rejected at their submission have keys of their own', () => {
  const orders = { TM01: [{ at: '21:00' }, { change: { note: '{amnt}' } }] }
  expect(problemsOf({ rejectedAtSubmission: orders })).toBe(
    '`payments.rejectedAtSubmission.TM01.1.change.note` has the unknown placeholder {amnt}; did you mean {amount}?',
  )
  expect(checked({ rejectedAtSubmission: orders }).warnings.join()).toContain(
    '`payments.rejectedAtSubmission.TM01.0.at` needs a clock that can be moved',
  )
})

test('a provocation names an initiation method that is there', () => {
  expect(problemsOf({ provocations: { DT01: { method: 'standart' } } })).toContain(
    '`payments.provocations.DT01.method` names "standart", which `payments.initiations` does not have; did you mean "standard"?',
  )
})

test('the applications that initiate are some of the profile', () => {
  expect(problemsOf({ applications: ['shopp'] })).toContain('`payments.applications.0` names "shopp"')
})

test('a time of day without hours is warned of', () => {
  const provocations = { TM01: { at: '21:00' } }
  const warnings = (payments: Partial<PaymentsInput>): string => checked(payments).warnings.join('\n')
  expect(warnings({ provocations })).toContain('`payments.hours` is left out')
  expect(warnings({ provocations, hours: { from: '06:00', to: '16:00' } })).not.toContain('payments.hours')
})
