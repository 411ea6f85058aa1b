import { expect, test } from 'vitest'
import { NotReached } from '../../evidence/signals.ts'
import { BUDGETED } from '../../profile/schema/connection.ts'
import { createBudget } from './budget.ts'
import { OPERATIONS } from '../../evidence/effect.ts'

test('every operation can be budgeted', () => {
  expect([...BUDGETED].sort()).toEqual(Object.keys(OPERATIONS).sort())
})

test('so many requests and no more, whatever they are', () => {
  const budget = createBudget({ requests: 2, perOperation: {} })
  budget.spend('token')
  budget.spend('readAccount')
  expect(() => budget.spend('token')).toThrow(NotReached)
  expect(() => budget.spend('token')).toThrow('the budget of 2 requests is used up (--budget')
})

test('of one operation fewer, which leaves the others alone', () => {
  const budget = createBudget({ perOperation: { token: 1 } })
  budget.spend('token')
  expect(() => budget.spend('token')).toThrow('1 requests of the operation token is used up')
  for (let count = 0; count < 50; count += 1) budget.spend('readAccount')
})

test('what was sent before counts', () => {
  const spent = new Map([
    ['probe', 1],
    ['token', 2],
  ])
  expect(() => createBudget({ requests: 3, perOperation: {} }, spent).spend('readLoan')).toThrow(NotReached)
  expect(() => createBudget({ perOperation: { token: 2 } }, spent).spend('token')).toThrow(NotReached)
  createBudget({ requests: 4, perOperation: { token: 3 } }, spent).spend('token')
})
