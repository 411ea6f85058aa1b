import { describe, expect, test } from 'vitest'
import { Inconclusive } from '../../evidence/signals.ts'
import { codeOf, resultOf, statusOf, type LoanWords } from '../../evidence/record/loan-application.ts'
import { observe } from './observe.ts'
import { asCalculation, asStatus, asSubmission, isOfTheBank, loanCode, loanId, loanStatus } from './loans.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { ViolationError } from '../verdict.ts'
import { UsedExchanges } from './exchange.ts'

const WORDS: LoanWords = {
  submission: { id: 'applicationId' },
  status: { status: 'applicationStatus', code: 'resultCode' },
  errorCode: 'error.code',
  precalculation: { positive: { kind: 'status' } },
}

type Positive = LoanWords['precalculation']['positive']

const reported = (positive: Positive): LoanWords => ({ ...WORDS, precalculation: { positive } })

const exchange = (body: unknown, status = 200) =>
  sampleExchange({
    operation: 'precalculateLoan',
    status,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const seen = (body: unknown, status = 200) => observe(exchange(body, status), new UsedExchanges())

describe('the result code', () => {
  test.each([
    [{ resultCode: 'OK', applicationStatus: 'NEW' }, 'OK'],
    [{ error: { code: 'APP_NOT_FOUND' } }, 'APP_NOT_FOUND'],
    [{ error: { code: 'NOT_ALLOWED_OPER' }, resultCode: 'ERROR' }, 'NOT_ALLOWED_OPER'],
    [{ error: { code: '' }, resultCode: 'OK' }, 'OK'],
    [{ applicationStatus: 'NEW' }, undefined],
    ['', undefined],
    ['<h1>Not found</h1>', undefined],
  ])('of %j is %s', (body, code) => {
    expect(loanCode(seen(body), WORDS).value).toBe(code)
    expect(codeOf(exchange(body), WORDS)).toBe(code)
  })

  test('is an OK anywhere if the profile names no place for it', () => {
    const words = { ...WORDS, status: { status: 'applicationStatus' } }
    const code = (body: unknown): unknown => loanCode(seen(body), words).value
    expect(code({ result: { code: 'OK' }, applicationStatus: 'NEW' })).toBe('OK')
    expect(codeOf(exchange({ result: ['OK'] }), words)).toBe('OK')
    expect(code({ result: 'NOK', text: 'all "OK"', OK: 1 })).toBeUndefined()
    expect(code({ resultCode: 'OK', error: { code: 'APP_NOT_FOUND' } })).toBe('APP_NOT_FOUND')
  })

  test.each([
    ['Result-Code', 'OK', 'OK'],
    ['Status', '200 OK', undefined],
    ['X-Cache', 'OK', undefined],
  ])('in the header %s: %s is %s if the profile names no place for it', (name, value, code) => {
    const words = { ...WORDS, status: { status: 'applicationStatus' } }
    const answer = sampleExchange({ headers: [[name, value]], body: '{"applicationStatus":"NEW"}' })
    expect(codeOf(answer, words)).toBe(code)
    expect(codeOf(answer, WORDS)).toBeUndefined()
    expect(loanCode(observe(answer, new UsedExchanges()), words).value).toBe(code)
  })
})

describe('an answer that is not JSON', () => {
  const page = seen('<h1>Forbidden</h1>', 403)
  const text = seen('accepted', 200)
  const json = seen({ applicationStatus: 'NEW' })

  test('is no failure of a bank that answers JSON otherwise', () => {
    expect(() => isOfTheBank(page, [page, json])).toThrow(Inconclusive)
    for (const attempt of [asCalculation(page, WORDS, [json]), asSubmission(page, WORDS, [json])])
      expect(() => attempt.isAccepted('it lies within the bounds')).toThrow(Inconclusive)
    expect(asCalculation(text, WORDS, [json]).accepted).toBe(false)
    expect(() => asCalculation(text, WORDS, [json]).isRefused('it is out of bounds')).toThrow(Inconclusive)
  })

  test('is the refusal of a bank that answers no JSON at all', () => {
    isOfTheBank(page, [page, text])
    expect(() => asCalculation(page, WORDS, [text]).isAccepted('it lies within the bounds')).toThrow(
      ViolationError,
    )
  })

  test('is no positive result, although the status alone would be', () => {
    for (const others of [[], [page]]) {
      expect(asCalculation(text, WORDS, others).accepted).toBe(false)
      expect(() => asCalculation(text, WORDS, others).isAccepted('it is scenario 1')).toThrow(Inconclusive)
    }
  })

  test('may be a refusal, and may be empty', () => {
    expect(() => asCalculation(page, WORDS, [json]).isRefused('it is out of bounds')).not.toThrow()
    expect(() => isOfTheBank(seen('', 404), [json])).not.toThrow()
  })
})

test('a page of maintenance shows neither a result nor an application', () => {
  const page = seen('<!doctype html><h1>We will be back soon</h1>')
  expect(asCalculation(page, WORDS).accepted).toBe(false)
  for (const attempt of [asCalculation(page, WORDS), asSubmission(page, WORDS)]) {
    expect(() => attempt.isAccepted('it lies within the bounds')).toThrow(Inconclusive)
    expect(() => attempt.isRefused('it lies out of the bounds')).toThrow(Inconclusive)
  }
})

test('the status and the application-id stand where the profile says', () => {
  expect(loanStatus(seen({ applicationStatus: 'NEW' }), WORDS).value).toBe('NEW')
  expect(statusOf(exchange({ applicationStatus: 'NEW' }), WORDS)).toBe('NEW')
  expect(statusOf(exchange({ applicationStatus: '' }), WORDS)).toBeUndefined()
  expect(loanId(seen({ applicationId: 7 }), WORDS).value).toBe(7)
  expect(loanId(seen(''), WORDS).value).toBeUndefined()
})

test('the HTTP status in a problem document is not the status of an application', () => {
  const problem = { applicationStatus: 404, title: 'Not Found' }
  expect(loanStatus(seen(problem, 404), WORDS).value).toBeUndefined()
  expect(statusOf(exchange(problem, 404), WORDS)).toBeUndefined()
  expect(loanStatus(seen({ applicationStatus: 404 }), WORDS).value).toBe(404)
})

const BY_MEMBER = reported({ kind: 'member', member: 'result.is', values: ['YES', true] })
const BY_LIST = reported({ kind: 'list', list: 'offers' })

describe('the result of a precalculation', () => {
  test.each([
    [WORDS, [{}], 200, 'positive'],
    [WORDS, '', 204, 'positive'],
    [WORDS, {}, 422, 'negative'],
    [WORDS, {}, 500, undefined],
    [WORDS, '', 302, undefined],
    [BY_MEMBER, { result: { is: 'YES' } }, 200, 'positive'],
    [BY_MEMBER, { result: { is: true } }, 200, 'positive'],
    [BY_MEMBER, { result: { is: 'NO' } }, 200, 'negative'],
    [BY_MEMBER, {}, 200, 'negative'],
    [BY_MEMBER, { result: { is: 'YES' } }, 400, 'negative'],
    [BY_MEMBER, '<p>Welcome</p>', 200, undefined],
    [BY_LIST, { offers: [{}] }, 200, 'positive'],
    [BY_LIST, { offers: [] }, 200, 'negative'],
    [BY_LIST, { offers: {} }, 200, 'negative'],
  ])('%# is reported', (words, body, status, result) => {
    expect(resultOf(exchange(body, status), words)).toBe(result)
    const attempt = asCalculation(seen(body, status), words)
    expect(attempt.accepted).toBe(result === 'positive')
    const refusal = (): void => attempt.isRefused('it is out of bounds')
    const acceptance = (): void => attempt.isAccepted('it is within bounds')
    if (result === 'positive') {
      expect(acceptance).not.toThrow()
      expect(refusal).toThrow(ViolationError)
    } else if (result === 'negative') {
      expect(acceptance).toThrow(ViolationError)
      expect(refusal).not.toThrow()
    } else {
      expect(acceptance).toThrow(Inconclusive)
      expect(refusal).toThrow(Inconclusive)
    }
  })

  test('that is wrong is reported with what came instead', () => {
    expect(() => asCalculation(seen({}, 422), WORDS).isAccepted('it is scenario 1')).toThrow(
      expect.objectContaining({
        violation: expect.objectContaining({
          subject: 'the result',
          expected: 'positive: it is scenario 1',
          received: 'negative (422)',
        }) as unknown,
      }) as Error,
    )
  })
})

test('an application is accepted by its id, whatever the status says', () => {
  expect(asSubmission(seen({ applicationId: 'A1' }, 422), WORDS).accepted).toBe(true)
  expect(() => asSubmission(seen({ applicationId: '' }, 201), WORDS).isRefused('')).not.toThrow()
  expect(() => asSubmission(seen({}, 503), WORDS).isRefused('')).toThrow(Inconclusive)
})

test('a server error each time, between accepted requests, shows that nothing is given and nothing refused', () => {
  const answer = observe(
    sampleExchange({ operation: 'readLoan', status: 500, body: '{}', timesRepeated: 3 }),
    new UsedExchanges(),
  )
  for (const one of [
    asSubmission(answer, WORDS),
    asStatus(answer, WORDS, ['NEW']),
    asCalculation(answer, WORDS),
  ]) {
    expect(() => one.isRefused('')).toThrow(ViolationError)
    expect(() => one.isAccepted('')).toThrow(ViolationError)
  }
})

test('a status is given by one of those that there are', () => {
  const attempt = (body: unknown, status = 200) => asStatus(seen(body, status), WORDS, ['NEW'])
  expect(attempt({ applicationStatus: 'NEW' }).accepted).toBe(true)
  expect(attempt({ applicationStatus: 'NONE' }).accepted).toBe(false)
  expect(() => attempt({ applicationStatus: 'NEW' }).isRefused('')).toThrow(ViolationError)
  expect(() => attempt({}, 500).isRefused('')).toThrow(Inconclusive)
})
