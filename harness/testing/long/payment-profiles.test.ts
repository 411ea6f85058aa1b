import { expect, test } from 'vitest'
import { PAYMENT_ACCOUNTS } from '../../bank/seed-data.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { runTrial } from '../../proof/trial.ts'
import { inventedIban } from '../../session/index.ts'
import { chance } from '../../session/random.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import type { CheckResult } from '../../check/result.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** A missing or wrong key in the payments part of a profile gives neither a failure nor a pass. */

type Payments = NonNullable<ProfileInput['payments']>

const catalogue = await loadCatalogue()
const { payments: reference } = referenceProfile()
if (reference === undefined) throw new Error('the profile of the reference bank has payments')

const judged = (
  changes: Partial<Payments>,
  guesses: readonly string[] = [],
): Promise<readonly CheckResult[]> =>
  runTrial(catalogue, () => ({}), {
    profile: { payments: { ...reference, ...changes }, guesses: [...guesses] },
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

test('with many methods no more wrong orders are sent than planned', async () => {
  const initiated: number[] = []
  const initiations = [1, 2, 3, 4].flatMap((copy) =>
    (reference.initiations ?? []).map((one) => ({ ...one, name: `${one.name}-${copy}` })),
  )
  await runTrial(catalogue, () => ({}), {
    profile: { payments: { ...reference, initiations, provocations: {}, rejectedAtSubmission: {} } },
    only: ['PAY-44'],
    socket: false,
    seed: 42,
    runsOf: () => 2,
    onExchanges: (_, exchanges) =>
      void initiated.push(exchanges.filter(({ operation }) => operation === 'initiatePayment').length),
  })
  expect(Math.max(...initiated)).toBe(50)
})

const REJECTED = ['PAY-34', 'PAY-35', 'PAY-36', 'PAY-37', 'PAY-38', 'PAY-40'] as const

test('without facts and provocations no statement about a rejected payment is judged', async () => {
  const results = await judged({ facts: {}, provocations: {}, rejectedAtSubmission: {} })
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
const VALID_BATCH = { method: 'batch', change: { memo: 'none' } }

test.each([
  ['AM04', 'PAY-45', SUFFICIENT],
  ['AM10', 'PAY-48', VALID_BATCH],
  ['TM01', 'PAY-53', { at: '12:00' }],
])('an order that does not cause %s fails, or is not reached if it is a guess', async (code, id, order) => {
  const provocations = { ...reference.provocations, [code]: order }
  const facts = { ...reference.facts, cutOff: undefined, funds: [] }
  const key = `payments.provocations.${code}`
  const [stated] = ofThese(await judged({ provocations, facts }), [id])
  expect(stated?.verdict).toBe('fail')
  expect(stated?.violation?.expected).toContain(
    `, since the profile states that this order is rejected with ${code} (${key})`,
  )
  const results = await judged({ provocations, facts }, [key])
  expect(failures(results)).toEqual([])
  const [guessed] = ofThese(results, [id])
  expect(guessed).toMatchObject({ verdict: 'not-reached' })
  expect(guessed?.because).toMatch(new RegExp(`accepted .* look at ${key.replaceAll('.', '\\.')}$`))
})

const { held, closed } = PAYMENT_ACCOUNTS

test.each([
  ['closedAccounts', [held, closed], 'PAY-42', 'SK20…3340 is closed (payments.facts.closedAccounts.0)'],
  ['funds', [{ ...debtor, below: 2 }], 'PAY-45', 'has less than 2 (payments.facts.funds)'],
])(
  '%s that the bank contradicts fail, and are not reached if they are a guess',
  async (fact, is, id, why) => {
    const facts = { ...reference.facts, [fact]: is }
    const [stated] = ofThese(await judged({ facts }), [id])
    expect(stated?.violation?.expected).toContain(why)
    expect(stated?.violation?.expected).toContain(', since the profile states that ')
    const [guessed] = ofThese(await judged({ facts }, [`payments.facts.${fact}`]), [id])
    expect(guessed).toMatchObject({ verdict: 'not-reached' })
  },
)

const REPEATED = { change: { instructionIdentification: '{earlierInstructionIdentification}' } }
const YESTERDAY = { method: 'standard', change: { requestedExecutionDate: '{yesterday}' } }
// Each order has its own id again, so that nothing is repeated.
const NEW_ID = { change: { remittanceInformation: '{earlierOrderId}' } }

test('orders with a date and an id of the moment are judged', async () => {
  const provocations = { ...reference.provocations, AM05: [{ twice: true }, REPEATED], DT01: YESTERDAY }
  const results = await judged({ provocations })
  expect(failures(results)).toEqual([])
  const repeated = ofThese(results, ['PAY-46']).find(({ title }) => title.endsWith('rejected with AM05'))
  const [dated] = ofThese(results, ['PAY-49'])
  expect([repeated?.verdict, dated?.verdict]).toEqual(['pass', 'pass'])
  // The status and the code of two answers for each order, and the code that is read.
  expect(repeated?.judged).toBe(10)
})

test('an order that repeats too little is reported with its key', async () => {
  const provocations = { ...reference.provocations, AM05: [NEW_ID, { twice: true }] }
  const results = await judged({ provocations }, ['payments.provocations.AM05.0'])
  const own = ofThese(results, ['PAY-46']).find(({ title }) => title.endsWith('rejected with AM05'))
  expect(own).toMatchObject({ verdict: 'not-reached' })
  expect(own?.because).toMatch(/look at payments\.provocations\.AM05\.0$/)
})

test('missing funds are judged by the submission, where no initiation is rejected for them', async () => {
  const own = ofThese(await judged({ facts: { ...reference.facts, funds: [] } }), ['PAY-45'])
  expect(own.map(({ verdict }) => verdict)).toEqual(['pass'])
})

const LATE = ['payments.rejectedAtSubmission']

test('each code that its submission does not reject is reported, although another one is', async () => {
  const TM01 = { at: '12:00' }
  const results = await judged({ rejectedAtSubmission: { ...reference.rejectedAtSubmission, TM01 } }, LATE)
  expect(failures(results)).toEqual([])
  for (const id of ['PAY-25', 'PAY-70']) {
    const [own] = ofThese(results, [id]).filter(({ verdict }) => verdict === 'not-reached')
    expect(own?.because).toContain('payments.rejectedAtSubmission.TM01')
  }
})

test('an order that is not accepted before its submission is reported, although another one is', async () => {
  const AM04 = { change: { debtor: poor } }
  const results = await judged({ rejectedAtSubmission: { ...reference.rejectedAtSubmission, AM04 } })
  expect(failures(results)).toEqual([])
  const [own] = ofThese(results, ['PAY-25'])
  expect(own).toMatchObject({ verdict: 'not-reached' })
  expect(own?.because).toContain('look at payments.rejectedAtSubmission.AM04')
})

test('each of several orders of one code is judged, and only the one that its submission takes is not reached', async () => {
  const late = (...times: readonly string[]) => {
    const [first = { at: '21:00' }, ...more] = times.map((at) => ({ at }))
    return { ...reference.rejectedAtSubmission, TM01: [first, ...more] as [typeof first, ...typeof more] }
  }
  const right = await judged({ rejectedAtSubmission: late('21:00', '23:00') })
  expect(right.filter(({ verdict }) => verdict !== 'pass')).toEqual([])
  const count = (results: readonly CheckResult[]): number => ofThese(results, ['PAY-25'])[0]?.judged ?? 0
  expect(count(right)).toBeGreaterThan(count(await judged({ rejectedAtSubmission: late('21:00') })))
  const wrong = await judged({ rejectedAtSubmission: late('21:00', '12:00') }, LATE)
  expect(failures(wrong)).toEqual([])
  const [own] = ofThese(wrong, ['PAY-25'])
  expect(own).toMatchObject({ verdict: 'not-reached' })
  expect(own?.because).toMatch(/look at payments\.rejectedAtSubmission\.TM01\.1$/)
})

test.each([
  ['AM04', SUFFICIENT],
  ['TM01', { at: '12:00' }],
])('an order that its submission does not reject with %s is reported with its key', async (code, order) => {
  const results = await judged({ rejectedAtSubmission: { [code]: order } }, LATE)
  expect(failures(results)).toEqual([])
  const [own] = ofThese(results, ['PAY-25'])
  expect(own).toMatchObject({ verdict: 'not-reached' })
  expect(own?.because).toContain(`look at payments.rejectedAtSubmission.${code}`)
})
