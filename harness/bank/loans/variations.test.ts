import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import { DAY, MINUTE, SECOND } from '../rules/facts.ts'
import { bodyVariations } from '../variations/body-variations.ts'
import { loanVariations } from '../variations/loan-variations.ts'
import { pageVariations } from '../variations/page-variations.ts'
import { SCENARIOS, type Scenario } from './loan.ts'
import { TestApplicant, type Told } from './test-applicant.ts'

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

const HOUSEHOLD = { monthlyIncome: 1050, monthlyExpenses: 410, numberOfChildren: 2 }

const NEGATIVE = [
  [{ loanAmount: 1850, capacityInfo: HOUSEHOLD }, 'INSUFFICIENT_CAPACITY'],
  [{ loanAmount: 99 }, 'LOAN_AMNT_LOW'],
  [{ loanAmount: 2001 }, 'LOAN_AMNT_HIGH'],
] as const

/** The six scenarios of a precalculation. */
const calculateThrough = async (bank: Bank): Promise<void> => {
  const applicant = new TestApplicant(bank)
  for (const body of [
    { loanAmount: 250 },
    { loanAmount: 1850 },
    { loanAmount: 250, capacityInfo: HOUSEHOLD },
  ]) {
    const response = await applicant.precalculate(body)
    expect(response.status).toBe(200)
    expect(((await response.json()) as unknown[]).length).toBeGreaterThan(0)
  }
  for (const [body, errorCode] of NEGATIVE) {
    const response = await applicant.precalculate(body)
    expect(response.ok).toBe(false)
    expect(await response.json()).toMatchObject({ errorCode })
  }
}

const POLL = 10 * SECOND

const selectOnPage = async (
  applicant: TestApplicant,
  application: Told,
  scenario: Scenario,
): Promise<void> => {
  const button = `scenario=${scenario}`
  let page = await applicant.page(application)
  if (!page.buttons.includes(button)) page = await applicant.press(application, page, page.buttons[0] ?? '')
  expect(page.buttons).toContain(button)
  expect((await applicant.press(application, page, button)).http).toBe(200)
}

/** Every status and how long it lasted, until some minutes after the end of a path. */
const followThrough = async (bank: Bank, applicant: TestApplicant, application: Told) => {
  const lasted: (readonly [string, number])[] = []
  while ((lasted.at(-1)?.[1] ?? 0) < 5 * MINUTE) {
    const { http, resultCode, applicationStatus } = await applicant.status(application)
    expect({ http, resultCode }).toEqual({ http: 200, resultCode: 'OK' })
    const [status, duration] = lasted.at(-1) ?? ['', 0]
    if (status === applicationStatus) lasted.splice(-1, 1, [status, duration + POLL])
    else lasted.push([applicationStatus, 0])
    await bank.clock.advance(POLL)
  }
  return lasted
}

const liveThrough = async (bank: Bank): Promise<void> => {
  const applicant = new TestApplicant(bank)
  for (const scenario of SCENARIOS) {
    const application = await applicant.submit()
    expect(application.applicationId).not.toBe('')
    expect(await applicant.status(application)).toMatchObject({ applicationStatus: 'NEW' })
    await selectOnPage(applicant, application, scenario)
    const lasted = await followThrough(bank, applicant, application)
    expect(lasted.map(([status]) => status)).toEqual(PATHS[scenario])
    for (const [, duration] of lasted.slice(0, -1)) {
      expect(duration).toBeGreaterThanOrEqual(2 * MINUTE)
      expect(duration).toBeLessThanOrEqual(4 * MINUTE)
    }
    expect(await applicant.cancel(application)).toMatchObject({ errorCode: 'NOT_ALLOWED_OPER' })
    expect(await applicant.status(application)).toMatchObject({ applicationStatus: PATHS[scenario].at(-1) })
  }
}

/** A bank may take one to cancel. */
const MOMENT = MINUTE / 20

const cancelThrough = async (bank: Bank): Promise<void> => {
  const applicant = new TestApplicant(bank)
  const application = await applicant.submit()
  expect(application.http).toBeLessThan(300)
  const canceled = await applicant.cancel(application)
  expect(canceled.http).toBeLessThan(300)
  expect(canceled).not.toHaveProperty('errorCode')
  await bank.clock.advance(MOMENT)
  expect(await applicant.status(application)).toMatchObject({ applicationStatus: 'CANCELED' })
  const unknown = { errorCode: 'APP_NOT_FOUND' }
  expect(await applicant.status({ applicationId: 'unknown' })).toMatchObject(unknown)
  expect(await applicant.cancel({ applicationId: 'unknown' })).toMatchObject(unknown)
  await bank.clock.advance(7 * DAY - MINUTE)
  expect(await new TestApplicant(bank).status(application)).toMatchObject({ resultCode: 'OK' })
  await bank.clock.advance(DAY + MINUTE)
  expect(await new TestApplicant(bank).status(application)).toMatchObject(unknown)
}

/** Those that loans meet; the proof tries all of them. */
const met = [...bodyVariations, ...pageVariations, ...loanVariations]

describe('every variation lends as the interface says', () => {
  test.each(met)('$id: $story', async (variation) => {
    const bank = createBank({ variation })
    await calculateThrough(bank)
    await liveThrough(bank)
    await cancelThrough(bank)
  })
})
