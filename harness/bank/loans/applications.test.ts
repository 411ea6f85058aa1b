import { describe, expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import { DAY } from '../rules/facts.ts'
import { TestApplicant } from '../../testing/bank-clients/test-applicant.ts'

describe('a token of the loan sandbox', () => {
  test('is accepted until the day has passed', async () => {
    const bank = createBank()
    const applicant = new TestApplicant(bank)
    const application = await applicant.submit()
    await bank.clock.advance(DAY - 1)
    expect(await applicant.status(application)).toMatchObject({ http: 200 })
    await bank.clock.advance(1)
    expect(await applicant.status(application)).toMatchObject({ http: 401, errorCode: 'TOKEN_EXPIRED' })
    expect(await new TestApplicant(bank).status(application)).toMatchObject({ http: 200 })
  })

  test('ends by the test hook', async () => {
    const bank = createBank()
    const applicant = new TestApplicant(bank)
    const body = JSON.stringify({ token: await applicant.token() })
    await bank.fetch(new Request('http://bank.test/_test-hooks/tokens/revoke', { method: 'POST', body }))
    expect((await applicant.precalculate({ loanAmount: 250 })).status).toBe(401)
  })
})

describe('an application', () => {
  test('is deleted after seven days in any status', async () => {
    const bank = createBank()
    const first = new TestApplicant(bank)
    const all = [await first.submit(), await first.start('CLIENT'), await first.start('EXPIRED')]
    await bank.clock.advance(7 * DAY - 1)
    const later = new TestApplicant(bank)
    for (const application of all) {
      expect((await later.status(application)).http).toBe(200)
      expect((await later.page(application)).http).toBe(200)
    }
    await bank.clock.advance(1)
    for (const application of all) {
      expect(await later.status(application)).toMatchObject({ http: 404, errorCode: 'APP_NOT_FOUND' })
      expect(await later.cancel(application)).toMatchObject({ http: 404, errorCode: 'APP_NOT_FOUND' })
      expect((await later.page(application)).http).toBe(404)
    }
    const { applicationId } = await later.submit()
    expect([...bank.world.ledgers.sandbox.applications.keys()]).toEqual([applicationId])
  })
})
