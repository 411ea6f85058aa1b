import { expect, test } from 'vitest'
import { rulesIn } from '../bank.ts'
import { conformingRules } from '../rules.ts'
import { combine } from './combine.ts'
import { conflictOf, DECLARED_CONFLICTS, matches, replacedRules, withoutConflicts } from './conflicts.ts'
import { dialects, generatedDialect } from '../dialects/generated.ts'
import { variations } from '../variations/index.ts'
import { freedoms } from './freedoms.ts'
import type { Variation } from '../defect.ts'

const tagged = (name: string): Variation => ({
  id: name,
  title: name,
  wire: (next) => async (request) => new Response(`${name}(${await (await next(request)).text()})`),
})

const textOf = async (variation: Variation): Promise<string> => {
  const bank = variation.wire?.(async () => new Response('bank'))
  return (await bank?.(new Request('http://bank.example')))?.text() ?? ''
}

test('wires are applied in the order of the variations, compression after all others', async () => {
  expect(await textOf(combine('both', [tagged('first'), tagged('second')]))).toBe('second(first(bank))')
  const compression = tagged('bodies-are-compressed-with-gzip')
  expect(await textOf(combine('both', [compression, tagged('other')]))).toBe(`${compression.id}(other(bank))`)
})

test('a variation gets the rules of the earlier ones as its conforming rules', () => {
  const conforming = rulesIn(undefined)
  const { rules } = combine('both', [
    { id: 'a', title: '', rules: { consentCreatedStatus: () => 200, refreshStatus: () => 200 } },
    {
      id: 'b',
      title: '',
      rules: (earlier) => ({
        consentCreatedStatus: (facts) => earlier.consentCreatedStatus(facts) + 1,
      }),
    },
  ])
  const changed = typeof rules === 'function' ? rules(conforming) : {}
  expect(Object.keys(changed).sort()).toEqual(['consentCreatedStatus', 'refreshStatus'])
  const facts = {} as Parameters<typeof conforming.consentCreatedStatus>[0]
  expect(changed.consentCreatedStatus?.(facts)).toBe(201)
})

test('variations that replace the same rule conflict, unless the rule is shared', () => {
  const one = { id: 'a', rules: { newConsentId: () => '1' } }
  const other = { id: 'b', rules: { newConsentId: () => '2' } }
  const body = { id: 'c', rules: { refusalBody: () => ({}) } }
  expect(conflictOf(one, other)).toBe('both replace the rule newConsentId')
  expect(conflictOf(one, body)).toBeUndefined()
  expect(conflictOf(body, { ...body, id: 'd' })).toBeUndefined()
})

test('a declared conflict matches at least one variation with each of its patterns', () => {
  const ids = [...variations, ...freedoms, ...dialects, generatedDialect(0)].map(({ id }) => id)
  const patterns = DECLARED_CONFLICTS.flatMap(({ variations: one, others = [] }) => [...one, ...others])
  expect(patterns.filter((pattern) => !ids.some((id) => matches(id, pattern)))).toEqual([])
})

test('the first of two that conflict is kept', () => {
  expect(withoutConflicts([3, 4, 6, 7], (one, other) => one % 3 === other % 3)).toEqual([3, 4])
})

test.for(freedoms.map((freedom) => [freedom.id, freedom] as const))(
  '%s has a variation at both ends of its values',
  ([, { from, to, vary }]) => {
    for (const value of [from, to]) {
      const { rules, wire } = vary(value)
      expect(wire !== undefined || replacedRules(rules).every((name) => name in conformingRules)).toBe(true)
    }
  },
)
