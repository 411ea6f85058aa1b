import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import { MINUTE } from '../rules/facts.ts'
import { TestApplicant, type LoanAnswer } from '../../testing/bank-clients/test-applicant.ts'
import { SCENARIOS, type Scenario } from '../rules/loan.ts'

const PATHS: Readonly<Record<Scenario, readonly string[]>> = {
  CANCELLED: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'CANCELED'],
  EXPIRED: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'EXPIRED'],
  NON_CLIENT: [
    'NEW',
    'CUSTOMER_CREATION_IN_PROGRESS',
    'LOAN_APPLICATION_IN_PROGRESS',
    'LOAN_APPLICATION_FINISHED',
    'LOAN_DISBURSED',
  ],
  CLIENT: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_APPLICATION_FINISHED', 'LOAN_DISBURSED'],
}

const STEP = 3 * MINUTE

/** Every change of the status within this time, with its delay from now in ms. */
const follow = async (bank: Bank, application: LoanAnswer, duration: number) => {
  const applicant = new TestApplicant(bank)
  const changes: (readonly [number, string])[] = []
  for (let at = 0; at <= duration; at += MINUTE / 2) {
    const { applicationStatus } = await applicant.status(application)
    if (changes.at(-1)?.[1] !== applicationStatus) changes.push([at, applicationStatus])
    await bank.clock.advance(MINUTE / 2)
  }
  return changes
}

describe.each(SCENARIOS)('the scenario %s', (scenario) => {
  const expected = PATHS[scenario].map((status, place) => [place * STEP, status])

  test('counts from its selection by a call', async () => {
    const bank = createBank()
    const applicant = new TestApplicant(bank)
    const application = await applicant.submit()
    await bank.clock.advance(10 * MINUTE)
    expect(await applicant.select(application, scenario)).toEqual({ http: 204 })
    expect(await follow(bank, application, 20 * MINUTE)).toEqual(expected)
  })

  test('is selected on the page, once', async () => {
    const bank = createBank()
    const applicant = new TestApplicant(bank)
    const application = await applicant.submit()
    const before = await applicant.page(application)
    expect(before).toMatchObject({ http: 200, alert: '' })
    expect(before.buttons).toEqual(SCENARIOS.map((word) => `scenario=${word}`))
    expect(await applicant.press(application, before, 'scenario=')).toMatchObject({ http: 400 })
    const after = await applicant.press(application, before, `scenario=${scenario}`)
    expect(after).toMatchObject({ http: 200, title: 'Scenario selected', alert: '', buttons: [] })
    const again = { alert: 'No scenario can be selected any more.', buttons: [] }
    expect(await applicant.page(application)).toMatchObject({ http: 200, ...again })
    expect(await applicant.press(application, before, 'scenario=CLIENT')).toMatchObject({
      http: 409,
      ...again,
    })
    expect(await applicant.select(application, 'CLIENT')).toMatchObject({ http: 409 })
    expect(await follow(bank, application, 20 * MINUTE)).toEqual(expected)
  })

  test('reaches the same final status in one advance of the clock', async () => {
    const bank = createBank()
    const application = await new TestApplicant(bank).start(scenario)
    await bank.clock.advance(12 * MINUTE)
    expect(await new TestApplicant(bank).status(application)).toMatchObject({
      applicationStatus: PATHS[scenario].at(-1),
    })
  })
})

describe('a selection', () => {
  test.each([undefined, '', 'client', 'DISBURSED', 7])('of %j is refused', async (scenario) => {
    const applicant = new TestApplicant(createBank())
    const application = await applicant.submit()
    expect(await applicant.select(application, scenario)).toMatchObject({ http: 400 })
    expect(await applicant.select(application, 'CLIENT')).toMatchObject({ http: 204 })
  })

  test('of an application that was canceled is refused', async () => {
    const applicant = new TestApplicant(createBank())
    const application = await applicant.submit()
    await applicant.cancel(application)
    expect(await applicant.select(application, 'CLIENT')).toMatchObject({ http: 409 })
    expect(await applicant.page(application)).toMatchObject({ http: 200, buttons: [] })
  })
})
