import { load } from 'cheerio'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VERDICTS } from '../check/verdict.ts'
import { conclude } from './conclude.ts'
import { renderJunit } from './junit.ts'
import {
  CATALOGUE,
  found,
  LEVELS,
  PLAN,
  planned,
  REJECTION,
  RESULTS,
  sampleReport,
} from '../testing/samples/reports.ts'
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

/**
 * What the schema of the xUnit plugin of Jenkins permits (junit-10.xsd), as far as this file needs it. The parser of GitLab
 * reads the same elements.
 */
type Names = readonly [children: string, attributes: string, required: string]
const OUTCOME: Names = ['', 'message type', '']
const SCHEMA: Readonly<Record<string, Names>> = {
  testsuites: ['testsuite', 'name time tests failures errors', ''],
  testsuite: [
    'testsuite properties testcase system-out system-err',
    'name tests failures errors skipped time timestamp hostname id',
    'name tests failures errors',
  ],
  properties: ['property', '', ''],
  property: ['', 'name value', 'name value'],
  testcase: ['skipped error failure system-out system-err', 'name time classname group', 'name'],
  failure: OUTCOME,
  error: OUTCOME,
  skipped: OUTCOME,
  'system-out': ['', '', ''],
  'system-err': ['', '', ''],
}

/** Of an element, as it is written. */
const nameOf = (element: { prop(name: 'nodeName'): string | undefined }): string =>
  (element.prop('nodeName') ?? '').toLowerCase()

const parse = (xml: string) => load(xml, { xml: true })

const render = (changes: Partial<RunRecord> = {}) => parse(renderJunit(sampleReport(changes)))

const withResult = (result: CheckResult) => [...RESULTS.filter(({ id }) => id !== result.id), result]

const $ = render()

test('has a case for each check, with its file and time', () => {
  const test = $('testcase[name^="PAY-09"]')
  expect(test.attr()).toMatchObject({
    classname: 'payments.PAY-09',
    time: '0.012',
  })
  expect(test.children('system-out').text()).toBe(
    'verdict: fail\nlevel: MUST\nassertions: 1\nfile: specs/payments/rejection.spec.ts:21',
  )
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
  expect(test.children('system-out').text()).toMatch(/^verdict: warn\n[\s\S]*\ninterface: /)
})

test('is not red for a check in which nothing occurred, if another one has judged its requirement', () => {
  const plan = { ...PLAN, checks: [planned('TOK-03/1'), planned('TOK-03/2')], leftOut: [] }
  const results = [found('TOK-03/1', 'not-reached', { judged: 0 }), found('TOK-03/2', 'pass')]
  const catalogue = CATALOGUE.filter(({ id }) => id === 'TOK-03')
  const ending = conclude(plan, new Map([['TOK-03', 'MUST']]), results, {
    strict: false,
    interrupted: false,
    unreachable: false,
  })
  expect(ending.exitCode).toBe(0)
  const shown = render({ plan, results, catalogue, ...ending })
  expect(shown('failure, error')).toHaveLength(0)
  expect(shown('skipped')).toHaveLength(1)
})

test('says with each skipped case why', () => {
  const notes = $('skipped')
    .map((_, skipped) => $(skipped).attr('message'))
    .get()
  expect(notes).toEqual([
    'not-tested: pay is not allowed (--allow pay)',
    'not-tested: no check exists yet: the scripted scenarios are not yet driven',
  ])
})

test('begins with the run and its headline', () => {
  const run = $('testsuite[name="run"]')
  expect(run.find('testcase').attr('name')).toBe('nonconforming (partial): 3 of 5 judged')
  expect(run.find('property[name="requirements"]').attr('value')).toBe(
    '5 (fail 1, warn 1, pass 1, not-tested 2)',
  )
  expect(run.find('property[name="checks"]').attr('value')).toBe('5 (fail 1, warn 1, pass 2, not-tested 1)')
})

test('names the seed, the target and the counts', () => {
  const properties = $('testsuite[name="tokens"] > properties > property')
    .map((_, property) => [[$(property).attr('name'), $(property).attr('value')]])
    .get()
  expect(properties).toEqual([
    ['seed', '42'],
    ['target', 'reference bank http://127.0.0.1:8080'],
    ['environment', 'sandbox'],
    ['requirements', '2 (warn 1, pass 1)'],
    ['checks', '3 (warn 1, pass 2)'],
  ])
})

