import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { follow, pollOnce, selectLine, startLine, startUnselected, type Following } from './following.ts'
import { cancelInVain, cancelWhenAllowed } from './cancellation.ts'
import { jsonOf } from '../../evidence/record/answer.ts'
import { staysOf } from '../../evidence/record/loan-time-line.ts'
import { createLoans } from './loans.ts'
import { openAuthorizationDriver } from '../authorization/open-driver.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { HttpRequest } from '../http/request.ts'

const BANK = 'https://api.bank.example'
const MINUTE_MS = 60_000
const PATH = ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'EXPIRED']

interface Reply {
  readonly http?: number
  readonly body: unknown
}

/** What a bank answers to the reading or the cancellation of an application, so many ms after its selection. */
type Course = (ms: number, request: HttpRequest) => Reply | undefined

const byTheClock = (ms: number): Reply => ({
  body: { applicationStatus: PATH[Math.min(2, Math.floor(ms / (3 * MINUTE_MS)))] },
})

/** A bank of a few lines: applications are numbered, and each moves from its selection on. */
const bank = async (course: Course = byTheClock) => {
  const profile = parsedProfile({ loans: { scenario: { kind: 'call' } } })
  const sent: (HttpRequest & { readonly at: number })[] = []
  const selectedAt = new Map<string, number>()
  const started = Date.parse('2026-01-05T09:00:00Z')
  let now = started
  let count = 0
  const reply = (request: HttpRequest): Reply => {
    const [, id = ''] = /applications\/(\d+)/.exec(request.url) ?? []
    if (request.operation === 'loanToken')
      return { body: { access_token: `t${sent.length}`, expires_in: 86_400 } }
    if (request.operation === 'applyForLoan')
      return { http: 201, body: { applicationId: String((count += 1)) } }
    if (request.operation === 'selectLoanScenario') selectedAt.set(id, now)
    const since = selectedAt.get(id)
    return course(since === undefined ? 0 : now - since, request) ?? { body: {} }
  }
  const send = async (request: HttpRequest): Promise<Exchange> => {
    sent.push({ ...request, at: now - started })
    const { http = 200, body } = reply(request)
    const { operation } = request
    return sampleExchange({ id: `s/${sent.length}`, operation, status: http, body: JSON.stringify(body) })
  }
  const clock = {
    kind: 'virtual' as const,
    now: () => new Date(now),
    pass: async (ms: number) => void (now += ms),
  }
  const open = createLoans({
    profile,
    baseUrl: BANK,
    http: { origins: [BANK], redactor: createRedactor([]), send },
    driver: openAuthorizationDriver(profile),
    clock,
    customer: undefined,
  })
  const following: Following = { clock, loans: await open() }
  const sentAs = (operation: string) => sent.filter((request) => request.operation === operation)
  return { following, sentAs }
}

const EXPIRED = { name: 'expired', path: PATH }

describe('an application that is followed', () => {
  test('is polled between two instants of the target’s clock', async () => {
    const { following } = await bank()
    const line = await pollOnce(following, await startLine(following, 'expired', EXPIRED))
    expect(line.polls[0]).toMatchObject({ from: line.start.to, to: line.start.to, status: 'NEW' })
  })

  test('is followed no longer than is enough', async () => {
    const { following } = await bank()
    const started = await startLine(following, 'expired', EXPIRED)
    const halfway = await follow(following, [started], ([line]) => line?.polls.at(-1)?.status === PATH[1])
    expect(halfway[0]?.polls.at(-1)?.status).toBe(PATH[1])
    const [whole] = await follow(following, halfway)
    expect(whole && staysOf(whole).map(({ status }) => status)).toEqual(PATH)
  })

  test('that is not answered is polled again, and given up in the end', async () => {
    const { following, sentAs } = await bank((_, { operation }) =>
      operation === 'readLoan' ? { http: 503, body: {} } : undefined,
    )
    const [line] = await follow(following, [await startLine(following, 'expired', EXPIRED)])
    expect(line?.polls.every(({ status }) => status === undefined)).toBe(true)
    expect(sentAs('readLoan').length).toBeLessThan(25)
  })

  test.each([429, 503])('whose selection is answered with %i has no scenario', async (http) => {
    const { following } = await bank((_, { operation }) =>
      operation === 'selectLoanScenario' ? { http, body: {} } : undefined,
    )
    await expect(startLine(following, 'expired', EXPIRED)).rejects.toThrow('no scenario was selected')
  })

  test('has no status where the status comes with an error', async () => {
    const { following } = await bank(() => ({
      http: 404,
      body: { errorCode: 'APP_NOT_FOUND', applicationStatus: 'NEW' },
    }))
    const line = await pollOnce(following, await startLine(following, 'expired', EXPIRED))
    expect(line.polls[0]).toMatchObject({ code: 'APP_NOT_FOUND' })
    expect(line.polls[0]?.status).toBeUndefined()
  })
})

