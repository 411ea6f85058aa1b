import { expect, test } from 'vitest'
import { exchange, unanswered } from '../sample.ts'
import { pathOf, renderExchange } from './exchange-line.ts'

test.each([
  ['https://bank.example/payments/7F3a9c1d-1111-2222-3333-444455556666/status', '/payments/7F…/status'],
  ['http://127.0.0.1:8080/authorize?state=secret&scope=x', '/authorize?…'],
  ['http://127.0.0.1:8080', '/'],
  ['http://127.0.0.1:8080?x=1', '/?…'],
  ['/relative/path#part', '/relative/path'],
])('%s is said as %s', (url, path) => {
  expect(pathOf(url.replace('#part', ''))).toBe(path)
})

test('an exchange is a method, a path and a status', () => {
  expect(renderExchange(exchange('s/1'))).toBe('GET /payments/7F…/status?… → 200')
})

test('where no answer came, the line says why', () => {
  const lost = unanswered({ kind: 'timeout', cause: 'UND_ERR_HEADERS_TIMEOUT', message: 'Headers Timeout' })
  expect(renderExchange(lost)).toBe('GET /payments/7F…/status?… → no answer (timeout)')
})
