import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import type { RuleChange } from '../defect.ts'
import { DAY, MINUTE } from './facts.ts'
import { TestApplicant } from '../../testing/bank-clients/test-applicant.ts'
import { aClient, TestClient } from '../../testing/bank-clients/test-client.ts'

const wrong = (rules: RuleChange): Bank =>
  createBank({ defect: { id: 'wrong', story: 'A bank that is wrong.', breaks: [], rules } })

/** The status after each so many ms, and nothing asked in between. */
const statusesAfter = async (
  bank: Bank,
  application: { applicationId: string },
  times: readonly number[],
) => {
  const applicant = new TestApplicant(bank)
  const statuses: string[] = []
  for (const ms of times) {
    await bank.clock.advance(ms)
    statuses.push((await applicant.status(application)).applicationStatus)
  }
  return statuses
}

const STEP = 3 * MINUTE

describe('the path of a loan can go wrong', () => {
  test('in one of its steps, at one time', async () => {
    const bank = wrong((lawful) => ({
      loanStepDelay: (facts) => (facts.step === 3 ? 4.5 * MINUTE : lawful.loanStepDelay(facts)),
    }))
    const application = await new TestApplicant(bank).start('CLIENT')
    expect(await statusesAfter(bank, application, [STEP, STEP, STEP, 1.5 * MINUTE])).toEqual([
      'LOAN_APPLICATION_IN_PROGRESS',
      'LOAN_APPLICATION_FINISHED',
      'LOAN_APPLICATION_FINISHED',
      'LOAN_DISBURSED',
    ])
  })

  test('at its end, from where it begins again', async () => {
    const bank = wrong({ loanPathBeyondItsEnd: () => ['NEW', 'EXPIRED'] })
    const application = await new TestApplicant(bank).start('EXPIRED')
    const statuses = await statusesAfter(bank, application, [2 * STEP, STEP, STEP, STEP])
    expect(statuses).toEqual(['EXPIRED', 'NEW', 'EXPIRED', 'NEW'])
  })

  test('before a scenario is selected', async () => {
    const bank = wrong({ scenarioOfSubmission: () => 'CANCELLED', mayBeSelected: () => true })
    const applicant = new TestApplicant(bank)
    const application = await applicant.submit()
    expect(await statusesAfter(bank, application, [STEP])).toEqual(['LOAN_APPLICATION_IN_PROGRESS'])
    expect((await applicant.page(application)).buttons).toHaveLength(4)
    expect(await applicant.select(application, 'CLIENT')).toMatchObject({ http: 204 })
    expect(await statusesAfter(bank, application, [0, 3 * STEP])).toEqual(['NEW', 'LOAN_DISBURSED'])
  })

  test('in that it waits to be asked', async () => {
    const bank = wrong({ loanMovesByItself: () => false, loanMovesWhenAsked: ({ due, now }) => now >= due })
    const application = await new TestApplicant(bank).start('CLIENT')
    const statuses = await statusesAfter(bank, application, [STEP, 3 * STEP, STEP - 1, 1])
    expect(statuses).toEqual([
      'LOAN_APPLICATION_IN_PROGRESS',
      'LOAN_APPLICATION_FINISHED',
      'LOAN_APPLICATION_FINISHED',
      'LOAN_DISBURSED',
    ])
  })

  test('in that each question moves it on', async () => {
    const bank = wrong({ loanMovesWhenAsked: () => true })
    const application = await new TestApplicant(bank).start('EXPIRED')
    expect(await statusesAfter(bank, application, [0, 0, STEP])).toEqual([
      'LOAN_APPLICATION_IN_PROGRESS',
      'EXPIRED',
      'EXPIRED',
    ])
  })

  test('in that all go when one goes', async () => {
    const bank = wrong({ applicationsMoved: ({ applications }) => [...applications.keys()] })
    const applicant = new TestApplicant(bank)
    await applicant.start('CLIENT')
    await bank.clock.advance(2 * MINUTE)
    const second = await applicant.start('NON_CLIENT')
    expect(await statusesAfter(bank, second, [MINUTE])).toEqual(['CUSTOMER_CREATION_IN_PROGRESS'])
  })

  test('at once, with no time between two steps', async () => {
    const bank = wrong((lawful) => ({
      loanStepDelay: (facts) => (facts.step === 1 ? 0 : lawful.loanStepDelay(facts)),
    }))
    const applicant = new TestApplicant(bank)
    const application = await applicant.submit()
    await applicant.select(application, 'EXPIRED')
    expect(await statusesAfter(bank, application, [0, STEP])).toEqual([
      'LOAN_APPLICATION_IN_PROGRESS',
      'EXPIRED',
    ])
  })
})