test('the polling ends where the clock stands still', async () => {
  const { following } = await bank()
  const stopped = { ...following, clock: { ...following.clock, pass: async () => undefined } }
  const started = await startLine(stopped, 'expired', EXPIRED)
  await expect(follow(stopped, [started])).rejects.toThrow('the time of the target does not pass')
})

test('a token that is refused on the way is replaced, once for each look', async () => {
  let refusals = 0
  const { following, sentAs } = await bank((ms) =>
    ms === 2 * MINUTE_MS && (refusals += 1) === 1 ? { http: 401, body: {} } : byTheClock(ms),
  )
  const [line] = await follow(following, [await startLine(following, 'expired', EXPIRED)])
  expect(refusals).toBe(2)
  expect(sentAs('loanToken')).toHaveLength(2)
  expect(line?.polls.every(({ status }) => status !== undefined)).toBe(true)
})

test('a token that is refused again is not asked for without end', async () => {
  const { following, sentAs } = await bank(() => ({ http: 401, body: {} }))
  const line = await pollOnce(following, await startLine(following, 'expired', EXPIRED))
  expect(sentAs('readLoan')).toHaveLength(2)
  expect(line.polls[0]?.status).toBeUndefined()
})

describe('a cancellation', () => {
  test('is sent as soon as the application is seen in its status, which is then polled at once', async () => {
    const { following, sentAs } = await bank((ms, { operation }) =>
      operation === 'cancelLoan' ? { http: 422, body: { errorCode: 'NOT_ALLOWED_OPER' } } : byTheClock(ms),
    )
    const started = await startLine(following, 'expired', { ...EXPIRED, cancelIn: 'EXPIRED' })
    const [line] = await follow(following, [started])
    expect(line?.cancellation).toMatchObject({ status: 'EXPIRED', code: 'NOT_ALLOWED_OPER' })
    expect(sentAs('cancelLoan')).toHaveLength(1)
    expect(line?.polls.filter(({ from }) => from === line.cancellation?.from)).toHaveLength(2)
  })
})

test('an application waits for its selection, from which its time counts', async () => {
  const { following } = await bank()
  const submitted = await startUnselected(following, { name: 'none', path: ['NEW'] })
  const [waiting] = await follow(following, [submitted.line])
  expect(waiting?.polls.at(-1)?.from).toBeGreaterThanOrEqual(submitted.line.start.to + 8 * MINUTE_MS)
  const selected = await selectLine(following, submitted, 'expired', EXPIRED)
  expect(selected).toMatchObject({ id: '1', start: { from: following.clock.now().getTime() } })
  const [line] = await follow(following, [selected])
  expect(line && staysOf(line).map(({ status }) => status)).toEqual(PATH)
})

const LONG_PATH = ['NEW', 'CUSTOMER_CREATION_IN_PROGRESS', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_DISBURSED']

/** A bank whose applications can be canceled in these statuses. */
const cancelable = (statuses: readonly string[]) => {
  let isCanceled = false
  return bank((ms, { operation }) => {
    const step = Math.min(LONG_PATH.length - 1, Math.floor(ms / (3 * MINUTE_MS)))
    const status = isCanceled ? 'CANCELED' : (LONG_PATH[step] ?? '')
    if (operation !== 'cancelLoan') return { body: { applicationStatus: status } }
    if (!statuses.includes(status)) return { body: { errorCode: 'NOT_ALLOWED_OPER' } }
    isCanceled = true
    return { body: { applicationStatus: 'CANCELED' } }
  })
}

const statusOf = (answer: Exchange): unknown =>
  (jsonOf(answer) as { readonly applicationStatus?: string }).applicationStatus

test.each([
  ['while it is NEW, where that is allowed', LONG_PATH, 'CANCELED'],
  ['in a later status, where NEW is refused', LONG_PATH.slice(1), 'CANCELED'],
  ['in the last status of all that allows it', LONG_PATH.slice(2, 3), 'CANCELED'],
  ['in no status, where all are refused', [], 'LOAN_DISBURSED'],
])('an application is canceled %s', async (_, statuses, expected) => {
  const { following } = await cancelable(statuses)
  const { status } = await cancelWhenAllowed(following, await following.loans.submit())
  expect(statusOf(status)).toBe(expected)
})

test('where the clock cannot be moved, an application is canceled without waiting', async () => {
  const { following } = await cancelable(LONG_PATH.slice(1))
  const clock = { ...following.clock, kind: 'wall' as const }
  const { status } = await cancelWhenAllowed({ ...following, clock }, await following.loans.submit())
  expect(statusOf(status)).toBe('NEW')
})

test('an attempt that must have no effect is repeated in the status in which the application can be canceled', async () => {
  const { following } = await cancelable(LONG_PATH.slice(2, 3))
  const before: unknown[] = []
  const record = await cancelInVain(following, await following.loans.submit(), async (id) => {
    before.push(statusOf(await following.loans.status(id)))
    return undefined
  })
  expect(before).toEqual(LONG_PATH.slice(0, 3))
  const seen = [record.before, record.after, record.last].map(statusOf)
  expect(seen).toEqual([LONG_PATH[2], LONG_PATH[2], 'CANCELED'])
})
