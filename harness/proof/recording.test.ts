import { expect, test } from 'vitest'
import { conformingRules } from '../bank/rules.ts'
import { isUnaffected } from './recording.ts'
import type { Wire } from '../bank/defect.ts'
import type { Rules } from '../bank/rules.ts'
import type { Change, Recording } from './recording.ts'

const FACTS = { environment: 'sandbox', now: new Date('2026-01-05T09:00:00Z') }

type Question = Recording['questions'][number]

const unaffected = (change: Change, questions: readonly Question[], exchanges: Recording['exchanges'] = []) =>
  isUnaffected(change, { questions, exchanges })

const drawn = (answer: string): Question => ({
  rule: 'newCode',
  facts: { ...FACTS },
  answer,
  factsAfter: { ...FACTS },
})

/** Wrong only about its third code. */
const thirdIsEmpty = (conforming: Rules): Partial<Rules> => {
  let codes = 0
  return { newCode: (facts) => ((codes += 1) === 3 ? '' : conforming.newCode(facts)) }
}

test('a scenario that ends before the bank is wrong is unaffected, though the bank draws random values', async () => {
  expect(await unaffected({ rules: thirdIsEmpty }, [drawn('a'), drawn('b')])).toBe(true)
  expect(await unaffected({ rules: thirdIsEmpty }, [drawn('a'), drawn('b'), drawn('c')])).toBe(false)
})

test('rules that are replaced together are asked in the recorded order', async () => {
  const rules = (conforming: Rules): Partial<Rules> => {
    let isConsented = false
    return {
      newCode: (facts) => (isConsented ? '' : conforming.newCode(facts)),
      newConsentId: (facts) => {
        isConsented = true
        return conforming.newConsentId(facts)
      },
    }
  }
  const consent: Question = { ...drawn('c'), rule: 'newConsentId' }
  expect(await unaffected({ rules }, [drawn('a'), drawn('b'), consent])).toBe(true)
  expect(await unaffected({ rules }, [drawn('a'), consent, drawn('b')])).toBe(false)
})

test('an unchanged rule that is asked something else draws a new value', async () => {
  const rules = (conforming: Rules): Partial<Rules> => ({
    newCode: (facts) => conforming.newCode({ ...facts, now: new Date(0) }),
  })
  expect(await unaffected({ rules }, [drawn('a')])).toBe(false)
})

test('a rule that a scenario never asks does not affect it', async () => {
  expect(await unaffected({ rules: { newConsentId: () => '' } }, [drawn('a')])).toBe(true)
})

test('a rule that alters its facts affects the scenario', async () => {
  const rules = (conforming: Rules): Partial<Rules> => ({
    newCode: (facts) => {
      Object.assign(facts, { environment: 'production' })
      return conforming.newCode(facts)
    },
  })
  expect(await unaffected({ rules }, [drawn('a')])).toBe(false)
})

test('a question that cannot be repeated counts as different', async () => {
  const rules = { newCode: conformingRules.newCode }
  expect(await unaffected({ rules }, [{ ...drawn('a'), facts: Symbol('unrepeatable') }])).toBe(false)
})

const sent = (more: Partial<Recording['exchanges'][number]> = {}): Recording['exchanges'][number] => ({
  method: 'POST',
  url: 'http://bank.example/token',
  headers: [['content-type', 'application/json']],
  body: '{"a":1}',
  status: 200,
  answerHeaders: [['content-type', 'application/json']],
  answer: '{"b":2}',
  ...more,
})

const asked =
  (more: (request: Request) => Request): Wire =>
  (next) =>
  (request) =>
    next(more(request))
const answered =
  (more: (response: Response) => Response | Promise<Response>): Wire =>
  (next) =>
  async (request) =>
    more(await next(request))

test.each<[string, boolean, Wire]>([
  ['hands everything on', true, (next) => next],
  [
    'reads clones',
    true,
    (next) => async (request) => {
      await request.clone().text()
      const response = await next(request)
      await response.clone().text()
      return response
    },
  ],
  [
    'creates the same message again',
    true,
    answered(async (response) => new Response(await response.text(), response)),
  ],
  [
    'adds a header',
    false,
    answered((response) => {
      response.headers.set('x-more', '1')
      return response
    }),
  ],
  [
    'changes the body',
    false,
    answered(({ status, headers }) => new Response('{"b":3}', { status, headers })),
  ],
  [
    'changes the status',
    false,
    answered(({ body, headers }) => new Response(body, { status: 201, headers })),
  ],
  ['changes the address', false, asked((request) => new Request(`${request.url}?c=3`, request))],
  [
    'changes the body of the request',
    false,
    asked(({ url, headers }) => new Request(url, { method: 'POST', headers, body: '{}' })),
  ],
  [
    'adds a header to the request',
    false,
    asked((request) => {
      request.headers.set('x-more', '1')
      return request
    }),
  ],
  ['answers itself', false, () => async () => Response.json({ b: 2 })],
  [
    'sends twice',
    false,
    (next) => async (request) => {
      await next(request.clone())
      return next(request)
    },
  ],
  ['throws', false, () => () => Promise.reject(new Error('down'))],
])('a wire that %s does not affect a scenario: %s', async (_, expected, wire) => {
  expect(await unaffected({ wire }, [], [sent(), sent()])).toBe(expected)
})

test('a response without a body can be replayed', async () => {
  const nothing = sent({ status: 204, answerHeaders: [], answer: '' })
  expect(await unaffected({ wire: (next) => next }, [], [nothing])).toBe(true)
})

test('a server with other habits always affects a scenario', async () => {
  expect(await unaffected({ server: { keepAlive: false } }, [])).toBe(false)
})
