import { anywhere, fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { refusalCodePaths } from '../../evidence/record/loan-application.ts'
import { sentenceOfPage } from '../../evidence/page-sentence.ts'
import { headerOf, isSuccess, type Exchange } from '../../evidence/exchange.ts'
import { basicHeader, credentialsOf, formEncoded, type BasicCredentials } from '../applications.ts'
import { namesIn } from './bodies.ts'
import { answered, isRefused, isRefusedThere, NOT_SHOWN, statusOf, type KeyRow } from './mismatch.ts'
import { isOf } from './paths.ts'
import type { ApplicationProfile, Profile } from '../schema.ts'

/**
 * Credentials, redirect URIs, and the parts of requests for consents, tokens, authorizations and submissions that the
 * interface does not show, besides the bodies of orders.
 */

const LONGEST_REASON = 200

/** The words of a refusal: its error code and description, or the sentence of the page. */
const reasonOf = (exchange: Exchange, { operations }: Profile): string => {
  const json = jsonOf(exchange)
  const names = ['error', 'errorCode', 'error_description', 'errorDescription', 'message']
  const words = [operations.token.errorCode, ...names]
    .map((name) => fieldOf(json, name))
    .filter((word) => typeof word === 'string')
  const reason =
    words.length > 0
      ? [...new Set(words)].join(': ').replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_REASON)
      : sentenceOfPage(exchange.response?.body.text ?? '')
  return `${statusOf(exchange)}${reason === '' ? '' : ` (${reason})`}`
}

const CLIENT_OPERATIONS = ['createConsent', 'token', 'loanToken']

const errorIn = (exchange: Exchange, { operations }: Profile): string => {
  const json = jsonOf(exchange)
  return String(fieldOf(json, operations.token.errorCode) ?? fieldOf(json, 'error'))
}

/** An error about the code: a server examines it only once it has recognized the client (RFC 6749 §5.2). */
export const isAboutCode = (exchange: Exchange, profile: Profile): boolean =>
  /^(invalid_grant|invalid_code|invalid_redirect_uri|invalid_scope|unauthorized_client)$/i.test(
    errorIn(exchange, profile),
  )

export const isUnknownClient = (exchange: Exchange, profile: Profile): boolean =>
  isRefused(exchange) &&
  (/^invalid_client$/i.test(errorIn(exchange, profile)) ||
    (statusOf(exchange) === 401 && !isAboutCode(exchange, profile)))

const queryOf = ({ request }: Exchange): URLSearchParams => new URL(request.url).searchParams

const isAskedBy = (exchange: Exchange, ids: readonly string[]): boolean =>
  exchange.operation === 'authorize' && ids.includes(queryOf(exchange).get('client_id') ?? '')

const isFrom = ({ request }: Exchange, pair: BasicCredentials): boolean =>
  [pair, formEncoded(pair)].map(basicHeader).includes(headerOf(request.headers, 'authorization') ?? '')

const credentialRows = (profile: Profile): readonly KeyRow[] =>
  profile.applications.flatMap((application, at) => {
    const pairs = credentialsOf(application)
    const ids = pairs.map(({ clientId }) => clientId)
    return [
      ...pairs.map((pair): KeyRow => ({
        key: `applications.${at}.${pair.secretKey}`,
        bound: NOT_SHOWN,
        expected: `credentials of ${application.name} at the target`,
        uses: (exchange) => CLIENT_OPERATIONS.includes(exchange.operation) && isFrom(exchange, pair),
        fits: (exchange) => !isUnknownClient(exchange, profile),
        contradicts: (exchange) => isUnknownClient(exchange, profile),
        shown: (exchange) =>
          `each request with this client id and secret is answered ${reasonOf(exchange, profile)}`,
      })),
      ...application.redirectUris.map(({ uri }, index): KeyRow => ({
        key: `applications.${at}.redirectUris.${index}.uri`,
        bound: uri,
        expected: 'redirect URI that the target accepts',
        uses: (exchange) => isAskedBy(exchange, ids) && queryOf(exchange).get('redirect_uri') === uri,
        fits: (exchange) => !isRefused(exchange),
        // RFC 6749 §4.1.2.1: the customer is sent back with any error but those of the client id and the redirect URI.
        contradicts: (exchange) => isRefusedThere(exchange) && !isAboutScope(exchange),
        shown: (exchange) =>
          `each authorization with it is answered ${reasonOf(exchange, profile)} and not sent back`,
      })),
      ...kindRows(profile, application, at),
    ]
  })

/**
 * A TPP creates consents, and a FAC asks for the scope without one. That the target refuses it is the fault of the
 * target, unless it then treats the application as one of the other kind.
 */
