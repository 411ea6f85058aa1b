import { Status } from 'allure-js-commons'
import { expect, test } from 'vitest'
import { renderMisfit } from '../../check/misfit.ts'
import { VERDICTS } from '../../check/verdict.ts'
import {
  BINDING_CATEGORY,
  BINDING_LABEL,
  CATEGORY_NAMES,
  categoryDefinitions,
  categoryRules,
  STATUS,
} from './categories.ts'

const message = (verdict: string): string => `${verdict}: expected one thing;\nreceived another`

test('each verdict but a pass has one category of its own', () => {
  for (const verdict of VERDICTS) {
    const matching = categoryDefinitions().filter(
      ({ matchedStatuses, messageRegex }) =>
        matchedStatuses?.includes(STATUS[verdict]) === true &&
        new RegExp(`^(?:${String(messageRegex)})$`).test(message(verdict)),
    )
    const expected = verdict === 'pass' ? [] : [CATEGORY_NAMES[verdict]]
    expect(matching.map(({ name }) => name)).toEqual(expected)
  }
})

test('the rules for the generator name the same categories in the same order', () => {
  expect(categoryRules().map(({ name }) => name)).toEqual(categoryDefinitions().map(({ name }) => name))
  expect(categoryRules()[1]).toEqual({
    name: 'fail: a MUST is broken',
    matchers: { labels: { verdict: 'fail' } },
  })
})

test('what a key of the profile has kept from being judged stands in a category of its own, before its verdict', () => {
  const misfit = {
    key: 'operations.refresh.path',
    bound: '/x',
    expected: 'operation',
    shown: 'nothing',
    exchange: 'e/1',
  }
  const [first] = categoryDefinitions()
  expect(first?.name).toBe(BINDING_CATEGORY)
  for (const verdict of ['not-reached', 'inconclusive'])
    expect(`${verdict}: ${renderMisfit(misfit)}`).toMatch(new RegExp(`^(?:${String(first?.messageRegex)})$`))
  expect(categoryRules()[0]?.matchers.labels).toEqual({ [BINDING_LABEL.name]: BINDING_LABEL.value })
})

test('only a violated MUST is red, and only the suite breaks', () => {
  const withStatus = (status: Status) => VERDICTS.filter((verdict) => STATUS[verdict] === status)
  expect(withStatus(Status.FAILED)).toEqual(['fail'])
  expect(withStatus(Status.BROKEN)).toEqual(['harness-error'])
  expect(withStatus(Status.PASSED)).toEqual(['warn', 'pass'])
})
