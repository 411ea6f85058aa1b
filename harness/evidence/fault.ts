import type { Fault } from './exchange.ts'

/** Why a request got no complete response, in words of the network and not of the library. */

const ENDINGS = {
  DEADLINE: 'no whole answer came before the deadline of one request',
  UNCONNECTED: 'no connection came about before the deadline of one request',
  RUN_ENDED: 'the run ended before the answer was whole',
  TOO_LARGE: 'the answer is larger than can be read',
} as const

/** A request that this program ended, and why. */
export class Ended extends Error {
  override readonly name = 'Ended'
  readonly code: keyof typeof ENDINGS
  constructor(code: keyof typeof ENDINGS) {
    super(ENDINGS[code])
    this.code = code
  }
}

const kinds: readonly (readonly [RegExp, Fault['kind'], string])[] = [
  [/^DEADLINE$/, 'timeout', ENDINGS.DEADLINE],
  [/^UNCONNECTED$/, 'timeout', ENDINGS.UNCONNECTED],
  [/^RUN_ENDED$/, 'timeout', ENDINGS.RUN_ENDED],
  [/^(ENOTFOUND|EAI_)/, 'unresolved', 'the host name cannot be resolved'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/, 'refused', 'nothing listens there'],
  [
    /^(EMFILE|ENFILE|ENOBUFS|EADDRNOTAVAIL|EACCES|EPERM)$/,
    'refused',
    'this machine opens no further connection',
  ],
  [/^Z_|BROTLI|^ERR__ERROR_FORMAT/, 'protocol', 'the coding of the answer cannot be undone'],
  [/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_|EPROTO|ALTNAME/, 'tls', 'the TLS connection was not made'],
  [/TIMEOUT|ETIMEDOUT|ABORT/, 'timeout', ENDINGS.DEADLINE],
  [/TOO_LARGE|EXCEEDED|OVERFLOW/, 'too-large', ENDINGS.TOO_LARGE],
  [
    /ECONNRESET|EPIPE|SOCKET|DESTROYED|CLOSED/,
    'reset',
    'the connection was closed before the answer was whole',
  ],
]

const codeOf = (error: Error): string => {
  const { code, name } = error as { code?: unknown; name: string }
  return typeof code === 'string' ? code : name
}

const rootOf = (error: Error): Error => {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return rootOf(error.errors[0])
  return error.cause instanceof Error ? rootOf(error.cause) : error
}

const OURS =
  /^(UND_ERR_(INVALID_ARG|INVALID_RETURN_VALUE|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)|ERR_INVALID_)/

/** Whether the request could not be sent at all because of an error of this program. */
export const isOurs = (error: Error): boolean => {
  const root = rootOf(error)
  return OURS.test(codeOf(root)) || (root instanceof TypeError && !('code' in root))
}

export const faultOf = (error: Error): Fault => {
  const root = rootOf(error)
  const cause = codeOf(root)
  const known = kinds.find(([pattern]) => pattern.test(cause))
  return known === undefined
    ? { kind: 'protocol', cause, message: `the answer is not HTTP as it should be: ${root.message}` }
    : { kind: known[1], cause, message: known[2] }
}

/** The fault as text for the reason of a verdict. */
export const renderFault = ({ message, cause, status }: Fault): string =>
  `${message} (${cause}${status === undefined ? '' : `, after the status ${status}`})`
