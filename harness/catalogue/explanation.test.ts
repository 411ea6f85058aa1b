import { expect, test } from 'vitest'
import { explainRow, explainUndisclosed } from './explanation.ts'
import type { RequirementReport } from '../report/schema.ts'
import type { Row } from './schema.ts'

const ROW: Row = {
  id: 'PAY-09',
  level: 'MUST',
  claim:
    'a rejected payment carries a reason code, and whatever else the interface asks of a rejection as such',
  quote: 'A rejected payment carries status RJCT, reasonCode, additionalInformation and statusDateTime.',
  place: 'Errors, 4',
  source: 'interface',
  reading: 'The code stands in the status record.',
  tags: [],
  checks: [
    {
      scenario: 'a payment to a malformed IBAN',
      file: 'specs/payments/rejection.spec.ts:21',
      property: true,
      effect: 'pay',
      as: 'any',
      needs: ['the payment API (payments)'],
    },
  ],
  defects: [{ id: 'reason-is-lost', story: 'A rejection has no reason.' }],
}

const FOUND: RequirementReport = {
  ...{ id: 'PAY-09', level: 'MUST', chapter: 'payments', claim: ROW.claim, quote: ROW.quote },
  ...{ place: ROW.place, source: 'interface', verdict: 'fail' },
  checks: [
    {
      ...{ title: 'x', file: 'specs/payments/rejection.spec.ts:21', verdict: 'fail', durationMs: 1 },
      violation: { subject: 'reasonCode', expected: 'one of AC01', received: 'nothing', exchange: 'x/4' },
      ...{ exchanges: ['x/4'], reproduce: 'npm test -- --only PAY-09 --seed 42' },
    },
  ],
}

test('a row is told from its words to what proves it, within 80 columns', () => {
  const text = explainRow(ROW, FOUND)
  const order = [
    ...['PAY-09  MUST', 'Says', 'Read as', 'Judged of', 'The last run', 'When it fails, look at'],
    'Proved on 1 bank that breaks it',
  ]
  expect(order.map((title) => text.indexOf(title))).toEqual(
    order.map((title) => text.indexOf(title)).toSorted((one, other) => one - other),
  )
  expect(text).toContain('fail: reasonCode: expected one of AC01, received nothing (exchange x/4)')
  expect(text).toContain('specs/payments/rejection.spec.ts:21')
  expect(text).toContain('counterexample')
  expect(text).toContain('reason-is-lost: A rejection has no reason.')
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('a row without a check says why, and gives no advice', () => {
  const text = explainRow({ ...ROW, checks: [], defects: [], because: 'it lies beyond a run' }, undefined)
  expect(text).toContain('Not judged\n  it lies beyond a run')
  expect(text).not.toMatch(/When it fails|Proved on|The last run/)
})

test('what the interface does not show is told with what was seen of it', () => {
  const row = {
    ...{ id: 'PAY-U1', subject: 'the request body', quote: 'The request body: not shown.' },
    ...{ place: 'Endpoints', recordedOf: ['an initiation'] },
  }
  const text = explainUndisclosed(row, ['201 with a body of 4 members'])
  expect(text).toContain('PAY-U1  not shown')
  expect(text).toContain('- 201 with a body of 4 members')
})
