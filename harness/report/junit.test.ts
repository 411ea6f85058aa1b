import { load } from 'cheerio'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderJunit } from './junit.ts'
import { found, RESULTS, sampleReport } from '../testing/samples/reports.ts'
import type { CheckResult } from '../check/result.ts'
import type { RunRecord } from './assemble.ts'

const SECTION = /<!\[CDATA\[[\s\S]*?\]\]>/g
const TAGS_AND_TEXT = /^(?:[^<>]|<\/?[a-z-]+(?: [a-z]+="[^"<]*")*\/?>|<\?xml[^?]*\?>)*$/
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|#x?[\da-fA-F]+);)/

const expectWellFormed = (xml: string): void => {
  const outside = xml.replaceAll(SECTION, '')
  expect(outside).toMatch(TAGS_AND_TEXT)
  expect(outside).not.toMatch(BARE_AMPERSAND)

  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u)
}

const parse = (xml: string) => load(xml, { xml: true })

const render = (changes: Partial<RunRecord> = {}) => parse(renderJunit(sampleReport(changes)))

const withResult = (result: CheckResult) => [...RESULTS.filter(({ id }) => id !== result.id), result]

describe('junit.xml', () => {
  const $ = render()

  test('has a suite for each chapter that has requirements', () => {
    expect(
      $('testsuite')
        .map((_, suite) => $(suite).attr('name'))
        .get(),
    ).toEqual(['tokens', 'payments', 'loans'])
  })

  test('counts what a build server counts', () => {
    expect($('testsuites').attr()).toMatchObject({ tests: '6', failures: '1', errors: '0', skipped: '2' })
  })

  test('has a case for each check, with its file and time', () => {
    const test = $('testcase[name^="PAY-09"]')
    expect(test.attr()).toMatchObject({
      classname: 'payments.PAY-09',
      file: 'specs/payments/rejection.spec.ts',
      time: '0.012',
    })
    expect(test.find('property[name="line"]').attr('value')).toBe('21')
    expect(test.find('property[name="assertions"]').attr('value')).toBe('1')
  })

  test('says what a failed check saw, quoted the interface and repeats it', () => {
    const failure = $('testcase[name^="PAY-09"] > failure')
    expect(failure.attr('message')).toBe(
      'reasonCode: expected one of AC01, AC04, AG01 … TM01; received nothing',
    )
    expect(failure.text()).toContain('"A rejected payment carries status RJCT')
    expect(failure.text()).toContain('exchange payments/a-rejection/4')
    expect(failure.text()).toContain('reproduce: npm test -- --only PAY-09 --seed 42')
  })

  test('does not fail a build for a SHOULD, but shows it', () => {
    const test = $('testcase[name^="TOK-07"]')
    expect(test.children('failure, error, skipped')).toHaveLength(0)
    expect(test.children('system-out').text()).toContain('warn: interface: ')
    expect(test.find('property[name="verdict"]').attr('value')).toBe('warn')
  })

  test('says with each skipped case why', () => {
    const notes = $('skipped')
      .map((_, skipped) => $(skipped).attr('message'))
      .get()
    expect(notes).toEqual([
      'not-applicable: pay is not allowed (--allow pay)',
      'not-applicable: pending: the scripted scenarios are not yet driven',
    ])
  })

  test('names the seed, the target and the conclusion', () => {
    const properties = $('testsuite[name="tokens"] > properties > property')
      .map((_, property) => [[$(property).attr('name'), $(property).attr('value')]])
      .get()
    expect(properties).toEqual([
      ['seed', '42'],
      ['target', 'reference bank http://127.0.0.1:8080'],
      ['environment', 'sandbox'],
      ['conclusion', 'nonconforming'],
    ])
  })

  test.each([
    ['harness-error', 'PAY-09/1', 'error'],
    ['inconclusive', 'PAY-09/1', 'error'],
    ['inconclusive', 'TOK-07/1', 'skipped'],
    ['not-reached', 'PAY-09/1', 'skipped'],
    ['waived', 'PAY-09/1', 'skipped'],
  ] as const)('of %s on %s is %s', (verdict, id, element) => {
    const results = withResult(found(id, verdict, { because: 'a reason' }))
    const outcome = render({ results })(`testcase[name^="${id.slice(0, 6)}"] > ${element}`)
    expect(outcome.attr('message')).toBe(`${verdict}: a reason`)
  })

  test('is well-formed for any text', () => {
    expect.hasAssertions()
    const nasty = fc
      .string({ unit: 'binary' })
      .map((text) => `${text}]]>]]>\u0000\u001b<&"'\ud800\n<skipped/>\n`)
    fc.assert(
      fc.property(nasty, (received) => {
        const violation = { subject: received, expected: received, received, exchange: received }
        const fail = found('PAY-09/1', 'fail', { violation, exchanges: [received] })
        const lost = found('TOK-07/1', 'not-reached', { because: received })
        const xml = renderJunit(sampleReport({ results: [...withResult(fail).slice(0, 2), fail, lost] }))
        expectWellFormed(xml)
        const $ = parse(xml)
        expect($('testcase')).toHaveLength(6)
        expect($('testcase[name^="PAY-09"] > failure')).toHaveLength(1)
        expect($('skipped[message^="not-reached"]')).toHaveLength(1)
      }),
    )
  })
})
