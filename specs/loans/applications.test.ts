import { expect, test } from 'vitest'
import { ObservedExchange, UsedExchanges } from '../../harness/check/observed/exchange.ts'
import { sampleExchange } from '../../harness/testing/samples/exchange.ts'
import { goesForward, histories } from './applications.ts'
import type { LoanWords, WholeRun } from '../../harness/check/index.ts'
import type { Scenario } from '../../harness/session/index.ts'

const WORDS: LoanWords = {
  submission: { id: 'id' },
  status: { status: 'status' },
  errorCode: 'code',
  precalculation: { positive: { kind: 'status' } },
}

/** Reads of an application whose id is written as a pseudonym. Its number begins anew in each scenario. */
const read = (id: string, status: string) =>
  new ObservedExchange(
    sampleExchange({
      id,
      operation: 'readLoan',
      url: 'https://bank.example/v1/applications/[id:1]/status',
      body: JSON.stringify({ status }),
    }),
    new UsedExchanges(),
  )

const judged = (...reads: readonly ObservedExchange[]): void => {
  const run = { exchanges: reads, calls: [], profile: { loans: WORDS } } as unknown as WholeRun
  histories({} as Scenario).judge(run, goesForward)
}

test('an application goes forward', () => {
  expect(() => judged(read('a/1', 'NEW'), read('a/2', 'LOAN_APPLICATION_FINISHED'))).not.toThrow()
  expect(() => judged(read('a/1', 'LOAN_APPLICATION_FINISHED'), read('a/2', 'NEW'))).toThrow(
    'may come after LOAN_APPLICATION_FINISHED',
  )
})

test('the applications of two scenarios are two, also under one pseudonym', () => {
  expect(() => judged(read('a/1', 'EXPIRED'), read('b/1', 'NEW'))).not.toThrow()
  expect(() => judged(read('a/1', 'LOAN_APPLICATION_FINISHED'), read('b/1', 'NEW'))).not.toThrow()
})
