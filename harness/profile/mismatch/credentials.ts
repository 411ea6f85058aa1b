import { fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { headerOf, type Exchange } from '../../evidence/exchange.ts'
import { isRefused, isRefusedThere, NOT_SHOWN, statusOf, type KeyRow } from './mismatch.ts'
import { credentialsOf, type Credentials } from '../applications.ts'
import type { ApplicationProfile, Profile } from '../schema.ts'

/**
 * Credentials and redirect URIs of applications. If the target refuses each request that uses one, with a corresponding
 * answer, the value in the profile may be wrong.
 */

const LONGEST_REASON = 200

/** The words of a refusal: its error code and description, or the first words of the body. */
const reasonOf = (exchange: Exchange, { operations }: Profile): string => {
  const json = jsonOf(exchange)
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

const CLIENT_OPERATIONS = ['createConsent', 'token', 'loanToken']

/** RFC 6749 §5.2: a server examines the code of a request only once it has recognized the client. */
const isUnknownClient = (exchange: Exchange, { operations }: Profile): boolean => {
  if (!isRefused(exchange)) return false
  const json = jsonOf(exchange)
  const error = fieldOf(json, operations.token.errorCode) ?? fieldOf(json, 'error')
  if (typeof error === 'string' && /^invalid_client$/i.test(error)) return true
  return (
    statusOf(exchange) === 401 && !/^(invalid_grant|invalid_scope|unauthorized_client)$/i.test(String(error))
  )
}

const secretRow = (
  profile: Profile,
  { name }: ApplicationProfile,
  key: string,
  { clientId, clientSecret }: Credentials,
): KeyRow => {
  const header = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  return {
    uses: ({ operation, request }) =>
      CLIENT_OPERATIONS.includes(operation) && headerOf(request.headers, 'authorization') === header,
    fits: (exchange) => !isUnknownClient(exchange, profile),
    contradicts: (exchange) => isUnknownClient(exchange, profile),
    mismatch: (exchange) => ({
      key,
      bound: NOT_SHOWN,
      expected: `credentials of ${name} at the target`,
      shown: `each request with this client id and secret is answered ${reasonOf(exchange, profile)}`,
    }),
  }
}

const redirectUriRow = (
  profile: Profile,
  application: ApplicationProfile,
  key: string,
  uri: string,
): KeyRow => {
  const ids = credentialsOf(application).map(({ clientId }) => clientId)
  return {
    uses: ({ operation, request }) => {
      if (operation !== 'authorize') return false
      const { searchParams } = new URL(request.url)
      return searchParams.get('redirect_uri') === uri && ids.includes(searchParams.get('client_id') ?? '')
    },
    fits: (exchange) => !isRefused(exchange),
    // RFC 6749 §4.1.2.1: the customer is sent back with any error but those of the client id and the redirect URI.
    contradicts: isRefusedThere,
    mismatch: (exchange) => ({
      key,
      bound: uri,
      expected: 'redirect URI that the target accepts',
      shown: `each authorization with it is answered ${reasonOf(exchange, profile)} and not sent back`,
    }),
  }
}

export const credentialKeys = (profile: Profile): readonly KeyRow[] =>
  profile.applications.flatMap((application, at) => {
    const key = `applications.${at}`
    return [
      ...credentialsOf(application).map((pair) =>
        secretRow(profile, application, `${key}.${pair.secretKey}`, pair),
      ),
      ...application.redirectUris.map(({ uri }, index) =>
        redirectUriRow(profile, application, `${key}.redirectUris.${index}.uri`, uri),
      ),
    ]
  })
