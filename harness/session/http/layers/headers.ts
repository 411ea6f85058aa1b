import { NotReached } from '../../../evidence/signals.ts'
import type { Fields, HttpRequest } from '../request.ts'
import type { Layer } from './layer.ts'

const ACCEPTED: Fields = [
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, deflate, br'],
]

/** Header fields of a browser replace those of the suite. */
const REPLACED: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'user-agent'])

/** The header fields of every request, except those that the request itself has. */
const standing = (always: Fields, { headers, withoutTls }: HttpRequest): Fields => {
  // The headers of the profile may be secrets of a gateway.
  if (withoutTls === true) return ACCEPTED
  const own = new Set(headers.map(([name]) => name.toLowerCase()).filter((name) => REPLACED.has(name)))
  return own.size === 0 ? always : always.filter(([name]) => !own.has(name.toLowerCase()))
}

/** The target issues the tokens: one that HTTP cannot carry is not a fault of the harness. */
const refuseUnsendable = (headers: Fields): void => {
  const carriesToken = ([name, value]: Fields[number]): boolean =>
    name.toLowerCase() === 'authorization' && value.startsWith('Bearer ')
  if (headers.some((field) => carriesToken(field) && /[^\t\x20-\x7e\x80-\xff]/.test(field[1])))
    throw new NotReached('the access token has characters that a header cannot carry (RFC 6750 §2.1)')
}

interface Standing {
  /** Those that the profile adds to every request. */
  readonly headers: Readonly<Record<string, string>>
}

/** Adds the header fields of every request. @throws NotReached if the token of the request cannot be sent. */
export const withStandingHeaders = ({ headers: added }: Standing): Layer => {
  const always: Fields = [...ACCEPTED, ...Object.entries(added)]
  return async (sending, next) => {
    const { request } = sending
    const headers = [...standing(always, request), ...request.headers]
    refuseUnsendable(headers)
    return next({ ...sending, request: { ...request, headers } })
  }
}