const kindRows = (profile: Profile, application: ApplicationProfile, at: number): readonly KeyRow[] => {
  const pairs = credentialsOf(application)
  const ids = pairs.map(({ clientId }) => clientId)
  const ofTpp = {
    asked: 'consent',
    uses: (exchange: Exchange) =>
      exchange.operation === 'createConsent' && pairs.some((pair) => isFrom(exchange, pair)),
    isGiven: (exchange: Exchange) =>
      isSuccess(exchange) && anywhere(jsonOf(exchange), 'consentId').length > 0,
    contradicts: (exchange: Exchange) => isRefusedThere(exchange) && ![401, 429].includes(statusOf(exchange)),
  }
  const ofFac = {
    asked: 'authorization without a consent',
    uses: (exchange: Exchange) =>
      isAskedBy(exchange, ids) && queryOf(exchange).get('scope') === profile.scopes.accounts,
    isGiven: isAuthorized,
    contradicts: isAboutScope,
  }
  const [own, other] = application.kind === 'TPP' ? [ofTpp, ofFac] : [ofFac, ofTpp]
  const row: KeyRow = {
    key: `applications.${at}.kind`,
    bound: application.kind ?? '',
    expected: `kind of ${application.name} at the target`,
    uses: own.uses,
    fits: isAuthorized,
    contradicts: (exchange) => isAboutScope(exchange) || (own === ofTpp && statusOf(exchange) === 403),
    shown: (exchange) =>
      `each ${own.asked} that it asks for is answered ${redirectedErrorOf(exchange) ?? reasonOf(exchange, profile)}`,
    isHint: true,
  }
  return [
    {
      ...row,
      contradicts: (exchange, _, exchanges) =>
        own.contradicts(exchange) && exchanges.some((one) => other.uses(one) && other.isGiven(one)),
      shown: (exchange) => `${row.shown(exchange)}, and the ${other.asked} is not refused`,
      isHint: false,
    },
    row,
  ]
}

/** RFC 6749 §4.1.2.1. */
const redirectedErrorOf = ({ request, response }: Exchange): string | undefined => {
  const location = headerOf(response?.headers ?? [], 'location')
  if (location === undefined || ![301, 302, 303, 307, 308].includes(response?.status ?? 0)) return undefined
  if (!URL.canParse(location, request.url)) return undefined
  return new URL(location, request.url).searchParams.get('error') ?? undefined
}

/** RFC 6749 §4.1.2.1: the application cannot ask for this. Of a result screen, the page says it. */
export const isAboutScope = (exchange: Exchange): boolean =>
  /^(invalid_scope|unauthorized_client)$/.test(redirectedErrorOf(exchange) ?? '') ||
  (isRefused(exchange) && /\b(invalid_scope|unauthorized_client)\b/i.test(exchange.response?.body.text ?? ''))

const isAuthorized = (exchange: Exchange): boolean =>
  statusOf(exchange) < 400 && redirectedErrorOf(exchange) === undefined

/** If the profile has another header or scope than the interface, and nothing was accepted with it, that may be the cause. */
const documentedRows = (profile: Profile): readonly KeyRow[] => {
  const [header, scope] = [profile.operations.createConsent.requestIdHeader, profile.scopes.accounts]
  const asked = (documented: string) => answered('each request', `, and the interface has ${documented}`)
  const rows: readonly KeyRow[] = [
    {
      key: 'operations.createConsent.requestIdHeader',
      bound: header,
      expected: 'header of the interface',
      uses: isOf(profile, 'operations.createConsent'),
      contradicts: isRefusedThere,
      shown: asked('X-Request-ID'),
    },
    {
      key: 'scopes.accounts',
      // A bank that has another scope than the interface refuses this one as well.
      isHint: true,
      bound: scope,
      expected: 'scope of the interface',
      uses: isOf(profile, 'operations.authorize'),
      fits: isAuthorized,
      contradicts: isAboutScope,
      shown: asked('PREMIUM_AIS'),
    },
  ]
  return rows.filter(({ bound }) => !/^(X-Request-ID|PREMIUM_AIS)$/i.test(bound))
}

/** The orderIds of rejected payments: a bank need not let a customer authorize these. */
const rejectedIn = (exchanges: readonly Exchange[]): readonly string[] =>
  exchanges
    .filter(({ response }) => response !== undefined)
    .map(jsonOf)
    .filter((answer) => anywhere(answer, 'status').includes('RJCT'))
    .flatMap((answer) => anywhere(answer, 'orderId').map(String))

/** Each authorization of a payment is refused before the customer is asked, with the error that is about a member. */
const authorizationRows = (profile: Profile): readonly KeyRow[] => {
  const { payments } = profile
  if (payments === undefined) return []
  const errors = { scope: 'invalid_scope', parameter: 'invalid_request' } as const
  const isOneOf = (error = ''): boolean => Object.values<string>(errors).includes(error)
  return (['scope', 'parameter'] as const).map((member) => ({
    key: `payments.authorize.${member}`,
    bound: payments.authorize[member],
    expected: `${member} of the target`,
    uses: isOf(profile, 'payments.authorize'),
    // The customer was asked.
    fits: (exchange) => redirectedErrorOf(exchange) === undefined,
    contradicts: (exchange, _, exchanges) =>
      isOneOf(redirectedErrorOf(exchange)) &&
      !rejectedIn(exchanges).some((orderId) => exchange.request.url.includes(encodeURIComponent(orderId))),
    isAbout: (exchange) => redirectedErrorOf(exchange) === errors[member],
    shown: () => `each authorization of a payment is refused with the error ${errors[member]}`,
  }))
}

