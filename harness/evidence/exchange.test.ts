import { expect, test } from 'vitest'
import { Ended, faultOf, isOurs, renderFault } from './exchange.ts'

const coded = (code: string, message = 'whatever the library says'): Error =>
  Object.assign(new Error(message), { code })

test.each([
  ['ENOTFOUND', 'unresolved'],
  ['EAI_AGAIN', 'unresolved'],
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'refused'],
  ['EMFILE', 'refused'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['EPROTO', 'tls'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too-large'],
  ['ERR_BUFFER_TOO_LARGE', 'too-large'],
  ['HPE_INVALID_CONSTANT', 'protocol'],
  ['Z_DATA_ERROR', 'protocol'],
  ['ERR__ERROR_FORMAT_PADDING_1', 'protocol'],
])('%s is a fault of the kind %s', (code, kind) => {
  expect(faultOf(coded(code))).toMatchObject({ kind, cause: code })
  expect(isOurs(coded(code))).toBe(false)
})

test('the cause at the bottom is the one that is reported', () => {
  const wrapped = new Error('fetch failed', { cause: new AggregateError([coded('ECONNREFUSED')]) })
  expect(faultOf(wrapped)).toMatchObject({ kind: 'refused', cause: 'ECONNREFUSED' })
})

test('what the harness ended says so, and after which status', () => {
  const fault = faultOf(new Ended('DEADLINE'))
  expect(renderFault({ ...fault, status: 200 })).toBe(
    'no whole answer came before the deadline of one request (DEADLINE, after the status 200)',
  )
})

test.each([coded('UND_ERR_INVALID_ARG'), coded('ERR_INVALID_URL'), new TypeError('no request')])(
  'a request that could not be made is ours: %s',
  (error) => {
    expect(isOurs(error)).toBe(true)
  },
)
