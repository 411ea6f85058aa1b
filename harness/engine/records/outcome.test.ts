import { describe, expect, test } from 'vitest'
import { factsOf } from '../../check/facts.ts'
import { must } from '../../check/requirement.ts'
import { assert } from '../../check/verdict.ts'
import { openMemoryJournal } from '../../evidence/journal.ts'
import { createRedactor, type KnownSecret } from '../../evidence/redaction.ts'
import { Inconclusive, NotReached, Waiting } from '../../evidence/signals.ts'
import { scenario } from '../../session/scenario.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { sampleProfile } from '../../testing/samples/profile.ts'
import { profileSchema } from '../../profile/schema.ts'
import { judgeCheck } from '../judge.ts'
import { storeOutcome, type Outcome } from './outcome.ts'
import { openStoredRun } from './stored-run.ts'
import type { ObservedExchange } from '../../check/observed/exchange.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { RecordLine } from '../../evidence/stored/record-file.ts'
import type { PlannedCheck } from '../../plan/plan.ts'
import type { StatedCheck } from '../../plan/catalogue.ts'

/** A judge sees what was stored: no secret, and facts about secrets. */

const SECRET = 'a-long-secret-0123456789'
const done = scenario('something done', { effect: 'read', as: 'any' } as const, async () => undefined)

const planned = {
  id: 'TST-01/1',
  requirement: 'TST-01',
  title: 'a claim',
  scenario: 'tokens/something',
} as PlannedCheck

const answering = (body: string, at = 1): Exchange => sampleExchange({ id: `tokens/something/${at}`, body })
const raw = answering(JSON.stringify({ access_token: SECRET }))

interface Seen {
  readonly answer: ObservedExchange
  readonly secret: string
}

const judged = async (
  judge: (record: Seen) => void,
  outcome: Outcome = { record: { answer: raw, secret: SECRET } },
  exchanges: readonly Exchange[] = [raw],
  known: readonly KnownSecret[] = [],
) => {
  const redactor = createRedactor(
    known,
    profileSchema.parse({ ...sampleProfile(), personalData: 'pseudonyms' }),
  )
  const journal = openMemoryJournal()
  for (const exchange of exchanges) journal.write(exchange, redactor)
  const { scenario: attempt } = planned
  const line: RecordLine = {
    kind: 'record',
    scenario: attempt,
    attempt,
    outcome: storeOutcome(outcome, { attempt, redactor, exchangeOf: (id) => journal.read(id) }),
  }
  const text = JSON.stringify(line)
  const run = openStoredRun(done, new Map([['', JSON.parse(text) as RecordLine]]), (id) => journal.read(id))
  const check: StatedCheck = {
    requirement: must('TST-01', { claim: 'a claim', quote: 'words', place: 'here' }),
    scenario: done,
    needs: [],
    isOnly: false,
    statedAt: new Error('here'),
    judge: (record) => judge(record as unknown as Seen),
  }
  const result = await judgeCheck(planned, check, run, { seed: 42, runs: 1 })
  return { result, text: text + JSON.stringify(result) }
}

test('secrets can be compared, and none is stored', async () => {
  const { result, text } = await judged(({ answer, secret }) =>
    answer.body.field('access_token').equals(secret),
  )
  expect(result).toMatchObject({ verdict: 'pass', judged: 1, exchanges: [raw.id] })
  expect(text).not.toContain(SECRET)
})

test('a member keeps its name if a secret is the same word, and any other secret in a name is replaced', async () => {
  const known = ['answer', SECRET].map((value) => ({ name: 'security_header', value }))
  const record = { answer: raw, secret: 'answer', [SECRET]: 1 }
  const { result, text } = await judged(
    ({ answer, secret }) => {
      expect(secret).toBe('[security_header:1]')
      answer.body.field('access_token').isPresent()
    },
    { record },
    [raw],
    known,
  )
  expect(result).toMatchObject({ verdict: 'pass' })
  expect(text).not.toContain(SECRET)
})