describe('the cancellation of a loan can go wrong', () => {
  test('in that it does nothing', async () => {
    const bank = wrong({ outcomeOfCancellation: ({ application: { status } }) => ({ status, goesOn: true }) })
    const applicant = new TestApplicant(bank)
    const application = await applicant.start('CLIENT')
    expect(await applicant.cancel(application)).toMatchObject({ http: 200, resultCode: 'OK' })
    expect(await statusesAfter(bank, application, [0, 3 * STEP])).toEqual(['NEW', 'LOAN_DISBURSED'])
  })

  test('in that the application goes on all the same', async () => {
    const bank = wrong({ outcomeOfCancellation: () => ({ status: 'CANCELED', goesOn: true }) })
    const applicant = new TestApplicant(bank)
    const application = await applicant.start('CLIENT')
    await applicant.cancel(application)
    expect(await statusesAfter(bank, application, [0, 3 * STEP])).toEqual(['CANCELED', 'LOAN_DISBURSED'])
  })

  test('in that a refused one cancels', async () => {
    const bank = wrong({ outcomeOfRefusedCancellation: () => ({ status: 'CANCELED', goesOn: false }) })
    const applicant = new TestApplicant(bank)
    const application = await applicant.start('EXPIRED')
    await bank.clock.advance(2 * STEP)
    expect(await applicant.cancel(application)).toMatchObject({ errorCode: 'NOT_ALLOWED_OPER' })
    expect(await statusesAfter(bank, application, [0, DAY / 2])).toEqual(['CANCELED', 'CANCELED'])
  })
})

describe('what is told of loans can go wrong', () => {
  test('in the name of an application, and whom it is told', async () => {
    const bank = wrong({ newApplicationId: () => 'THE-SAME', mayOpenApplication: () => true })
    const stranger = new TestApplicant(bank, aClient('FAC', 1))
    const application = await new TestApplicant(bank).submit()
    expect((await new TestApplicant(bank).submit()).applicationId).toBe(application.applicationId)
    expect(await stranger.cancel(application)).toMatchObject({ applicationStatus: 'CANCELED' })
  })

  test('of one that nobody knows, or after its time', async () => {
    const bank = wrong({
      applicationNamed: ({ applications }) => [...applications.values()].at(-1),
      applicationIsKept: () => true,
    })
    await new TestApplicant(bank).submit()
    await bank.clock.advance(30 * DAY)
    const answer = await new TestApplicant(bank).status({ applicationId: 'unknown' })
    expect(answer).toMatchObject({ resultCode: 'OK', applicationStatus: 'NEW' })
  })
})

describe('tokens can open what they are not for', () => {
  test('those of production open loans', async () => {
    const bank = wrong({ foreignTokenOpensLoans: ({ token }) => token.environment === 'production' })
    const ask = async (environment: 'sandbox' | 'production') => {
      const { access_token } = await new TestClient({ fetch: bank.fetch, environment }).obtainTokens()
      const path = 'v1/applications/precalculation'
      return (await new TestApplicant(bank).call('PUT', path, { loanAmount: 250 }, access_token)).status
    }
    expect(await ask('production')).toBe(200)
    expect(await ask('sandbox')).toBe(401)
  })

  test('those of loans open the accounts that their client was granted last', async () => {
    const bank = wrong({
      grantOfLoanToken: ({ token, grants }) =>
        [...grants.values()].findLast(({ clientId }) => clientId === token.clientId),
    })
    const token = await new TestApplicant(bank).token()
    const customer = new TestClient({ fetch: bank.fetch })
    expect((await customer.accounts(token)).status).toBe(401)
    await customer.obtainTokens()
    expect((await customer.accounts(token)).status).toBe(200)
  })

  test('a part of one will do', async () => {
    const bank = wrong({
      loanTokenNamed: ({ value, tokens }) =>
        [...tokens.values()].find((token) => token.value.startsWith(value)),
    })
    const applicant = new TestApplicant(bank)
    const part = (await applicant.token()).slice(0, 20)
    const path = 'v1/applications/precalculation'
    expect((await applicant.call('PUT', path, { loanAmount: 250 }, part)).status).toBe(200)
    expect((await applicant.call('PUT', path, { loanAmount: 250 }, `${part}.`)).status).toBe(401)
  })

  test('and loans are told without any', async () => {
    const bank = wrong({
      loanCallerOtherwise: ({ clients, value }) => (value === undefined ? clients[0] : undefined),
    })
    const address = 'http://bank.test/paylater/sandbox/v1/applications/precalculation'
    const ask = async (headers: Record<string, string>) =>
      (await bank.fetch(new Request(address, { method: 'PUT', body: '{"loanAmount":250}', headers }))).status
    expect(await ask({})).toBe(200)
    expect(await ask({ authorization: 'Bearer unknown' })).toBe(401)
  })
})
