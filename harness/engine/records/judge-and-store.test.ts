import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measured } from '../../check/facts.ts'
import { must } from '../../check/requirement.ts'
import { assert } from '../../check/verdict.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { Inconclusive, NotReached, Waiting } from '../../evidence/signals.ts'
import { profileSchema } from '../../profile/schema.ts'
import { sampleProfile } from '../../testing/samples/profile.ts'
import { property, scenario } from '../../session/scenario.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { createJudgeAndStore } from './judge-and-store.ts'
import { digestOfValue, recordLineOf, type Outcome } from './outcome.ts'
import type { ObservedExchange } from '../../check/observed/exchange.ts'
import type { RecordLine, StoredLine } from '../../evidence/stored/record-file.ts'
import type { PlannedCheck } from '../../plan/plan.ts'
import type { StatedCheck } from '../../plan/catalogue.ts'
import type { ScenarioRun } from '../run-scenario.ts'

/** Each check is judged a second time, from what was stored. */

const SECRET = 'a-long-secret-0123456789'
const options = { effect: 'read', as: 'any' } as const
const done = scenario('something done', options, async () => undefined)
const ofNumbers = property(
  'something of a number',
  options,
  fc.integer({ min: 1, max: 9 }),
  async () => undefined,
)

const planned = {
  id: 'TST-01/1',
  requirement: 'TST-01',
  title: 'a claim',
  scenario: 'tokens/something',
} as PlannedCheck

const raw = sampleExchange({ id: 'tokens/something/1', body: JSON.stringify({ access_token: SECRET }) })

interface Seen {
  readonly answer: ObservedExchange
  readonly secret: string
}

const judged = async (
  judge: (record: Seen, value: unknown) => void,
  outcomeOf: (value: unknown) => Outcome = () => ({ record: { answer: raw, secret: SECRET } }),
  on: StatedCheck['scenario'] = done,
) => {
  const redactor = createRedactor([])
  const written = redactor.exchange(raw)
  const stored = new Map<string, RecordLine>()
  const lines: StoredLine[] = []
  const run: ScenarioRun = {
    redactor,
    known: redactor,
    isOpen: false,
    interferingScenario: undefined,
    stored,
    seen: () => ({ profile: profileSchema.parse(sampleProfile()), exchanges: [], all: () => [] }),
    async outcome(value) {
      const outcome = outcomeOf(value)
      const of = on.kind === 'property' ? digestOfValue(value) : undefined
      const origin = {
        scenario: planned.scenario,
        attempt: planned.scenario,
        interfering: undefined,
        of,
        redactor,
      }
      const line = recordLineOf(outcome, origin)
      stored.set(of ?? '', JSON.parse(JSON.stringify(line)) as RecordLine)
      return outcome
    },
    outcomes: async () => [],
  }
  const judging = createJudgeAndStore(
    { seed: 42, runs: 20 },
    {
      journal: { read: (id) => (id === raw.id ? written : undefined) },
      records: { write: (line) => lines.push(line) },
    },
  )
  const requirement = must('TST-01', { claim: 'a claim', quote: 'words', place: 'here' })
  const check: StatedCheck = {
    requirement,
    scenario: on,
    needs: [],
    isOnly: false,
    statedAt: new Error('here'),
    judge: judge as StatedCheck['judge'],
  }
  const result = await judging.judge(planned, check, run)
  return { result, line: lines.at(-1), text: JSON.stringify([lines, [...stored.values()], result]) }
}

test('a check that compares secrets has the same verdict, and nothing secret is stored', async () => {
  const { result, line, text } = await judged(({ answer, secret }) =>
    answer.body.field('access_token').equals(secret),
  )
  expect(result).toMatchObject({ verdict: 'pass', judged: 1, exchanges: [raw.id] })
  expect(line).toEqual({ kind: 'check', id: planned.id, scenario: planned.scenario })
  expect(text).not.toContain(SECRET)
})

test('the words of a failure are those of the stored record', async () => {
  const { result, text } = await judged(({ answer }) => answer.body.field('access_token').equals('another'))
  expect(result.violation).toMatchObject({ expected: '"another"', received: '"[access_token:1]"' })
  expect(text).not.toContain(SECRET)
})

test('what is measured on a secret is stored, and not the secret', async () => {
  const { line, result, text } = await judged(({ answer }) => {
    const { value } = answer.body.field('access_token')
    const length = measured('length', [String(value)], () => String(value).length)
    const upper = measured('in capitals', [String(value)], () => String(value).toUpperCase())
    answer.body.field('access_token').satisfies(length === SECRET.length && upper !== '', 'its length')
  })
  expect(result.verdict).toBe('pass')
  expect(line).toMatchObject({
    facts: [{ name: 'length', of: ['[access_token:1]'], value: SECRET.length }, {}],
  })
  expect(line).not.toHaveProperty('cannot')
  expect(text).not.toContain(SECRET)
})

test('a check that looks at a secret without measuring is marked, and keeps its verdict', async () => {
  const { line, result } = await judged(({ answer }) => {
    const { value } = answer.body.field('access_token')
    answer.body.field('access_token').satisfies(value === SECRET, 'this secret')
  })
  expect(result.verdict).toBe('pass')
  expect(line).toMatchObject({
    cannot: {
      because: 'its verdict is pass in the run, and fail judged from the stored record',
      result: { verdict: 'pass' },
    },
  })
})

test('a record that is not data is marked', async () => {
  const { line, result } = await judged(
    ({ answer }) => answer.status.equals(200),
    () => ({ record: { answer: raw, more: () => 1 } }),
  )
  expect(result.verdict).toBe('pass')
  expect(line).toMatchObject({ cannot: { because: 'the record holds a function' } })
})

const STOPS: readonly (readonly [verdict: string, stopped: Error])[] = [
  ['not-reached', new NotReached('nothing there')],
  ['inconclusive', new Inconclusive('the network')],
  ['harness-error', new Error('our fault')],
]

test.each(STOPS)('%s is judged again from what the scenario threw', async (verdict, stopped) => {
  const { line, result } = await judged(
    () => assert(true, () => ({ subject: '', expected: '', received: '', exchange: '' })),
    () => ({ stopped }),
  )
  expect(result.verdict).toBe(verdict)
  expect(line).not.toHaveProperty('cannot')
})

test('a check that waits is open for a resumed run', async () => {
  const until = new Date('2030-01-01T00:00:00.000Z')
  const { line, result } = await judged(
    () => undefined,
    () => ({ stopped: new Waiting(until) }),
  )
  expect(result).toMatchObject({ verdict: 'not-reached', until: until.toISOString() })
  expect(line).toMatchObject({ open: true })
})

test('a property is judged again value by value, with the same counterexample', async () => {
  const { line, result } = await judged(
    ({ answer }, value) => answer.status.satisfies(Number(value) < 3, 'a small number'),
    () => ({ record: { answer: raw } }),
    ofNumbers as StatedCheck['scenario'],
  )
  expect(result.violation?.counterexample).toMatchObject({ value: '3' })
  expect(line).not.toHaveProperty('cannot')
})
