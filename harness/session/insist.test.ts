import { expect, test } from 'vitest'
import { askTwiceAtMost } from './insist.ts'
import type { Exchange } from '../evidence/exchange.ts'

const unanswered: Exchange = {
  ...{ kind: 'exchange', id: 'sample/1', sender: 'scenario', operation: 'listTransactions', effect: 'read' },
  request: { method: 'GET', url: 'http://127.0.0.1/', headers: [] },
  ...{ sentAt: '2026-01-05T10:00:00.000Z', durationMs: 1 },
}

const answered = (status: number): Exchange => ({
  ...unanswered,
  response: { status, headers: [], body: { text: '', bytes: 0 } },
})

test.each([
  ['an answer', [answered(200)]],
  ['a refusal', [answered(400)]],
  ['a breakdown, and an answer', [answered(502), answered(200)]],
  ['two breakdowns', [answered(502), answered(500)]],
  ['no answer at all', [unanswered]],
])('gives the last of what came, which was %s', async (_, exchanges) => {
  const left = [...exchanges, answered(418)]
  expect(await askTwiceAtMost(async () => left.shift() ?? answered(418))).toBe(exchanges.at(-1))
  expect(left).toHaveLength(1)
})