test.each([
  ['harness-error', 'PAY-09/1', 'error'],
  ['inconclusive', 'PAY-09/1', 'error'],
  ['inconclusive', 'TOK-07/1', 'skipped'],
  ['not-reached', 'PAY-09/1', 'error'],
  ['not-reached', 'TOK-07/1', 'skipped'],
  ['waived', 'PAY-09/1', 'skipped'],
] as const)('of %s on %s is %s', (verdict, id, element) => {
  const results = withResult(found(id, verdict, { because: 'a reason' }))
  const outcome = render({ results })(`testcase[name^="${id.slice(0, 6)}"] > ${element}`)
  expect(outcome.attr('message')).toBe(`${verdict}: a reason`)
})

test('is red in the same cases as the exit code', () => {
  const verdict = fc.constantFrom(...VERDICTS)
  const waived = { requirement: 'PAY-09', reason: 'a reason', owner: 'an owner', expires: '2030-12-31' }
  fc.assert(
    fc.property(
      fc.record({
        verdicts: fc.tuple(verdict, verdict, verdict, verdict),
        strict: fc.boolean(),
        interrupted: fc.boolean(),
        unreachable: fc.boolean(),
        staleWaiver: fc.boolean(),
      }),
      ({ verdicts, strict, ...flags }) => {
        const results = verdicts.map((word, at) =>
          found(RESULTS[at]?.id ?? '', word, {
            ...((word === 'fail' || word === 'warn') && { violation: REJECTION }),
          }),
        )
        const sample = sampleReport({
          results,
          ...conclude(PLAN, LEVELS, results, { ...flags, strict }),
          waivers: [{ ...waived, state: flags.staleWaiver ? 'stale' : 'idle' }],
        })
        const report = { ...sample, run: { ...sample.run, strict } }
        const $ = parse(renderJunit(report))
        const isRed = $('failure, error').length > 0
        // A stale waiver is an error also if the target stops the run.
        expect(isRed).toBe(report.exitCode !== 0 || flags.staleWaiver)
      },
    ),
  )
})

test('a waiver that is no longer needed is an error of its own, with its reason, owner and last day', () => {
  const waiver = { requirement: 'PAY-09', reason: 'the new core', owner: 'payments', expires: '2030-12-31' }
  const $ = render({
    conclusion: 'conforms',
    gate: 'stale-waiver',
    exitCode: 6,
    waivers: [{ ...waiver, state: 'stale' }],
  })
  const error = $('testcase[classname="run.PAY-09"] > error')
  expect(error.attr()).toMatchObject({
    type: 'stale-waiver',
    message: 'PAY-09 passes now: remove its accepted exception (payments) from the file',
  })
  expect(error.text()).toBe('PAY-09 no longer needed; until 2030-12-31, payments: the new core')
  expect($('testsuite[name="run"]').attr()).toMatchObject({ tests: '2', errors: '2' })
})

test('has only what the schema of Jenkins permits', () => {
  const waiver = { requirement: 'PAY-09', reason: 'a', owner: 'b', expires: '2030-12-31' }
  const [, , should] = RESULTS
  const results = [
    found('TOK-03/1@FAC', 'inconclusive', { because: 'ECONNRESET' }),
    ...(should === undefined ? [] : [should]),
    ...RESULTS.slice(3),
  ]
  const $ = render({
    results,
    conclusion: 'conforms',
    gate: 'stale-waiver',
    exitCode: 6,
    waivers: [{ ...waiver, state: 'stale' }],
  })
  for (const element of ['failure', 'error', 'skipped', 'system-out', 'properties'])
    expect($(element).length).toBeGreaterThan(0)
  $('*').each((_, element) => {
    const name = nameOf($(element))
    const allowed = SCHEMA[name]
    expect(allowed, name).toBeDefined()
    if (allowed === undefined) return
    const [children, attributes, required] = allowed.map((names) => names.split(' '))
    const own = Object.keys($(element).attr() ?? {})
    const inside = $(element)
      .children()
      .map((_, child) => nameOf($(child)))
      .get()
    expect(children).toEqual(expect.arrayContaining(inside))
    expect(attributes).toEqual(expect.arrayContaining(own))
    expect(own).toEqual(expect.arrayContaining((required ?? []).filter(Boolean)))
  })
  $('testsuite').each((_, element) => expect($(element).attr('time')).toMatch(/^\d+(\.\d+)?$/))
})

test('is well-formed for any text', () => {
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
      expect($('testcase')).toHaveLength(7)
      expect($('testcase[name^="PAY-09"] > failure')).toHaveLength(1)
      expect($('skipped[message^="not-reached"]')).toHaveLength(1)
    }),
  )
})
