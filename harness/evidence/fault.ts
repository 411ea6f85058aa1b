import type { Fault } from './exchange.ts'

/** Why a request brought no whole response, in words of the network and not of the library. */

const kinds: readonly (readonly [RegExp, Fault['kind'], string])[] = [
  [/^(ENOTFOUND|EAI_)/, 'unresolved', 'the host name cannot be resolved'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/, 'refused', 'nothing listens there'],
  [/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_|EPROTO|ALTNAME/, 'tls', 'the TLS connection was not made'],
  [/TIMEOUT|ETIMEDOUT|ABORT/, 'timeout', 'no whole answer came before the deadline'],
  [/TOO_LARGE|EXCEEDED|ERR_BUFFER_TOO_LARGE|OVERFLOW/, 'too-large', 'the answer is larger than can be read'],
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

export const faultOf = (error: Error): Fault => {
  const root = rootOf(error)
  const cause = codeOf(root)
  const known = kinds.find(([pattern]) => pattern.test(cause))
  return known === undefined
    ? { kind: 'protocol', cause, message: `the answer is not HTTP as it should be: ${root.message}` }
    : { kind: known[1], cause, message: known[2] }
}

/** The fault as it stands in a verdict's reason. */
export const renderFault = ({ message, cause, status }: Fault): string =>
  `${message} (${cause}${status === undefined ? '' : `, after the status ${status}`})`
