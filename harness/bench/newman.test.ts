import { expect, test } from 'vitest'
import { cycle } from './repertoire.ts'
import { collectionOf } from './newman.ts'
import type { Rehearsed } from './repertoire.ts'

const rehearsed: Rehearsed = {
  request: { operation: 'token', sender: 'scenario', method: 'POST', url: 'http://bank/', headers: [] },
  exchange: {
    kind: 'exchange',
    id: 'bench/1',
    sender: 'scenario',
    operation: 'token',
    effect: 'consent',
    request: {
      method: 'POST',
      url: 'http://bank/token',
      headers: [['Accept', '*/*']],
      body: { text: 'a=b', bytes: 3 },
    },
    sentAt: '2026-01-05T09:00:00.000Z',
    durationMs: 1,
  },
}

test('a list is gone through over and over, up to a number', () => {
  expect(cycle(['a', 'b'], 5)).toEqual(['a', 'b', 'a', 'b', 'a'])
  expect(cycle(['a', 'b'], 1)).toEqual(['a'])
  expect(cycle([], 3)).toEqual([])
})

test('newman sends the bytes that the harness sent, and follows nothing', () => {
  expect(collectionOf([rehearsed], 2)).toMatchObject({
    item: [1, 2].map(() => ({
      protocolProfileBehavior: { followRedirects: false, disableUrlEncoding: true, disableCookies: true },
      request: {
        method: 'POST',
        url: 'http://bank/token',
        header: [{ key: 'Accept', value: '*/*' }],
        body: { mode: 'raw', raw: 'a=b' },
      },
    })),
  })
})
