import type { EnvironmentName } from '../base-paths.ts'
import type { Account } from '../seed-data.ts'
import { type Facts, type Endpoint, type Variant, rule } from './facts.ts'

/** The refusals of the bank, and the environments that it searches. */

/** Each reason for a refusal: its HTTP status, and the code of the body where the body is not OAuth's. */
const REFUSALS = {
  invalid_request: { status: 400, code: 'INVALID_REQUEST' },
  invalid_client: { status: 401, code: 'INVALID_CLIENT' },
  invalid_grant: { status: 400, code: 'INVALID_GRANT' },
  invalid_scope: { status: 400, code: 'INVALID_SCOPE' },
  unsupported_grant_type: { status: 400, code: 'UNSUPPORTED_GRANT_TYPE' },
  unsupported_response_type: { status: 400, code: 'UNSUPPORTED_RESPONSE_TYPE' },
  not_entitled: { status: 403, code: 'NO_CONTRACT' },
  consent_unknown: { status: 404, code: 'CONSENT_UNKNOWN' },
  account_unknown: { status: 404, code: 'NO_ACCOUNT' },
  order_unknown: { status: 404, code: 'ORDER_UNKNOWN' },
  order_state: { status: 409, code: 'ORDER_STATE' },
  negative_value: { status: 422, code: 'NEGATIVE_VALUE_NOT_ALLOWED' },
  loan_too_low: { status: 422, code: 'LOAN_AMNT_LOW' },
  loan_too_high: { status: 422, code: 'LOAN_AMNT_HIGH' },
  capacity_insufficient: { status: 422, code: 'INSUFFICIENT_CAPACITY' },
  total_too_low: { status: 422, code: 'TOT_AMNT_LOW' },
  total_too_high: { status: 422, code: 'TOT_AMNT_HIGH' },
  application_unknown: { status: 404, code: 'APP_NOT_FOUND' },
  cancellation_not_allowed: { status: 422, code: 'NOT_ALLOWED_OPER' },
  scenario_selected: { status: 409, code: 'SCENARIO_SELECTED' },
  not_authorized: { status: 403, code: 'NO_AUTHORIZATION' },
  token_missing: { status: 401, code: 'TOKEN_INVALID' },
  token_unknown: { status: 401, code: 'TOKEN_UNKNOWN' },
  token_expired: { status: 401, code: 'TOKEN_EXPIRED' },
  token_revoked: { status: 401, code: 'TOKEN_INVALID' },
} as const

export type RefusalWord = keyof typeof REFUSALS

export interface RefusalFacts extends Facts {
  readonly error: RefusalWord
  readonly endpoint: Endpoint
  readonly variant: Variant
  /** The refused account, if there is one. */
  readonly account: Account | undefined
}

export type RecordKind =
  'consents' | 'codes' | 'accessTokens' | 'refreshTokens' | 'payments' | 'paymentTokens'

const isOAuth = (endpoint: Endpoint): boolean =>
  endpoint === 'token' || endpoint === 'loan-token' || endpoint === 'authorize'

/** RFC 6750 §3.1: the answer to a request without a token has no error code, only the scheme. */
const bearerChallenge = ({ error }: RefusalFacts, description: string): string =>
  error === 'token_missing'
    ? 'Bearer realm="bank"'
    : `Bearer realm="bank", error="invalid_token", error_description="${description}"`

export const refusalRules = {
  refusalStatus: rule<RefusalFacts, number>(({ error }) => REFUSALS[error].status),
  refusalBody: rule<RefusalFacts & { readonly description: string }, unknown>(
    ({ error, endpoint, description }) =>
      isOAuth(endpoint)
        ? { error, error_description: description }
        : { errorCode: REFUSALS[error].code, errorDescription: description },
  ),
  refusalHeaders: rule<RefusalFacts & { readonly description: string }, Readonly<Record<string, string>>>(
    ({ description, ...facts }) => {
      if (facts.error === 'invalid_client')
        return { 'www-authenticate': 'Basic realm="bank", charset="UTF-8"' }
      if (facts.error.startsWith('token_')) return { 'www-authenticate': bearerChallenge(facts, description) }
      return {}
    },
  ),
  /** The other environments in which a record is searched; a conforming bank: none. */
  otherEnvironmentsSearched: rule<
    Facts & { readonly endpoint: Endpoint; readonly variant: Variant; readonly kind: RecordKind },
    readonly EnvironmentName[]
  >(() => []),
}