const TOKEN_ERRORS = {
  form: ['unsupported_grant_type', 'invalid_request', 'invalid_scope', 'unauthorized_client'],
  credentials: ['invalid_client'],
} as const

type Form = Readonly<Record<string, string>>

/** A request exactly as in the profile, without a change by a check; the code of a customer is exchanged at the same address. */
const isOrdinary = (form: Form, { request }: Exchange): boolean => {
  const sent = new URLSearchParams(request.body?.text ?? '')
  const own = [...sent].filter(([name]) => name !== 'client_id' && name !== 'client_secret')
  return (
    own.length === Object.keys(form).length &&
    Object.entries(form).every(([name, value]) => sent.get(name) === value)
  )
}

/** An application never gets a client token, and the target reports that it does not understand the request (RFC 6749 §5.2). */
const tokenRows = (profile: Profile): readonly KeyRow[] =>
  (['loans', 'payments'] as const).flatMap((part) => {
    const { [part]: own, loans, operations } = profile
    if (own === undefined) return []
    const { form, credentials }: { form: Form; credentials: string } = own.token
    const ofLoans = part === 'loans' && loans !== undefined ? refusalCodePaths(loans) : []
    const codes = ['error', operations.token.errorCode, ...ofLoans]
    const operation = part === 'loans' ? 'loanToken' : 'token'
    const errorOf = (exchange: Exchange): string => {
      const error = codes.map((path) => fieldOf(jsonOf(exchange), path)).find((one) => one !== undefined)
      return typeof error === 'string' ? error : ''
    }
    // The interface has this scope (Authentication, 7): the refusal of it is not an error of the profile.
    const isDocumented = (error: string): boolean =>
      part === 'loans' && form['scope'] === 'PAY_LATER' && error === 'invalid_scope'
    return (['form', 'credentials'] as const).map((member): KeyRow => ({
      key: `${part}.token.${member}`,
      bound: member === 'form' ? namesIn(form) : credentials,
      expected: member === 'form' ? 'request of the target' : 'credentials of the target',
      uses: (exchange) => exchange.operation === operation && isOrdinary(form, exchange),
      contradicts: isRefused,
      isAbout: (exchange) => {
        // RFC 6749 §5.2 has its codes in lower case; some targets use upper case.
        const error = errorOf(exchange).toLowerCase()
        const errors: readonly string[] = TOKEN_ERRORS[member]
        return errors.includes(error) && !isDocumented(error)
      },
      shown: (exchange) => `each request is refused with the error ${errorOf(exchange)}`,
    }))
  })

/** Whether the last authorization of a payment did not end with an error: such a payment must not be submitted. */
const mayBeAuthorized = (before: readonly Exchange[]): boolean => {
  const response = before.findLast(({ operation }) => operation === 'authorizePayment')?.response
  if (response === undefined || response.status >= 400) return false
  return !/[?&#]error=/.test(headerOf(response.headers, 'location') ?? '')
}

/** Accepted, or answered with a status to which only a submission leads, whatever the HTTP status says. */
const isExecutedLater = (submission: Exchange): boolean =>
  isSuccess(submission) ||
  anywhere(jsonOf(submission), 'status').some((status) => ['ACSP', 'ACSC', 'PDNG'].includes(String(status)))

/**
 * What shows that the customer has authorized a payment, where the profile says it: body and headers of the submission.
 * A submission without anything of the profile's own is as the interface has it, and so is its path.
 */
const submissionRows = (profile: Profile): readonly KeyRow[] => {
  const { submission, headers = {} } = profile.payments ?? {}
  const names = namesIn(submission?.body ?? headers)
  if (submission?.body === undefined && names === '') return []
  return [
    {
      key: submission?.body === undefined ? 'payments.headers' : 'payments.submission.body',
      bound: names,
      expected: 'submission of the target',
      uses: isOf(profile, 'payments.submission'),
      fits: isExecutedLater,
      contradicts: (exchange, at, exchanges) =>
        isRefusedThere(exchange) && statusOf(exchange) !== 429 && mayBeAuthorized(exchanges.slice(0, at)),
      shown: answered('each submission'),
    },
  ]
}

export const requestKeys = (profile: Profile): readonly KeyRow[] => [
  ...credentialRows(profile),
  ...documentedRows(profile),
  ...authorizationRows(profile),
  ...tokenRows(profile),
  ...submissionRows(profile),
]
