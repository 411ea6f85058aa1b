import { expect, test } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { decodeRecord, encodeRecord, Unstorable } from './encoding.ts'
import type { Exchange } from '../exchange.ts'

const SCENARIO = 'tokens/a-code'

const first = sampleExchange({ id: `${SCENARIO}/1` })
const foreign = sampleExchange({ id: 'tokens/a-code-twice/1' })
const exchanges = new Map<string, Exchange>([first, foreign].map((one) => [one.id, one]))

const throughJson = (record: unknown, hide = (text: string) => text, hideInName = hide): unknown =>
  decodeRecord(JSON.parse(JSON.stringify(encodeRecord(record, { scenario: SCENARIO, hide, hideInName }))), {
    scenario: SCENARIO,
    exchangeOf: (id) => exchanges.get(id),
  })

test.each([
  ['plain data', { a: [1, 'two', true, null, { b: [] }] }],
  ['what JSON cannot express', [undefined, NaN, -0, Infinity, -Infinity, 12n, { missing: undefined }]],
  ['dates', { at: new Date('2030-01-02T03:04:05.678Z') }],
  ['names that begin like a mark', { $date: 'no date', inner: { $exchange: 1 } }],
  ['nothing', undefined],
])('%s are the same after storing', (_, record) => {
  expect(throughJson(record)).toStrictEqual(record)
})

test('an invalid date stays invalid', () => {
  expect(throughJson(new Date(NaN))).toEqual(new Date(NaN))
})

test('an exchange is the one of the evidence, and the same object wherever it stands', () => {
  const { one, twice } = throughJson({ one: first, twice: [first, foreign] }) as {
    one: Exchange
    twice: Exchange[]
  }
  expect(one).toBe(first)
  expect(twice).toEqual([first, foreign])
  expect(twice[0]).toBe(first)
})

test('how often a server error was repeated is stored, since the evidence does not show it', () => {
  expect(throughJson({ ...first, timesRepeated: 3 })).toEqual({ ...first, timesRepeated: 3 })
})

test('secrets are hidden in texts and in names', () => {
  const hide = (text: string): string => text.replaceAll('s3cret', '[secret:1]')
  expect(throughJson({ s3cret: ['s3cret'], url: 'a?b=s3cret' }, hide)).toEqual({
    '[secret:1]': ['[secret:1]'],
    url: 'a?b=[secret:1]',
  })
})

test('the texts of kind and outcome are stored unchanged, and what else stands there is hidden', () => {
  const record = { kind: 'redirect-result', outcome: 'redirect' }
  const others = { result: 'redirect', inner: { kind: ['redirect', undefined] } }
  expect(
    throughJson({ ...record, ...others }, (text) => text.replaceAll('redirect', '[password:1]')),
  ).toEqual({
    ...record,
    result: '[password:1]',
    inner: { kind: ['[password:1]', undefined] },
  })
})

test('an exchange that is not in the evidence is reported', () => {
  expect(() => throughJson({ ...first, id: `${SCENARIO}/9` })).toThrow(
    'the exchange tokens/a-code/9 is not in the evidence',
  )
})

test('what is not data cannot be stored', () => {
  const deep = Array.from({ length: 100_000 }).reduce<unknown[]>((inner) => [inner], [])
  for (const record of [() => 1, Symbol('x'), deep]) expect(() => throughJson(record)).toThrow(Unstorable)
})
