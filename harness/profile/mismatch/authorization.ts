import { anywhere, fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { refusalCodePaths } from '../../evidence/record/loan-application.ts'
import { hasAny, isRefused, isSuccess, statusOf } from './mismatch.ts'
import { placeOf } from './paths.ts'
import { namesIn } from './requests.ts'
import type { Exchange, Operation } from '../../evidence/exchange.ts'
import type { Profile } from '../schema.ts'
import type { ProfileMismatch, RunExchanges } from './mismatch.ts'

/**
 * The undocumented parts of requests for consents, tokens and authorizations. If every such
 * request is refused because of its form, the profile may be wrong.
 */

const CONSENT = 'operations.createConsent'

/** The interface shows this header of a consent (Endpoints, Consent and authorization, POST /v1/consents). */
const DOCUMENTED_HEADER = 'X-Request-ID'

/** A 404 or 405 is due to the path. */
const isRefusedThere = (exchange: Exchange): boolean =>
  isRefused(exchange) && ![404, 405].includes(statusOf(exchange))

/** If the profile has another header than the interface, and no consent was created, the header may be the cause. */
export const mismatchedHeaders = ({ profile, exchanges, all }: RunExchanges): readonly ProfileMismatch[] => {
  const { requestIdHeader } = profile.operations.createConsent
  if (requestIdHeader.toLowerCase() === DOCUMENTED_HEADER.toLowerCase()) return []
  const isOfConsents = (exchange: Exchange): boolean => placeOf(profile, exchange)?.part.key === CONSENT
  const refused = exchanges.find((exchange) => isOfConsents(exchange) && isRefusedThere(exchange))
  if (refused === undefined) return []
  if (hasAny(all(), (exchange) => isOfConsents(exchange) && statusOf(exchange) < 300)) return []
  return [
    {
      key: `${CONSENT}.requestIdHeader`,
      bound: requestIdHeader,
      expected: 'header of the interface',
      shown: `each request is answered ${statusOf(refused)}, and the interface has ${DOCUMENTED_HEADER}`,
      exchange: refused.id,
    },
  ]
}

const PAYMENT = 'payments.authorize'

interface PaymentCause {
  readonly key: 'scope' | 'parameter'
  readonly expected: string
}

const PAYMENT_CAUSES: ReadonlyMap<string | undefined, PaymentCause> = new Map([
  ['invalid_scope', { key: 'scope', expected: 'scope of the target' }],
  ['invalid_request', { key: 'parameter', expected: 'parameter of the target' }],
])

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** RFC 6749 §4.1.2.1. */
const redirectedErrorOf = (exchange: Exchange): string | undefined => {
  const location = exchange.response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (location === undefined || !REDIRECTS.has(statusOf(exchange))) return undefined
  if (!URL.canParse(location, exchange.request.url)) return undefined
  return new URL(location, exchange.request.url).searchParams.get('error') ?? undefined
}

/** The orderIds of rejected payments: a bank need not let a customer authorize these. */
const rejectedIn = (exchanges: readonly Exchange[]): readonly string[] =>
  exchanges
    .filter(({ response }) => response !== undefined)
    .map(jsonOf)
    .filter((answer) => anywhere(answer, 'status').includes('RJCT'))
    .flatMap((answer) => anywhere(answer, 'orderId').map(String))

/**
 * If each authorization of a payment is refused before the customer is asked, because of its scope or a missing parameter,
 * the profile may be wrong.
 */
export const mismatchedAuthorizations = ({
  profile,
  exchanges,
  all,
}: RunExchanges): readonly ProfileMismatch[] => {
  const { payments } = profile
  if (payments === undefined) return []
  const isOfPayments = (exchange: Exchange): boolean =>
    exchange.response !== undefined && placeOf(profile, exchange)?.part.key === PAYMENT
  const rejected = rejectedIn(exchanges)
  const isRequired = ({ request }: Exchange): boolean =>
    !rejected.some((orderId) => request.url.includes(encodeURIComponent(orderId)))
  for (const exchange of exchanges) {
    const error = redirectedErrorOf(exchange)
    const cause = PAYMENT_CAUSES.get(error)
    if (cause === undefined || error === undefined || !isOfPayments(exchange) || !isRequired(exchange))
      continue
    // The customer was asked once: that request fits.
    if (hasAny(all(), (one) => isOfPayments(one) && redirectedErrorOf(one) === undefined)) return []
    return [
      {
        key: `${PAYMENT}.${cause.key}`,
        bound: payments.authorize[cause.key],
        expected: cause.expected,
        shown: `each authorization of a payment is refused with the error ${error}`,
        exchange: exchange.id,
      },
    ]
  }
  return []
}

interface TokenCause {
  readonly member: 'form' | 'credentials'
  readonly expected: string
}

const FORM: TokenCause = { member: 'form', expected: 'request of the target' }

const TOKEN_CAUSES: ReadonlyMap<string, TokenCause> = new Map([
  ['unsupported_grant_type', FORM],
  ['invalid_request', FORM],
  ['invalid_scope', FORM],
  ['unauthorized_client', FORM],
  ['invalid_client', { member: 'credentials', expected: 'credentials of the target' }],
])

interface TokenRequest {
  readonly part: 'loans.token' | 'payments.token'
  readonly operation: Operation
  /** The paths at which a refusal may have its code. */
  readonly codes: readonly string[]
  readonly form: Readonly<Record<string, string>>
  readonly credentials: string
}

const tokenRequestsOf = ({ loans, payments, operations }: Profile): readonly TokenRequest[] => {
  const codes = ['error', operations.token.errorCode]
  const requests: TokenRequest[] = []
  if (loans !== undefined)
    requests.push({
      ...loans.token,
      part: 'loans.token',
      operation: 'loanToken',
      codes: [...codes, ...refusalCodePaths(loans)],
    })
  if (payments !== undefined)
    requests.push({ ...payments.token, part: 'payments.token', operation: 'token', codes })
  return requests
}

/** A request exactly as in the profile, without a change by a check; the code of a customer is exchanged at the same address. */
const isOrdinary = ({ form }: TokenRequest, { request }: Exchange): boolean => {
  const sent = new URLSearchParams(request.body?.text ?? '')
  const own = [...sent].filter(([name]) => name !== 'client_id' && name !== 'client_secret')
  return (
    own.length === Object.keys(form).length &&
    Object.entries(form).every(([name, value]) => sent.get(name) === value)
  )
}

const errorIn = (exchange: Exchange, { codes }: TokenRequest): string | undefined => {
  const error = codes.map((path) => fieldOf(jsonOf(exchange), path)).find((code) => code !== undefined)
  return typeof error === 'string' ? error : undefined
}

/** The interface has this scope (Authentication, 7): the refusal of it is not an error of the profile. */
const isOfDocumentedScope = ({ part, form }: TokenRequest, error: string): boolean =>
  part === 'loans.token' && form['scope'] === 'PAY_LATER' && /^invalid_scope$/i.test(error)

const tokenMismatch = (wanted: TokenRequest, refusal: Exchange): readonly ProfileMismatch[] => {
  const error = errorIn(refusal, wanted)
  if (error === undefined) return []
  // RFC 6749 §5.2 has its codes in lower case; some targets use upper case.
  const blame = TOKEN_CAUSES.get(error.toLowerCase())
  if (blame === undefined || isOfDocumentedScope(wanted, error)) return []
  return [
    {
      key: `${wanted.part}.${blame.member}`,
      bound: blame.member === 'form' ? namesIn(wanted.form) : wanted.credentials,
      expected: blame.expected,
      shown: `each request is refused with the error ${error}`,
      exchange: refusal.id,
    },
  ]
}

/**
 * If an application never got a client token, and the target reports that it does not understand the request
 * (RFC 6749 §5.2), the request in the profile may be wrong.
 */
export const mismatchedTokenRequests = ({
  profile,
  exchanges,
  all,
}: RunExchanges): readonly ProfileMismatch[] =>
  tokenRequestsOf(profile).flatMap((wanted) => {
    const isOrdinaryRequest = (exchange: Exchange): boolean =>
      exchange.operation === wanted.operation && isOrdinary(wanted, exchange)
    const refusal = exchanges.find((exchange) => isRefused(exchange) && isOrdinaryRequest(exchange))
    if (
      refusal === undefined ||
      hasAny(all(), (exchange) => isSuccess(exchange) && isOrdinaryRequest(exchange))
    )
      return []
    return tokenMismatch(wanted, refusal)
  })
