import { describe, expect, test } from 'vitest'
import { cancelInVain, cancelWhenAllowed } from './cancellation.ts'
import { createLoans } from './loans.ts'
import { jsonOf } from '../../evidence/record/answer.ts'
import { sampleProfile } from '../../testing/samples/profile.ts'
import { profileSchema } from '../../profile/schema.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { openAuthorizationDriver } from '../authorization/open-driver.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { HttpRequest } from '../http/request.ts'
import type { TargetClock } from '../clock.ts'

const MINUTE_MS = 60_000
const PATH = ['NEW', 'CUSTOMER_CREATION_IN_PROGRESS', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_DISBURSED']

/** A bank of a few lines with one application, which can be canceled in these statuses. */
const bank = async (cancelable: readonly string[], kind: TargetClock['kind'] = 'virtual') => {
  const profile = profileSchema.parse({ ...sampleProfile(), loans: { scenario: { kind: 'call' } } })
  let now = Date.parse('2026-01-05T09:00:00Z')
  let selectedAt: number | undefined
  let isCanceled = false
  const status = (): string => {
    const step = selectedAt === undefined ? 0 : Math.floor((now - selectedAt) / (3 * MINUTE_MS))
    return isCanceled ? 'CANCELED' : (PATH[Math.min(step, PATH.length - 1)] ?? '')
  }
  const answerTo = ({ operation }: HttpRequest): unknown => {
    if (operation === 'loanToken') return { access_token: 't', expires_in: 86_400 }
    if (operation === 'applyForLoan') return { applicationId: '1' }
    if (operation === 'selectLoanScenario') selectedAt = now
    if (operation !== 'cancelLoan') return { applicationStatus: status() }
    if (!cancelable.includes(status())) return { errorCode: 'NOT_ALLOWED_OPER' }
    isCanceled = true
    return { applicationStatus: status() }
  }
  const http = {
    send: async (request: HttpRequest): Promise<Exchange> =>
      sampleExchange({ operation: request.operation, body: JSON.stringify(answerTo(request)) }),
    origins: [],
    redactor: createRedactor([]),
  }
  const clock: TargetClock = {
    kind,
    now: () => new Date(now),
    pass: async (ms: number) => void (now += ms),
  }
  const loans = await createLoans({
    profile,
    baseUrl: 'https://api.bank.example',
    http,
    clock,
    customer: undefined,
    driver: openAuthorizationDriver(profile),
  })()
  return { clock, loans, isCanceled: () => isCanceled }
}

const statusOf = (answer: Exchange): unknown =>
  (jsonOf(answer) as { readonly applicationStatus?: string }).applicationStatus

describe('an application is canceled', () => {
  test.each([
    ['while it is NEW, where that is allowed', PATH],
    ['in a later status, where NEW is refused', PATH.slice(1)],
    ['in the last status of all that allows it', PATH.slice(2, 3)],
  ])('%s', async (_, cancelable) => {
    const open = await bank(cancelable)
    const { status } = await cancelWhenAllowed(open, await open.loans.submit())
    expect(statusOf(status)).toBe('CANCELED')
  })

  test('in no status, where all are refused', async () => {
    const open = await bank([])
    const { status } = await cancelWhenAllowed(open, await open.loans.submit())
    expect(statusOf(status)).toBe('LOAN_DISBURSED')
  })

  test('without waiting, where the clock cannot be moved', async () => {
    const open = await bank(PATH.slice(1), 'wall')
    const { status } = await cancelWhenAllowed(open, await open.loans.submit())
    expect(statusOf(status)).toBe('NEW')
  })
})

test('an attempt that must have no effect is repeated in the status in which the application can be canceled', async () => {
  const open = await bank(PATH.slice(2, 3))
  const before: unknown[] = []
  const record = await cancelInVain(open, await open.loans.submit(), async (id) => {
    before.push(statusOf(await open.loans.status(id)))
    return undefined
  })
  expect(before).toEqual(PATH.slice(0, 3))
  expect([record.before, record.after, record.last].map(statusOf)).toEqual([PATH[2], PATH[2], 'CANCELED'])
})
