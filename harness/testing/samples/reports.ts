import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { must, should, notShown } from '../../check/requirement.ts'
import { assembleReport, type CatalogueRow, type RunRecord, type NotShownRow } from '../../report/assemble.ts'
import { conclude, type Levels } from '../../report/conclude.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Exchange, Fault } from '../../evidence/exchange.ts'
import type { Plan, PlannedCheck } from '../../plan/plan.ts'
import type { Reason } from '../../plan/reason.ts'
import type { Report } from '../../report/schema.ts'

/** A small sample run for the tests of the reports: one requirement for each relevant verdict. */

export const CATALOGUE: readonly CatalogueRow[] = [
  {
    ...must('TOK-03', {
      claim: 'the token type is Bearer',
      quote: 'token_type | string | Value Bearer.',
      place: 'Resources, Token response, token_type',
    }),
    chapter: 'tokens',
  },
  {
    ...should('TOK-07', {
      claim: 'the answer of the token endpoint is not stored by caches',
      quote: 'The authorization server MUST include the HTTP "Cache-Control" response header field',
      place: '§5.1',
      source: 'RFC 6749 §5.1',
      tags: ['headers'],
    }),
    chapter: 'tokens',
  },
  {
    ...must('PAY-09', {
      claim: 'a rejected payment carries a reason code',
      quote: 'A rejected payment carries status RJCT, reasonCode, additionalInformation and statusDateTime.',
      place: 'Errors, 4',
      reading: 'The code stands in the status record.',
    }),
    chapter: 'payments',
  },
  {
    ...must('PAY-10', {
      claim: 'a paid order stays paid',
      quote: 'ACSC is final.',
      place: 'Status codes, 5',
    }),
    chapter: 'payments',
  },
  {
    ...must('LOA-01', {
      claim: 'a loan application can be cancelled in NEW',
      quote: 'An application in NEW can be cancelled.',
      place: 'Loans, 3',
      pending: 'the scripted scenarios are not yet driven',
    }),
    chapter: 'loans',
  },
]

const NOT_SHOWN: readonly NotShownRow[] = [
  {
    ...notShown('PAY-U1', {
      subject: 'the fields of an initiation',
      quote: 'Other fields: not shown.',
      place: 'Payment',
    }),
    chapter: 'payments',
  },
]

export const LEVELS: Levels = new Map(CATALOGUE.map(({ id, level }) => [id, level]))

export const planned = (id: string, changes: Partial<PlannedCheck> = {}): PlannedCheck => {
  const requirement = id.split('/')[0] ?? id
  const row = CATALOGUE.find((one) => one.id === requirement)
  return {
    id,
    key: `specs/${row?.chapter ?? 'tokens'}/scenario.spec.ts#1`,
    requirement,
    chapter: row?.chapter ?? 'tokens',
    title: `${row?.claim ?? 'a claim'}: a scenario`,
    scenario: `${row?.chapter ?? 'tokens'}/a-scenario`,
    file: `specs/${row?.chapter ?? 'tokens'}/scenario.spec.ts:12`,
    effect: 'consent',
    authorizations: 1,
    sharesGrant: false,
    property: false,
    ...changes,
  }
}

export const found = (
  id: string,
  verdict: CheckResult['verdict'],
  changes: Partial<CheckResult> = {},
): CheckResult => ({
  id,
  requirement: id.split('/')[0] ?? id,
  title: 'a scenario',
  verdict,
  durationMs: 12,
  exchanges: [`${id}/1`],
  ...changes,
})

export const REJECTION = {
  subject: 'reasonCode',
  expected: 'one of AC01, AC04, AG01 … TM01',
  received: 'nothing',
  exchange: 'payments/a-rejection/4',
} as const

export const PAY_NOT_ALLOWED: Reason = {
  kind: 'effect-not-allowed',
  because: 'pay is not allowed (--allow pay)',
  changes: [{ change: 'option', what: '--allow pay' }],
}

