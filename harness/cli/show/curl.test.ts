import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlCommand, quoteForShell, variablesIn } from './curl.ts'
import type { Exchange } from '../../evidence/exchange.ts'

const sent = (request: Partial<Exchange['request']>, more: Partial<Exchange> = {}): Exchange => ({
  kind: 'exchange',
  id: 'tokens/a-code/2',
  sender: 'scenario',
  operation: 'token',
  effect: 'consent',
  request: { method: 'POST', url: 'http://bank.example/token', headers: [], ...request },
  sentAt: '2026-01-05T09:00:00.000Z',
  durationMs: 1,
  ...more,
})

test.each(['plain', "it's", '$HOME `id` "x"', '[code:1] and [code:2]', 'žltý\nline', ''])(
  'a shell reads %j as it was quoted, with variables for secrets',
  (text) => {
    const script = `printf %s ${quoteForShell(text)}`
    const read = execFileSync('/bin/sh', ['-c', script], {
      env: { CODE_1: '<one>', CODE_2: '<two>' },
      encoding: 'utf8',
    })
    expect(read).toBe(text.replace('[code:1]', '<one>').replace('[code:2]', '<two>'))
  },
)

test('a token request has its form, its credentials and its secrets as variables', () => {
  const exchange = sent({
    headers: [
      ['Host', 'bank.example'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Authorization', 'Basic shop:[client_secret:1]'],
    ],
    body: { text: 'grant_type=authorization_code&code=%5Bcode%3A2%5D', bytes: 49 },
  })
  expect(curlCommand(exchange)?.split(' \\\n  ')).toEqual([
    "curl -i -X POST 'http://bank.example/token'",
    "-H 'Content-Type: application/x-www-form-urlencoded'",
    `-u 'shop:'"$CLIENT_SECRET_1"`,
    "--data-urlencode 'grant_type=authorization_code'",
    `--data-urlencode 'code='"$CODE_2"`,
  ])
  expect([...variablesIn(exchange)]).toEqual([
    ['CLIENT_SECRET_1', '[client_secret:1]'],
    ['CODE_2', '[code:2]'],
  ])
})

test('a body that is no form is sent as it is, and an address has its secrets as variables', () => {
  const exchange = sent({
    method: 'GET',
    url: 'http://bank.example/v1?page=%5Btoken%3A1%5D',
    body: { text: '{"iban":"[account:ab12]"}', bytes: 25 },
  })
  expect(curlCommand(exchange)?.split(' \\\n  ')).toEqual([
    `curl -i -X GET 'http://bank.example/v1?page='"$TOKEN_1"`,
    `--data-raw '{"iban":"'"$ACCOUNT_AB12"'"}'`,
  ])
})

test('what this program did not send has no command', () => {
  expect(curlCommand(sent({}, { sender: 'target' }))).toBeUndefined()
  expect(curlCommand(sent({}, { handover: { by: 'skipped' } }))).toBeUndefined()
})
