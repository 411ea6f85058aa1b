import { expect, test } from 'vitest'
import { NotReached } from '../evidence/signals.ts'
import { scenario } from '../session/scenario.ts'
import { Selection } from './selection.ts'
import { assert, countAssertions, type Judgement } from './verdict.ts'

const numbers = scenario('numbers', { effect: 'read', as: 'any' }, async () => ({ all: [1] }))
const each = numbers.each(({ all }) => all, 'there is no number')
const violation = { subject: 'number', expected: 'less', received: 'more', exchange: '1' }

const below =
  (most: number) =>
  (one: number): void =>
    assert(one < most, () => violation)

const judged = <Record>(
  selection: Selection<Record>,
  all: readonly number[],
  judge: (record: Record) => void,
): Judgement => countAssertions(() => selection.judge({ all }, judge))

const reasonOf = ({ thrown }: Judgement): unknown => (thrown instanceof NotReached ? thrown.message : thrown)

test('each item is judged', () => {
  expect(judged(each, [1, 2, 3], below(9))).toMatchObject({ judged: 3 })
})

test('a check without items is not reached', () => {
  expect(reasonOf(judged(each, [], below(9)))).toBe('there is no number')
})

test('an item that cannot be judged makes the check not reached, and the others are judged', () => {
  const judge = (one: number): void => {
    if (one === 1) throw new NotReached('one is no number')
    below(9)(one)
  }
  const judgement = judged(each, [1, 2, 3], judge)
  expect(judgement).toMatchObject({ judged: 2 })
  expect(reasonOf(judgement)).toBe('one is no number')
})

test('only items that fulfill the precondition are judged', () => {
  const large = each.where((one) => one > 2, 'no number is large')
  expect(judged(large, [1, 2, 3], below(9))).toMatchObject({ judged: 1 })
  expect(reasonOf(judged(large, [1, 2], below(9)))).toBe('no number is large')
  expect(judged(large, [1, 9], below(9)).thrown).toMatchObject({ violation })
})

test('a record is judged if it fulfills the precondition', () => {
  const some = numbers.where(({ all }) => all.length > 1, 'there are too few')
  const judge = ({ all }: { readonly all: readonly number[] }): void => all.forEach(below(9))
  expect(judged(some, [1, 2], judge)).toMatchObject({ judged: 2 })
  expect(reasonOf(judged(some, [1], judge))).toBe('there are too few')
  expect(
    reasonOf(
      judged(
        some.each(({ all }) => all, 'none'),
        [1],
        below(9),
      ),
    ),
  ).toBe('there are too few')
})

test('a record that cannot be used by the statement of the profile names its key', () => {
  const rests = { on: { key: 'payments.facts', states: 'it is closed' }, unusable: () => 'it is a guess' }
  const selection = new Selection(numbers, () => [{ read: () => 1, rests }])
  expect(reasonOf(judged(selection, [], below(9)))).toBe('the order of payments.facts: it is a guess')
  const asItIs = selection.where((one) => one === 1, 'it is not one')
  expect(judged(asItIs, [], below(9))).toMatchObject({ judged: 1, statements: [] })
})