export const PLAN: Plan = {
  checks: [
    planned('TOK-03/1@FAC', { application: 'FAC', title: 'the token type is Bearer: a code exchange' }),
    planned('TOK-03/1@TPP', { application: 'TPP', title: 'the token type is Bearer: a code exchange' }),
    planned('TOK-07/1', { actingKind: 'FAC' }),
    planned('PAY-09/1', {
      actingKind: 'TPP',
      title: 'a rejected payment carries a reason code: a payment to a malformed IBAN',
      scenario: 'payments/a-rejection',
      file: 'specs/payments/rejection.spec.ts:21',
      effect: 'pay',
    }),
    planned('PAY-10/1', { actingKind: 'TPP', heldBack: PAY_NOT_ALLOWED, effect: 'pay' }),
  ],
  leftOut: [
    {
      requirement: 'LOA-01',
      kind: 'pending',
      because: 'no check exists yet: the scripted scenarios are not yet driven',
    },
  ],
  scope: 'full',
  effects: ['read', 'consent'],
  effectsElsewhere: [],
  seed: 42,
  runs: 100,
}

export const RESULTS: readonly CheckResult[] = [
  found('TOK-03/1@FAC', 'pass', { exchanges: ['tokens/a-code-exchange@FAC/1'] }),
  found('TOK-03/1@TPP', 'pass', { exchanges: ['tokens/a-code-exchange@TPP/1'] }),
  found('TOK-07/1', 'warn', {
    exchanges: ['tokens/a-code-exchange@FAC/1'],
    violation: {
      subject: 'header Cache-Control',
      expected: 'no-store',
      received: 'nothing',
      exchange: 'tokens/a-code-exchange@FAC/1',
    },
  }),
  found('PAY-09/1', 'fail', {
    exchanges: ['payments/a-rejection/3', 'payments/a-rejection/4'],
    judged: 1,
    violation: REJECTION,
  }),
]

export const exchange = (id: string, changes: Partial<Exchange> = {}): Exchange => ({
  kind: 'exchange',
  id,
  sender: 'scenario',
  operation: 'paymentStatus',
  effect: 'read',
  request: {
    method: 'GET',
    url: 'http://127.0.0.1:8080/payments/7F3a9c1d-1111-2222-3333-444455556666/status?verbose=1',
    headers: [
      ['Authorization', 'Bearer [access_token#1]'],
      ['Accept', 'application/json'],
    ],
  },
  response: {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: { text: '{"status":"RJCT"}', bytes: 17 },
  },
  sentAt: '2030-01-01T00:00:00.000Z',
  durationMs: 3.4,
  ...changes,
})

/** An exchange that got no answer. */
export const unanswered = (fault: Fault): Exchange => {
  const whole = { ...exchange('s/1'), fault }
  delete whole.response
  return whole
}

export const EVIDENCE: readonly Exchange[] = [
  exchange('tokens/a-code-exchange@FAC/1', { operation: 'token' }),
  exchange('tokens/a-code-exchange@TPP/1', { operation: 'token' }),
  exchange('payments/a-rejection/3', { operation: 'initiatePayment' }),
  exchange('payments/a-rejection/4'),
]

export const runRecord = (changes: Partial<RunRecord> = {}): RunRecord => {
  const plan = changes.plan ?? PLAN
  const results = changes.results ?? RESULTS
  const flags = { strict: false, interrupted: false, unreachable: false }
  return {
    suite: { name: 'bank-interface-conformance', version: '0.1.0', catalogueDigest: 'sha256:00' },
    run: {
      id: 'run-1',
      startedAt: '2030-01-01T00:00:00.000Z',
      finishedAt: '2030-01-01T00:00:12.345Z',
      durationMs: 12_345,
      seed: 42,
      command: 'npm test -- --profile bank.yaml',
      revision: 'c0ffee',
      strict: false,
    },
    target: {
      name: 'reference bank',
      baseUrl: 'http://127.0.0.1:8080',
      environment: 'sandbox',
      clock: 'virtual',
      profileDigest: 'sha256:11',
    },
    evidence: {
      exchanges: 4,
      bytes: 1_234,
      sha256: '22',
      heads: ['33'],
      records: { lines: 2, bytes: 567, sha256: '44', heads: ['55'] },
    },
    plan,
    catalogue: CATALOGUE,
    notShown: NOT_SHOWN,
    results,
    observations: [
      { notShown: 'PAY-U1', value: 'status' },
      { notShown: 'PAY-U1', value: 'orderId' },
      { notShown: 'PAY-U1', value: 'status' },
    ],
    ...conclude(plan, LEVELS, results, flags),
    ...changes,
  }
}

export const sampleReport = (changes: Partial<RunRecord> = {}): Report => assembleReport(runRecord(changes))

/** A directory that is removed after the test. */
export const scratch = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'report-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
