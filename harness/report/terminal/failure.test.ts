import { describe, expect, test } from 'vitest'
import stringWidth from 'string-width'
import { exchange, sampleReport, unanswered } from '../../testing/samples/reports.ts'
import { renderExchange, renderFailure, shortPath } from './failure.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { CheckReport, RequirementReport } from '../schema.ts'

const OUT = 'reports/latest'
const EVIDENCE = (id: string) =>
  exchange(id, {
    request: { ...exchange(id).request, url: 'http://b.example/payments/7F3a9c1d-1111-2222-3333/status' },
  })

const blockOf = (
  id: string,
  changes: Partial<CheckReport> = {},
  row: Partial<RequirementReport> = {},
  evidence: (id: string) => Exchange | undefined = EVIDENCE,
) => {
  const requirement = sampleReport().requirements.find((one) => one.id === id)
  const [check] = requirement?.checks ?? []
  if (requirement === undefined || check === undefined) throw new Error(`${id} is in the sample`)
  return (width?: number): string =>
    renderFailure({ ...requirement, ...row }, { ...check, ...changes }, evidence, OUT, width ? { width } : {})
}

const violation = {
  subject: 'reasonCode',
  expected: 'one of AC01, AC04, AG01 … TM01',
  received: 'nothing',
  exchange: '4',
}

describe('a failure', () => {
  test('reads the same everywhere', () => {
    const block = blockOf('PAY-09', { violation })(120)
    expect(block).toBe(
      [
        '✗ PAY-09  a rejected payment carries a reason code                                   specs/payments/rejection.spec.ts:21',
        '    interface    "A rejected payment carries status RJCT, reasonCode, additionalInformation and statusDateTime."',
        '                 Errors, 4',
        '    reasonCode   expected one of AC01, AC04, AG01 … TM01; received nothing',
        `    exchange     GET /payments/7F…/status → 200${' '.repeat(56)}npm run show -- 4`,
        '    answer       {"status":"RJCT"}',
        '    reproduce    npm test -- --only PAY-09 --seed 42',
      ].join('\n'),
    )
  })

  test('shows the judged header, or the part of a long body around the received value', () => {
    const withAnswer = (response: Partial<NonNullable<Exchange['response']>>, changes: object): string => {
      const whole = { status: 200, headers: [], body: { text: '{}', bytes: 2 }, ...response }
      const answered = () => exchange('4', { response: whole })
      const block = blockOf('PAY-09', { violation: { ...violation, ...changes } }, {}, answered)(400)
      return /^ {4}answer +(.*)$/m.exec(block)?.[1] ?? 'none'
    }
    const headers = [
      ['Cache-Control', 'public'],
      ['Age', '0'],
    ] as const
    expect(withAnswer({ headers }, { subject: 'header cache-control' })).toBe('Cache-Control: public')
    const text = `{"a":"${'x'.repeat(500)}",\n"token_type":"MAC","b":"${'y'.repeat(500)}"}`
    const body = { text, bytes: text.length }
    const shown = withAnswer({ body }, { subject: 'token_type', received: '"MAC"' })
    expect(shown).toMatch(/^…x+", "token_type":"MAC"/)
    expect(withAnswer({ body: { text: '', bytes: 0 } }, {})).toBe('none')
  })

  test('keeps the lines of an example', () => {
    const counterexample = { value: '1. a payment\n2. its submission', seed: 42, path: '3:0' }
    expect(blockOf('PAY-09', { violation: { ...violation, counterexample } })(120).split('\n')).toEqual(
      expect.arrayContaining([
        '    example      1. a payment',
        '                 2. its submission',
        '    shrunk       seed 42, path 3:0',
      ]),
    )
  })

  test.each([80, 110, 160])('fits %i columns', (width) => {
    const lines = blockOf('PAY-09', { violation: { ...violation, received: 'a word '.repeat(40) } })(
      width,
    ).split('\n')
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width)
    expect(lines[0]?.endsWith('specs/payments/rejection.spec.ts:21')).toBe(true)
    expect(stringWidth(lines[0] ?? '')).toBe(width)
  })

  test('shows what a target sent without obeying it', () => {
    const block = blockOf('PAY-09', { violation: { ...violation, received: '\u001b[2J\nhello' } })()
    expect(block).toContain('received \\u001b[2J hello')
    expect(block).not.toContain('\u001b')
  })
})

describe('a block', () => {
  test('of what was not judged says why', () => {
    expect(blockOf('PAY-10')()).toMatch(/^- PAY-10 [\s\S]*\n {4}not-tested {3}pay is not allowed/)
  })

  test('names an exchange that is not in the evidence', () => {
    const block = blockOf('TOK-03', {}, {}, () => undefined)()
    expect(block).toContain('not in the evidence')
  })
})

describe('an exchange on one line', () => {
  test.each([
    ['https://bank.example/payments/7F3a9c1d-1111-2222-3333-444455556666/status', '/payments/7F…/status'],
    ['http://127.0.0.1:8080/authorize?state=secret&scope=x', '/authorize?…'],
    ['http://127.0.0.1:8080', '/'],
    ['http://127.0.0.1:8080?x=1', '/?…'],
    ['/relative/path', '/relative/path'],
  ])('%s is shown as %s', (url, path) => {
    expect(shortPath(url)).toBe(path)
  })

  test('says why no answer came', () => {
    const lost = unanswered({ kind: 'timeout', cause: 'UND_ERR_HEADERS_TIMEOUT', message: 'Headers Timeout' })
    expect(renderExchange(lost)).toBe('GET /payments/7F…/status?… → no answer (timeout)')
  })
})
