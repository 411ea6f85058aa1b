import { fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { headerOf, type Exchange } from '../../evidence/exchange.ts'
import {
  hasAny,
  isRefused,
  NOT_SHOWN,
  statusOf,
  type ProfileMismatch,
  type RunExchanges,
} from './mismatch.ts'
import { credentialsOf, type Credentials } from '../applications.ts'
import type { ApplicationProfile, Profile } from '../schema.ts'

/**
 * Credentials and redirect URIs of applications. If the target refuses each request that uses one, with a corresponding
 * answer, the value in the profile may be wrong.
 */

type Search = (seen: RunExchanges, application: ApplicationProfile, key: string) => readonly ProfileMismatch[]

const ofEachApplication =
  (search: Search) =>
  (seen: RunExchanges): readonly ProfileMismatch[] =>
    seen.profile.applications.flatMap((application, at) => search(seen, application, `applications.${at}`))

const LONGEST_REASON = 200

/** The words of a refusal: its error code and description, or the first words of the body. */
const reasonOf = (exchange: Exchange, { operations }: Profile): string => {
  const json = exchange.response && jsonOf(exchange)
  const words = [
    operations.token.errorCode,
    'error',
    'errorCode',
    'error_description',
    'errorDescription',
    'message',
  ]
    .map((name) => fieldOf(json, name))
    .filter((word) => typeof word === 'string')
  const text = words.length > 0 ? [...new Set(words)].join(': ') : (exchange.response?.body.text ?? '')
  // A page of the bank: its text without tags.
  const plain = text
    .replaceAll(/<(style|script)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${statusOf(exchange)}${plain === '' ? '' : ` (${plain.slice(0, LONGEST_REASON)})`}`
}

const CLIENT_OPERATIONS: readonly Exchange['operation'][] = ['createConsent', 'token', 'loanToken']

const basicOf = ({ clientId, clientSecret }: Credentials): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

/** RFC 6749 §5.2: a server examines the code of a request only once it has recognized the client. */
const isUnknownClient = (exchange: Exchange, { operations }: Profile): boolean => {
  if (!isRefused(exchange)) return false
  const error = fieldOf(jsonOf(exchange), operations.token.errorCode) ?? fieldOf(jsonOf(exchange), 'error')
  if (typeof error === 'string' && /^invalid_client$/i.test(error)) return true
  return (
    statusOf(exchange) === 401 && !/^(invalid_grant|invalid_scope|unauthorized_client)$/i.test(String(error))
  )
}

/** The credentials of an application that was never recognized. */
export const mismatchedSecrets = ofEachApplication((seen, application, key) =>
  credentialsOf(application).flatMap((pair) =>
    mismatchOf(seen, application, `${key}.${pair.secretKey}`, pair),
  ),
)

const mismatchOf = (
  { profile, exchanges, all }: RunExchanges,
  { name }: ApplicationProfile,
  key: string,
  pair: Credentials,
): readonly ProfileMismatch[] => {
  const credentials = basicOf(pair)
  const uses = ({ operation, request, response }: Exchange): boolean =>
    response !== undefined &&
    CLIENT_OPERATIONS.includes(operation) &&
    headerOf(request.headers, 'authorization') === credentials
  const refusal = exchanges.find((exchange) => uses(exchange) && isUnknownClient(exchange, profile))
  if (refusal === undefined) return []
  if (hasAny(all(), (exchange) => uses(exchange) && !isUnknownClient(exchange, profile))) return []
  return [
    {
      key,
      bound: NOT_SHOWN,
      expected: `credentials of ${name} at the target`,
      shown: `each request with this client id and secret is answered ${reasonOf(refusal, profile)}`,
      exchange: refusal.id,
    },
  ]
}

/** After another answer the parameters were not examined: there is no resource at this path, or not with this method. */
const isRead = (exchange: Exchange): boolean => ![404, 405].includes(statusOf(exchange))

/** A redirect URI with which no authorization began. */
export const mismatchedRedirectUris = ofEachApplication((seen, application, key) =>
  application.redirectUris.flatMap(({ uri }, at) => {
    const { profile, exchanges, all } = seen
    const ids = credentialsOf(application).map(({ clientId }) => clientId)
    const uses = ({ operation, request, response }: Exchange): boolean => {
      if (operation !== 'authorize' || response === undefined) return false
      const { searchParams } = new URL(request.url)
      return searchParams.get('redirect_uri') === uri && ids.includes(searchParams.get('client_id') ?? '')
    }
    // RFC 6749 §4.1.2.1: the customer is sent back with any error but those of the client id and the redirect URI.
    const refusal = exchanges.find((exchange) => uses(exchange) && isRead(exchange) && isRefused(exchange))
    if (refusal === undefined || hasAny(all(), (exchange) => uses(exchange) && !isRefused(exchange)))
      return []
    return [
      {
        key: `${key}.redirectUris.${at}.uri`,
        bound: uri,
        expected: 'redirect URI that the target accepts',
        shown: `each authorization with it is answered ${reasonOf(refusal, profile)} and not sent back`,
        exchange: refusal.id,
      },
    ]
  }),
)
