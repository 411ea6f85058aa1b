import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { PAY } from '../requirements.ts'

/** What a bank can have decided wrongly of tokens that are good no more. */

const HOUR_MS = 60 * 60_000

/** Answers payment operations with 403 where a token is refused for that. */
const forbidding =
  (error: 'token_expired' | 'token_revoked'): RuleChange =>
  (lawful) => ({
    refusalStatus: (facts) =>
      facts.endpoint === 'payments' && facts.error === error ? 403 : lawful.refusalStatus(facts),
  })

type TokenFacts = Parameters<Rules['paymentTokenIsFresh']>[0]

/** Carries a submission out with a token that is dead, and answers as if it had not. */
const inSilence =
  (
    dead: (
      lawful: Rules,
      isDead: (facts: TokenFacts, isDead: boolean) => void,
    ) => Pick<Partial<Rules>, 'paymentTokenIsFresh' | 'paymentTokenIsRevoked'>,
  ): RuleChange =>
  (lawful) => {
    const tokens = new Map<string | undefined, boolean>()
    const isSilent = (orderId: string): boolean => tokens.get(orderId) === true
    return {
      ...dead(lawful, ({ token: { orderId } }, isDead) => tokens.set(orderId, isDead)),
      submissionStatus: (facts) => (isSilent(facts.payment.orderId) ? 401 : lawful.submissionStatus(facts)),
      paymentBody: (facts) =>
        facts.telling === 'submission' && isSilent(facts.payment.orderId)
          ? { error: 'invalid_token' }
          : lawful.paymentBody(facts),
    }
  }

export const defectsOfDeadTokens: readonly Defect[] = [
  {
    id: 'expired-payment-token-is-forbidden',
    story: 'A payment operation with a token that has expired is answered with 403.',
    breaks: [PAY.expiredTokenHasStatus401],
    rules: forbidding('token_expired'),
  },
  {
    id: 'payment-token-lives-for-an-hour-more',
    story: 'The token that an application initiates with lives for an hour longer than it tells.',
    breaks: [PAY.expiredTokenHasStatus401],
    rules: (lawful) => ({
      paymentTokenIsFresh: (facts) =>
        facts.token.orderId === undefined
          ? facts.now.getTime() < facts.token.expiresAt.getTime() + HOUR_MS
          : lawful.paymentTokenIsFresh(facts),
    }),
  },
  {
    id: 'token-of-an-authorization-never-ends',
    story: 'What a customer has authorized can be submitted with its token for ever.',
    breaks: [PAY.expiredTokenHasStatus401],
    rules: (lawful) => ({
      paymentTokenIsFresh: (facts) => facts.token.orderId !== undefined || lawful.paymentTokenIsFresh(facts),
    }),
  },
  {
    id: 'revoked-payment-token-is-forbidden',
    story: 'A submission with a token that the customer has revoked is answered with 403.',
    breaks: [PAY.revokedTokenHasStatus401],
    rules: forbidding('token_revoked'),
  },
  {
    id: 'revoked-payment-token-is-good',
    story: 'A payment can be submitted although the customer has revoked its authorization.',
    breaks: [PAY.revokedTokenHasStatus401],
    rules: { paymentTokenIsRevoked: () => false },
  },
  {
    id: 'submission-with-an-expired-token-is-carried-out-in-silence',
    story: 'A submission with a token that has expired is answered with 401, and carried out all the same.',
    breaks: [PAY.expiredTokenHasStatus401],
    rules: inSilence((lawful, tell) => ({
      paymentTokenIsFresh: (facts) => {
        if (facts.token.orderId === undefined) return lawful.paymentTokenIsFresh(facts)
        tell(facts, !lawful.paymentTokenIsFresh(facts))
        return true
      },
    })),
  },
  {
    id: 'submission-with-a-revoked-token-is-carried-out-in-silence',
    story: 'A submission with a token that was revoked is answered with 401, and carried out all the same.',
    breaks: [PAY.revokedTokenHasStatus401],
    rules: inSilence((lawful, tell) => ({
      paymentTokenIsRevoked: (facts) => {
        if (facts.token.orderId === undefined) return lawful.paymentTokenIsRevoked(facts)
        tell(facts, lawful.paymentTokenIsRevoked(facts))
        return false
      },
    })),
  },
]
