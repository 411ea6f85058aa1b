import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import type { RuleChange } from '../defect.ts'
import { DAY, MINUTE } from './facts.ts'
import { TestApplicant } from '../../testing/bank-clients/test-applicant.ts'
import { aClient, TestClient } from '../../testing/bank-clients/test-client.ts'

const wrong = (rules: RuleChange): Bank =>
  createBank({ defect: { id: 'wrong', story: 'A bank that is wrong.', breaks: [], rules } })

/** The status after each delay in ms, without requests in between. */
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

describe('a defect of a loan path', () => {
  test('can be in one step, at one time', async () => {
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

  test('can be a restart at its end', async () => {
    const bank = wrong({ loanPathBeyondItsEnd: () => ['NEW', 'EXPIRED'] })
    const application = await new TestApplicant(bank).start('EXPIRED')
    const statuses = await statusesAfter(bank, application, [2 * STEP, STEP, STEP, STEP])
    expect(statuses).toEqual(['EXPIRED', 'NEW', 'EXPIRED', 'NEW'])
  })

  test('can be a change before a scenario is selected', async () => {
    const bank = wrong({ scenarioOfSubmission: () => 'CANCELLED', mayBeSelected: () => true })
    const applicant = new TestApplicant(bank)
    const application = await applicant.submit()
    expect(await statusesAfter(bank, application, [STEP])).toEqual(['LOAN_APPLICATION_IN_PROGRESS'])
    expect((await applicant.page(application)).buttons).toHaveLength(4)
    expect(await applicant.select(application, 'CLIENT')).toMatchObject({ http: 204 })
    expect(await statusesAfter(bank, application, [0, 3 * STEP])).toEqual(['NEW', 'LOAN_DISBURSED'])
  })

  test('can be a change only on a request', async () => {
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

  test('can be a change on each request', async () => {
    const bank = wrong({ loanMovesWhenAsked: () => true })
    const application = await new TestApplicant(bank).start('EXPIRED')
    expect(await statusesAfter(bank, application, [0, 0, STEP])).toEqual([
      'LOAN_APPLICATION_IN_PROGRESS',
      'EXPIRED',
      'EXPIRED',
    ])
  })

  test('can be a change of all applications together', async () => {
    const bank = wrong({ applicationsMoved: ({ applications }) => [...applications.keys()] })
    const applicant = new TestApplicant(bank)
    await applicant.start('CLIENT')
    await bank.clock.advance(2 * MINUTE)
    const second = await applicant.start('NON_CLIENT')
    expect(await statusesAfter(bank, second, [MINUTE])).toEqual(['CUSTOMER_CREATION_IN_PROGRESS'])
  })

  test('can be a step without a delay', async () => {
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

describe('a defect of a cancellation', () => {
  test('can be that the status does not change', async () => {
    const bank = wrong({
      outcomeOfCancellation: ({ application: { status } }) => ({ status, continues: true }),
    })
    const applicant = new TestApplicant(bank)
    const application = await applicant.start('CLIENT')
    expect(await applicant.cancel(application)).toMatchObject({ http: 200, resultCode: 'OK' })
    expect(await statusesAfter(bank, application, [0, 3 * STEP])).toEqual(['NEW', 'LOAN_DISBURSED'])
  })

  test('can be that the application continues on its path', async () => {
    const bank = wrong({ outcomeOfCancellation: () => ({ status: 'CANCELED', continues: true }) })
    const applicant = new TestApplicant(bank)
    const application = await applicant.start('CLIENT')
    await applicant.cancel(application)
    expect(await statusesAfter(bank, application, [0, 3 * STEP])).toEqual(['CANCELED', 'LOAN_DISBURSED'])
  })

  test('can be that a refused one cancels', async () => {
    const bank = wrong({ outcomeOfRefusedCancellation: () => ({ status: 'CANCELED', continues: false }) })
    const applicant = new TestApplicant(bank)
    const application = await applicant.start('EXPIRED')
    await bank.clock.advance(2 * STEP)
    expect(await applicant.cancel(application)).toMatchObject({ errorCode: 'NOT_ALLOWED_OPER' })
    expect(await statusesAfter(bank, application, [0, DAY / 2])).toEqual(['CANCELED', 'CANCELED'])
  })
})

describe('a defect of loan answers', () => {
  test('can be an id that is not unique, or an access by another client', async () => {
    const bank = wrong({ newApplicationId: () => 'THE-SAME', mayOpenApplication: () => true })
    const otherClient = new TestApplicant(bank, aClient('FAC', 1))
    const application = await new TestApplicant(bank).submit()
    expect((await new TestApplicant(bank).submit()).applicationId).toBe(application.applicationId)
    expect(await otherClient.cancel(application)).toMatchObject({ applicationStatus: 'CANCELED' })
  })

  test('can be in an unknown or a deleted application', async () => {
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

describe('a defect of tokens', () => {
  test('can be that tokens of production are accepted for loans', async () => {
    const bank = wrong({ foreignTokenOpensLoans: ({ token }) => token.environment === 'production' })
    const ask = async (environment: 'sandbox' | 'production') => {
      const { access_token } = await new TestClient({ fetch: bank.fetch, environment }).obtainTokens()
      const path = 'v1/applications/precalculation'
      return (await new TestApplicant(bank).call('PUT', path, { loanAmount: 250 }, access_token)).status
    }
    expect(await ask('production')).toBe(200)
    expect(await ask('sandbox')).toBe(401)
  })

  test('can be that loan tokens are accepted for the accounts of the last grant', async () => {
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

  test('can be that a part of a token is accepted', async () => {
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

  test('can be that loans are readable without a token', async () => {
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
