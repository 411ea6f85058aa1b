import { expect, test } from 'vitest'
import { basic, change } from './request.ts'
import type { HttpRequest } from './request.ts'

const request: HttpRequest = {
  operation: 'token',
  sender: 'scenario',
  method: 'POST',
  url: 'http://bank/token?a=1&b=2',
  headers: [
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['authorization', 'Basic x'],
  ],
  form: [
    ['code', 'c'],
    ['redirect_uri', 'https://app/cb'],
  ],
}

test('the Basic header joins client_id and secret by a colon, in UTF-8 and base64', () => {
  expect(basic('Aladdin', 'open sesame')).toBe('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')
  expect(basic('id', 'a:b')).toBe(`Basic ${Buffer.from('id:a:b').toString('base64')}`)
  expect(basic('id', 'č')).toBe(`Basic ${Buffer.from('id:č', 'utf8').toString('base64')}`)
})

test.each([
  ['header', change.header('Authorization', 'y'), { headers: [request.headers[0], ['authorization', 'y']] }],
  ['new header', change.header('X', 'y'), { headers: [...request.headers, ['X', 'y']] }],
  ['noHeader', change.noHeader('AUTHORIZATION'), { headers: [request.headers[0]] }],
  ['form', change.form('code', 'd'), { form: [['code', 'd'], request.form?.[1]] }],
  ['new form', change.form('x', 'y'), { form: [...(request.form ?? []), ['x', 'y']] }],
  ['noForm', change.noForm('code'), { form: [request.form?.[1]] }],
  ['formTwice', change.formTwice('code', 'd'), { form: [...(request.form ?? []), ['code', 'd']] }],
  ['formReversed', change.formReversed, { form: [...(request.form ?? [])].reverse() }],
  ['query', change.query('a', '3'), { url: 'http://bank/token?a=3&b=2' }],
  ['noQuery', change.noQuery('a'), { url: 'http://bank/token?b=2' }],
  ['queryTwice', change.queryTwice('a', '3'), { url: 'http://bank/token?a=1&b=2&a=3' }],
  ['queryReversed', change.queryReversed, { url: 'http://bank/token?b=2&a=1' }],
  ['path', change.path((path) => `/v9${path}`), { url: 'http://bank/v9/token?a=1&b=2' }],
  ['method', change.method('GET'), { method: 'GET' }],
  ['bearer', change.bearer('t'), { headers: [request.headers[0], ['authorization', 'Bearer t']] }],
])('%s changes its one place and nothing else', (_, edit, expected) => {
  expect(edit(request)).toEqual({ ...request, ...expected })
})

test('a body instead of a form has its own media type', () => {
  const { operation, sender, method, url } = request
  expect(change.body('{}', 'application/json')(request)).toEqual({
    operation,
    sender,
    method,
    url,
    headers: [['Content-Type', 'application/json'], request.headers[1]],
    text: '{}',
  })
})

test.for([
  ['code', [0], 'upper', 'code=%63&redirect_uri=https%3A%2F%2Fapp%2Fcb'],
  ['code', [], 'upper', 'code=c&redirect_uri=https%3A%2F%2Fapp%2Fcb'],
  ['redirect_uri', [4, 5, 10], 'lower', 'code=c&redirect_uri=http%73%3a%2f%2fap%70%2fcb'],
] as const)('%s is escaped at %j in %s case', ([name, places, digits, text]) => {
  const { form, ...rest } = request
  expect(change.formEscaped(name, places, digits)(request)).toEqual({ ...rest, text })
  expect([...new URLSearchParams(text)]).toEqual(form)
})

test('a form can be sent as JSON, or as the query of a GET request', () => {
  const { operation, sender, method, url, headers } = request
  const authorization = headers[1]
  expect(change.formAsJson(request)).toEqual({
    operation,
    sender,
    method,
    url,
    headers: [['Content-Type', 'application/json'], authorization],
    text: '{"code":"c","redirect_uri":"https://app/cb"}',
  })
  expect(change.formAsQuery(request)).toEqual({
    operation,
    sender,
    method: 'GET',
    url: `${url}&code=c&redirect_uri=https%3A%2F%2Fapp%2Fcb`,
    headers: [authorization],
  })
})
