/** The tokens of the payment operations: one for the application itself, and one for each payment authorized. */
import type { PaymentToken } from '../payments/payment.ts'
import { newSecret } from '../secret.ts'
import { HOUR, MINUTE, SECOND, type Awaitable, type ClientFacts, type Facts } from './facts.ts'

export type PaymentGrantType = 'client_credentials' | 'authorization_code'

interface IssueFacts extends ClientFacts {
  readonly grantType: PaymentGrantType
  /** The payment that a customer has authorized; nothing if none has. */
  readonly orderId: string | undefined
}

interface TokenFacts extends Facts {
  readonly token: PaymentToken
}

export interface PaymentTokenRules {
  readonly paymentGrantTypeIsAccepted: (facts: ClientFacts & { readonly grantType: string }) => boolean
  /** Whether payments can be asked for under this scope; nothing if the request names none. */
  readonly paymentScopeIsAccepted: (facts: ClientFacts & { readonly scope: string | undefined }) => boolean
  readonly newPaymentToken: (facts: IssueFacts) => string
  /** In ms. */
  readonly paymentTokenLifetime: (facts: IssueFacts) => number
  readonly paymentTokenBody: (
    facts: IssueFacts & { readonly value: string; readonly lifetime: number },
  ) => Readonly<Record<string, unknown>>
  /** The token that a payment operation carries; nothing if it carries none in the Authorization header. */
  readonly paymentTokenCarried: (facts: Facts & { readonly header: string | undefined }) => string | undefined
  readonly paymentTokenIsFresh: (facts: TokenFacts) => boolean
  readonly paymentTokenIsRevoked: (facts: TokenFacts & { readonly revokedAt: Date | undefined }) => boolean
  /** Takes the token of one payment, and says whether it was there to take. Atomic, like `redeemsCode`. */
  readonly redeemsPaymentToken: (
    facts: TokenFacts & { readonly redemptions: Set<string> },
  ) => Awaitable<boolean>
}

export const PAYMENT_SCOPE = 'PISP'

/** RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i

export const paymentTokenRules: PaymentTokenRules = {
  paymentGrantTypeIsAccepted: ({ grantType }) =>
    grantType === 'client_credentials' || grantType === 'authorization_code',
  paymentScopeIsAccepted: ({ scope }) => scope === PAYMENT_SCOPE,
  newPaymentToken: newSecret,
  paymentTokenLifetime: ({ grantType }) => (grantType === 'client_credentials' ? HOUR : 5 * MINUTE),
  paymentTokenBody: ({ value, lifetime }) => ({
    access_token: value,
    token_type: 'Bearer',
    expires_in: Math.floor(lifetime / SECOND),
    scope: PAYMENT_SCOPE,
  }),
  paymentTokenCarried: ({ header }) => (header === undefined ? undefined : BEARER.exec(header)?.[1]),
  paymentTokenIsFresh: ({ token, now }) => now < token.expiresAt,
  paymentTokenIsRevoked: ({ revokedAt }) => revokedAt !== undefined,
  redeemsPaymentToken: ({ token, redemptions }) => {
    if (redemptions.has(token.value)) return false
    redemptions.add(token.value)
    return true
  },
}
