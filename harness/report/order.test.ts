import { describe, expect, test } from 'vitest'
import { assembleReport } from './assemble.ts'
import { byExchange, compareStatuses } from './order.ts'
import { RESULTS, runRecord } from '../testing/samples/reports.ts'
import type { Misfit } from '../profile/binding/misfit.ts'
import type { RunRecord } from './assemble.ts'

test('what was exchanged is listed by chapter, scenario and place, whenever it came', () => {
  const came = ['loans/b/2', 'probe/1', 'loans/b/10', 'payments/z/1', 'loans/a/11', 'consent/c@TPP/3']
  expect(byExchange(came, (id) => id)).toEqual([
    ...['consent/c@TPP/3', 'payments/z/1', 'loans/a/11', 'loans/b/2', 'loans/b/10', 'probe/1'],
  ])
})

test('statuses are listed as in the interface, and what it does not have behind them', () => {
  const seen = ['no status', 'CANCELED', 'PAUSED', 'LOAN_DISBURSED', 'NEW']
  expect(seen.toSorted(compareStatuses)).toEqual(['NEW', 'LOAN_DISBURSED', 'CANCELED', 'no status', 'PAUSED'])
})

describe('a report does not depend on what came first', () => {
  const misfit = (exchange: string): Misfit => ({
    ...{ key: 'operations.listTransactions.id', bound: 'id', expected: 'id', shown: 'the answer', exchange },
  })
  const payment = (initiation: string) => ({ orderId: initiation, initiation, seen: initiation })
  const application = (submission: string) => ({
    ...{ applicationId: submission, canceled: false, submission, seen: submission },
  })
  const created = (kind: 'payment' | 'consent', exchange: string) => ({
    ...{ kind, id: exchange, scenario: exchange, exchange, cleaned: true },
  })
  const lists: Partial<RunRecord> = {
    results: RESULTS.map((result, at) => ({ ...result, misfits: [misfit(`tokens/a/${at}`)] })),
    payments: [payment('payments/a/1'), payment('payments/b/1')],
    applications: [application('loans/a/2'), application('loans/a/12')],
    created: [created('payment', 'payments/a/1'), created('consent', 'consent/a/1')],
    timeLines: ['loans/a', 'loans/b'].map((scenario) => ({
      ...{ scenario, path: scenario, expected: [], observed: [], looks: [] },
    })),
  }
  const reversed = Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [name, Array.isArray(list) ? list.toReversed() : list]),
  )

  test('in any of its lists', () => {
    const report = assembleReport({ ...runRecord(), ...lists })
    expect(assembleReport({ ...runRecord(), ...reversed })).toEqual(report)
    expect(report.payments?.map(({ orderId }) => orderId)).toEqual(['payments/a/1', 'payments/b/1'])
    expect(report.created?.map(({ kind }) => kind)).toEqual(['payment', 'consent'])
  })
})
