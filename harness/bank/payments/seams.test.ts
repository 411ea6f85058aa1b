import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import type { RuleChange } from '../defect.ts'
import { aCustomer } from '../test-client.ts'
import { DAY, SECOND } from '../rules/facts.ts'
import { TestPayer } from './test-payer.ts'

const wrong = (rules: RuleChange): Bank =>
  createBank({ defect: { id: 'wrong', story: 'A bank that is wrong.', breaks: [], rules } })

describe('a payment can go wrong', () => {
  test('in its name, for those that come at the same moment alone', async () => {
    const payer = new TestPayer(
      wrong({
        newOrderId: async ({ payments }) => {
          const next = String(payments.size + 1)
          await Promise.resolve()
          return next
        },
      }),
    )
    await payer.token()
    const together = await Promise.all([payer.initiate(), payer.initiate()])
    expect(new Set(together.map(({ orderId }) => orderId)).size).toBe(1)
    expect((await payer.initiate()).orderId).not.toBe(together[0].orderId)
  })

  test('in its submission, without the authorization of anybody', async () => {
    const payer = new TestPayer(
      wrong({ orderSubmitted: ({ token, payments }) => token.orderId ?? [...payments.keys()].at(-1) }),
    )
    await payer.initiate()
    expect(await payer.submit(undefined)).toMatchObject({ http: 200, status: 'ACSP' })
  })

  test('in its submission, when two come at the same moment', async () => {
    const payer = new TestPayer(
      wrong((lawful) => ({
        redeemsPaymentToken: () => true,
        mayBeSubmitted: async (facts) => {
          const answer = lawful.mayBeSubmitted(facts)
          await new Promise(setImmediate)
          return answer
        },
      })),
    )
    const token = await payer.authorize(await payer.initiate())
    const both = await Promise.all([payer.submit(token), payer.submit(token)])
    expect(both.map(({ http }) => http)).toEqual([200, 200])
    expect((await payer.submit(token)).http).toBe(409)
  })

  test('in its end, a day later', async () => {
    const bank = wrong((lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'ACSC'
          ? { at: new Date(facts.now.getTime() + DAY), status: 'ACSP' }
          : lawful.nextMove(facts),
    }))
    const payment = await new TestPayer(bank).pay()
    await bank.clock.advance(DAY)
    expect(await new TestPayer(bank).status(payment)).toMatchObject({ status: 'ACSC' })
    await bank.clock.advance(30 * SECOND)
    expect(await new TestPayer(bank).status(payment)).toMatchObject({ status: 'ACSP' })
  })

  test('in what is told of it, in one answer alone', async () => {
    const payer = new TestPayer(
      wrong((lawful) => ({
        paymentBody: (facts) => ({
          ...lawful.paymentBody(facts),
          ...(facts.telling === 'status' && { reasonCode: undefined }),
        }),
      })),
    )
    const rejected = await payer.initiate({ debtor: { name: 'X', iban: 'SK00' } })
    expect(rejected).toHaveProperty('reasonCode', 'AC01')
    expect(await payer.status(rejected)).not.toHaveProperty('reasonCode')
  })

  test('in who authorizes it', async () => {
    const payer = new TestPayer(wrong({ mayAuthorize: () => true, decisionAuthorizes: () => true }))
    const token = await payer.authorize(await payer.initiate(), {
      customer: aCustomer(1),
      decision: 'deny',
    })
    expect(await payer.submit(token)).toMatchObject({ status: 'ACSP' })
  })
})
