import { expect, test } from 'vitest'
import { byExchange, compareStatuses } from './order.ts'

test('what was exchanged is listed by chapter, scenario and place, whenever it came', () => {
  const came = ['loans/b/2', 'probe/1', 'loans/b/10', 'payments/z/1', 'loans/a/11', 'consent/c@TPP/3']
  expect(byExchange(came, (id) => id)).toEqual([
    ...['consent/c@TPP/3', 'payments/z/1', 'loans/a/11', 'loans/b/2', 'loans/b/10', 'probe/1'],
  ])
})

test('statuses are listed in the order of the interface, and unknown ones after them', () => {
  const seen = ['no status', 'CANCELED', 'PAUSED', 'LOAN_DISBURSED', 'NEW']
  expect(seen.toSorted(compareStatuses)).toEqual(['NEW', 'LOAN_DISBURSED', 'CANCELED', 'no status', 'PAUSED'])
})
