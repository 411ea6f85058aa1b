import { describe, expect, test } from 'vitest'
import { disclosesNothingOf } from './disclosure.ts'
import { observe } from './observed/observe.ts'
import { sampleExchange } from '../testing/samples/exchange.ts'
import { ViolationError } from './verdict.ts'
import type { Exchange } from '../evidence/exchange.ts'
import { UsedExchanges } from './observed/exchange.ts'

const THEIRS = {
  accountId: '895ceb6b-57bc',
  iban: 'SK9098010000002900004444',
  name: 'Operations',
  product: 'Current account',
  currency: 'EUR',
  balances: [{ amount: 48_712.09, at: '2026-01-05' }],
}
const OURS = {
  iban: 'SK2998010000002600001129',
  name: 'Savings',
  product: 'Current account',
  currency: 'EUR',
}

const answering = (json: unknown, url = 'http://bank.example/v1/accounts/895ceb6b-57bc') => {
  const body = typeof json === 'string' ? json : JSON.stringify(json)
  const answer = sampleExchange({ operation: 'readAccount', status: 404, body })
  const request = { method: 'GET', url, headers: [['Call', 'request-77'] as const] }
  const exchange: Exchange = { ...answer, request }
  return observe(exchange, new UsedExchanges())
}

const judge = (json: unknown, url?: string) => (): void =>
  disclosesNothingOf(answering(json, url), {
    theirs: [answering(THEIRS), 'Boris Horváth & Sons'],
    ours: [answering(OURS)],
    name: 'the account',
  })

test.each([
  ['nothing', ''],
  ['an error', { errorCode: 'NO_ACCOUNT', errorDescription: 'There is no such account.' }],
  ['the account-id that was asked for', { error: 'unknown account 895ceb6b-57bc' }],
  ['the id of the request', { error: 'refused', call: 'request-77' }],
  ['what the reader is answered of their own as well', { error: 'no Current account in EUR' }],
  ['a word that the name of the account is a part of', { error: 'Operations are not permitted' }],
  ['a date', { error: 'refused', at: '2026-01-05' }],
  ['a text that is no JSON', 'Not found'],
])('%s discloses nothing', (_, json) => {
  expect(judge(json)).not.toThrow()
})

test.each([
  ['the IBAN', { error: 'SK9098010000002900004444 is not open' }],
  ['the IBAN in another encoding', Buffer.from('SK9098010000002900004444').toString('base64')],
  ['the holder', { error: 'refused', description: 'This account belongs to Boris Horváth & Sons.' }],
  ['the name of the account', { error: 'refused', account: 'Operations' }],
  ['the balance', { error: 'refused', details: [{ left: 48_712.09 }] }],
  ['the holder in a page', '<p>Boris Horváth & Sons</p>'],
])('%s is reported', (_, json) => {
  expect(judge(json)).toThrow(ViolationError)
  expect(judge(json)).toThrow('expected nothing of the account')
})

test('an IBAN that was asked for is no secret, that of another request is', () => {
  const echo = { error: 'SK9098010000002900004444 is unknown' }
  expect(judge(echo, 'http://bank.example/v1/accounts/SK9098010000002900004444')).not.toThrow()
  expect(judge(echo)).toThrow(ViolationError)
})

describe('without an answer to the requester', () => {
  const record = { orderId: 'A7C1B2D3E4F5', status: 'ACTC', note: 'unknown members are allowed' }
  const judgeAlone = (json: unknown) => (): void =>
    disclosesNothingOf(answering(json, 'http://bank.example/payments/other/status'), {
      theirs: [answering(record)],
      ours: [],
      name: 'the payment',
    })

  test('a text that the bank has in every answer is not disclosed data', () => {
    expect(judgeAlone({ error: 'refused', note: 'unknown members are allowed' })).not.toThrow()
  })

  test('an identifier is', () => {
    expect(judgeAlone({ error: 'A7C1B2D3E4F5 belongs to another application' })).toThrow(ViolationError)
  })
})

test('with an answer about nothing, a word that it does not contain is disclosed data', () => {
  const note = 'unknown members are allowed'
  const judgeBeside = (json: unknown) => (): void =>
    disclosesNothingOf(answering(json), {
      theirs: [answering({ status: 'ACTC', note })],
      ours: [answering({ error: 'unknown', note })],
      name: 'the payment',
    })
  expect(judgeBeside({ error: 'refused', note })).not.toThrow()
  expect(judgeBeside({ error: 'refused', state: 'ACTC' })).toThrow(ViolationError)
})