test('a failure shows the pseudonym', async () => {
  const { result, text } = await judged(({ answer }) => answer.body.field('access_token').equals(SECRET))
  expect(result.violation).toMatchObject({ received: '"[access_token:1]"' })
  expect(text.replace(SECRET, '')).not.toContain(SECRET)
})

describe('what is known of a secret', () => {
  test('is its length and its kinds of characters', async () => {
    const { result } = await judged(({ answer, secret }) => {
      const { length, characters } = factsOf(secret)
      const { value } = answer.body.field('access_token')
      answer.body.field('access_token').satisfies(value === secret && secret !== SECRET, 'a pseudonym')
      answer.status.satisfies(length === SECRET.length && characters === '0fz-', 'its facts')
      answer.status.satisfies(
        factsOf(`Bearer ${secret}`).length === SECRET.length + 7,
        'those of a longer text',
      )
    })
    expect(result).toMatchObject({ verdict: 'pass', judged: 3 })
  })

  test('is its type in JSON', async () => {
    const number = answering('{"access_token":123456789012}')
    const { result, text } = await judged(
      ({ answer }) => answer.body.kind('access_token').equals('number'),
      { record: { answer: number } },
      [number],
    )
    expect(result.verdict).toBe('pass')
    expect(text).not.toContain('123456789012')
  })

  test('are the secrets within it', async () => {
    const within = Buffer.from(`${SECRET} and more`).toString('base64')
    const page = sampleExchange({
      id: 'tokens/something/2',
      operation: 'authorize',
      body: `<!doctype html><input type="hidden" name="last" value="${within}">`,
      headers: [['Content-Type', 'text/html']],
    })
    const { result, text } = await judged(
      ({ answer, secret }) => answer.hides(secret, 'the secret'),
      { record: { answer: page, secret: SECRET } },
      [raw, page],
    )
    expect(result).toMatchObject({ verdict: 'fail', violation: { received: 'the secret' } })
    expect(text).not.toContain(within)
  })

  test('is where a short word that is personal stands as something else', async () => {
    const named = answering('{"accountName":"Savings"}')
    const other = answering('{"label":"Savings","of":"Savings bank"}', 2)
    const another = answering('{"label":"Current"}', 3)
    const { result } = await judged(
      (record) => {
        const { known, others } = record as unknown as {
          readonly known: string
          readonly others: readonly ObservedExchange[]
        }
        const { standsIn } = factsOf(known)
        others[0]?.status.satisfies(standsIn?.join() === others[0].id, 'there only')
      },
      { record: { known: 'Savings', named, others: [other, another] } },
      [named, other, another],
    )
    expect(result.verdict).toBe('pass')
  })
})

test('a record that is not data is a fault of the suite', async () => {
  const { result } = await judged(({ answer }) => answer.status.equals(200), {
    record: { answer: raw, more: () => 1 },
  })
  expect(result).toMatchObject({ verdict: 'harness-error' })
  expect(result.because).toContain('the record holds a function')
})

test('an exchange that is missing in the evidence is named', async () => {
  const { result } = await judged(({ answer }) => answer.status.equals(200), undefined, [])
  expect(result.verdict).toBe('harness-error')
  expect(result.because).toContain('the exchange tokens/something/1 is not in the evidence')
})

const STOPS: readonly (readonly [verdict: string, stopped: Error])[] = [
  ['not-reached', new NotReached(`nothing there but ${SECRET}`)],
  ['inconclusive', new Inconclusive('the network')],
  ['harness-error', new Error('our fault')],
]

test.each(STOPS)('%s is judged from what the scenario threw', async (verdict, stopped) => {
  const { result, text } = await judged(
    () => assert(true, () => ({ subject: '', expected: '', received: '', exchange: '' })),
    { stopped },
  )
  expect(result.verdict).toBe(verdict)
  expect(text).not.toContain(SECRET)
})

test('a check that waits says until when', async () => {
  const until = new Date('2030-01-01T00:00:00.000Z')
  const { result } = await judged(() => undefined, { stopped: new Waiting(until) })
  expect(result).toMatchObject({ verdict: 'not-reached', until: until.toISOString() })
})
