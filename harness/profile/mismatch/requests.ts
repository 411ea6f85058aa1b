import { anywhere, fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { refusalCodePaths } from '../../evidence/record/loan-application.ts'
import { headerOf, type Exchange } from '../../evidence/exchange.ts'
import { namesIn } from './bodies.ts'
import { isRefused, isRefusedThere, isSuccess, statusOf, type KeyRow } from './mismatch.ts'
import { isOf } from './paths.ts'
import type { Profile } from '../schema.ts'

/** The undocumented parts of requests for consents, tokens, authorizations and submissions, besides the bodies of orders. */

/** The interface shows this header of a consent (Endpoints, Consent and authorization, POST /v1/consents). */
const DOCUMENTED_HEADER = 'X-Request-ID'

/** If the profile has another header than the interface, and no consent was created, the header may be the cause. */
const headerRows = (profile: Profile): readonly KeyRow[] => {
  const { requestIdHeader } = profile.operations.createConsent
  if (requestIdHeader.toLowerCase() === DOCUMENTED_HEADER.toLowerCase()) return []
  return [
    {
      uses: isOf(profile, 'operations.createConsent'),
      fits: isSuccess,
      contradicts: isRefusedThere,
      mismatch: (exchange) => ({
        key: 'operations.createConsent.requestIdHeader',
        bound: requestIdHeader,
        expected: 'header of the interface',
        shown: `each request is answered ${statusOf(exchange)}, and the interface has ${DOCUMENTED_HEADER}`,
      }),
    },
  ]
}

/** RFC 6749 §4.1.2.1. */
const redirectedErrorOf = ({ request, response }: Exchange): string | undefined => {
  const location = headerOf(response?.headers ?? [], 'location')
  if (location === undefined || ![301, 302, 303, 307, 308].includes(response?.status ?? 0)) return undefined
  if (!URL.canParse(location, request.url)) return undefined
  return new URL(location, request.url).searchParams.get('error') ?? undefined
}

/** The orderIds of rejected payments: a bank need not let a customer authorize these. */
const rejectedIn = (exchanges: readonly Exchange[]): readonly string[] =>
  exchanges
    .filter(({ response }) => response !== undefined)
    .map(jsonOf)
    .filter((answer) => anywhere(answer, 'status').includes('RJCT'))
    .flatMap((answer) => anywhere(answer, 'orderId').map(String))

/** The member of `payments.authorize` that an error is about. */
const AUTHORIZATION_ERRORS: ReadonlyMap<string | undefined, 'scope' | 'parameter'> = new Map([
  ['invalid_scope', 'scope'],
  ['invalid_request', 'parameter'],
])

/** Each authorization of a payment is refused before the customer is asked. */
const authorizationRows = (profile: Profile): readonly KeyRow[] => {
  const { payments } = profile
  if (payments === undefined) return []
  return [
    {
      uses: isOf(profile, 'payments.authorize'),
      // The customer was asked.
      fits: (exchange) => redirectedErrorOf(exchange) === undefined,
      contradicts: (exchange, _, exchanges) =>
        AUTHORIZATION_ERRORS.has(redirectedErrorOf(exchange)) &&
        !rejectedIn(exchanges).some((orderId) => exchange.request.url.includes(encodeURIComponent(orderId))),
      mismatch: (exchange) => {
        const error = redirectedErrorOf(exchange)
        const member = AUTHORIZATION_ERRORS.get(error)
        return (
          member && {
            key: `payments.authorize.${member}`,
            bound: payments.authorize[member],
            expected: `${member} of the target`,
            shown: `each authorization of a payment is refused with the error ${error}`,
          }
        )
      },
    },
  ]
}

/** The member of the token part that an error is about. */
const TOKEN_ERRORS: ReadonlyMap<string, 'form' | 'credentials'> = new Map([
  ['unsupported_grant_type', 'form'],
  ['invalid_request', 'form'],
  ['invalid_scope', 'form'],
  ['unauthorized_client', 'form'],
  ['invalid_client', 'credentials'],
])

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
    return {
      uses: (exchange) => exchange.operation === operation && isOrdinary(form, exchange),
      fits: isSuccess,
      contradicts: isRefused,
      mismatch: (exchange) => {
        const error = codes.map((path) => fieldOf(jsonOf(exchange), path)).find((one) => one !== undefined)
        if (typeof error !== 'string') return undefined
        // RFC 6749 §5.2 has its codes in lower case; some targets use upper case.
        const code = error.toLowerCase()
        const member = TOKEN_ERRORS.get(code)
        // The interface has this scope (Authentication, 7): the refusal of it is not an error of the profile.
        const isDocumented = part === 'loans' && form['scope'] === 'PAY_LATER' && code === 'invalid_scope'
        if (member === undefined || isDocumented) return undefined
        return {
          key: `${part}.token.${member}`,
          bound: member === 'form' ? namesIn(form) : credentials,
          expected: member === 'form' ? 'request of the target' : 'credentials of the target',
          shown: `each request is refused with the error ${error}`,
        }
      },
    }
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
      uses: isOf(profile, 'payments.submission'),
      fits: isExecutedLater,
      contradicts: (exchange, at, exchanges) =>
        isRefusedThere(exchange) && statusOf(exchange) !== 429 && mayBeAuthorized(exchanges.slice(0, at)),
      mismatch: (exchange) => ({
        key: submission?.body === undefined ? 'payments.headers' : 'payments.submission.body',
        bound: names,
        expected: 'submission of the target',
        shown: `each submission is answered ${statusOf(exchange)}`,
      }),
    },
  ]
}

export const requestKeys = (profile: Profile): readonly KeyRow[] => [
  ...headerRows(profile),
  ...authorizationRows(profile),
  ...tokenRows(profile),
  ...submissionRows(profile),
]
