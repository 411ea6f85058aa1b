import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countingOn } from '../../harness/check/model.ts'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { PAY } from './requirements.ts'
import { MOVES, PAYMENT, spread, type Cause, type Situation, type State } from './model.ts'

/** The model of a payment is the table of the interface, and lets nothing pass that the readings rule out. */

const source = readFileSync(new URL('../interface.md', import.meta.url), 'utf8')

const PLAIN: Situation = { isValid: true, isFuture: 'no', isGranted: true }

const from = (state: State, causes: readonly Cause[], situation: Partial<Situation> = {}) =>
  [...spread(new Map([[state, []]]), causes, { ...PLAIN, ...situation }).keys()].filter(
    (each) => each !== state,
  )

describe('the model of a payment', () => {
  test('quotes the interface to the letter, for every move that the interface knows of', () => {
    const misquoted = MOVES.filter((move) => move.ground !== 'unnamed' && !source.includes(move.source))
    expect(misquoted).toEqual([])
  })

  test('has the five rows of the table', () => {
    expect(MOVES.filter(({ ground }) => ground === 'stated')).toHaveLength(5)
  })

  test('names each move once, between states that it draws', () => {
    const ids = MOVES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const states = new Set(PAYMENT.states.map(({ id }) => id))
    expect(MOVES.filter(({ from: one, to }) => !states.has(one) || !states.has(to))).toEqual([])
  })

  test('nothing leaves RJCT or ACSC, and nothing but an initiation leads to ACTC', () => {
    expect(MOVES.filter(({ from: one }) => one === 'RJCT' || one === 'ACSC')).toEqual([])
    expect(MOVES.filter(({ to, by }) => to === 'ACTC' && by !== 'initiation')).toEqual([])
  })
})

test('every scenario that judges a move which the interface names also draws it', async () => {
  const { checks } = await loadCatalogue()
  const stated = MOVES.filter(({ ground }) => ground === 'stated')
  const judging = checks.filter(({ check: { requirement } }) =>
    [PAY.validPaymentIsAccepted, PAY.invalidPaymentIsRejected, PAY.authorizedPaymentIsInProcess]
      .concat([PAY.futurePaymentIsPending, PAY.invalidSubmissionIsRejected])
      .some(({ id }) => id === requirement.id),
  )
  expect(judging.length).toBeGreaterThanOrEqual(stated.length)
  const undrawn = judging.filter(({ check }) => countingOn(check.scenario)?.model !== PAYMENT)
  expect(undrawn.map(({ check }) => check.scenario.title)).toEqual([])
})

const ALL: readonly Cause[] = ['submission', 'customer', 'time', 'itself']

describe('a payment in ACTC', () => {
  test('is submitted to ACSP or, of a later date, to PDNG', () => {
    expect(from('ACTC', ['submission'])).toEqual(['ACSP', 'RJCT', 'ACSC'])
    expect(from('ACTC', ['submission'], { isFuture: 'yes' })).toEqual(['PDNG', 'RJCT'])
  })

  test('that nobody has granted goes nowhere but to RJCT, whatever happens', () => {
    expect(from('ACTC', ALL, { isGranted: false })).toEqual(['RJCT'])
  })

  test('stays there while nothing happens to it', () => {
    expect(from('ACTC', [])).toEqual([])
  })
})

test('an order that fails business validation is RJCT', () => {
  expect(from('none', ['initiation'], { isValid: false })).toEqual(['RJCT'])
})

test('a move that the interface names is preferred to one that it does not', () => {
  const asked = spread(new Map([['ACTC', []]]), ['customer'], PLAIN)
  expect(asked.get('RJCT')).toEqual(['ACTC → RJCT by customer'])
  expect(spread(asked, ['submission'], PLAIN).get('RJCT')).toEqual(['ACTC → RJCT by submission'])
})
