import {
  inState,
  rejectedFor,
  rewording,
  without,
  wordingRecords,
  type Members,
  type Said,
} from './bodies.ts'
import { PAY } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** What a bank can have decided wrongly of tokens that are good no more. */

const HOUR_MS = 60 * 60_000

type RefusalWord = Parameters<Rules['refusalStatus']>[0]['error']

const refusingWith =
  (status: number, isMeant: (error: RefusalWord) => boolean): RuleChange =>
  (lawful) => ({
    refusalStatus: (facts) =>
      facts.endpoint === 'payments' && isMeant(facts.error) ? status : lawful.refusalStatus(facts),
  })

/** Answers payment operations with 403 where a token is refused for that. */
const forbidding = (word: 'token_expired' | 'token_revoked'): RuleChange =>
  refusingWith(403, (error) => error === word)

/** A rule and no wire: in a bank that refuses with pages, or with nothing, the error is that of the reference bank then. */
const refusingWithSuccess = (isMeant: (error: RefusalWord) => boolean): RuleChange =>
  refusingWith(200, isMeant)

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

const messageIn = ({ body }: { readonly body: string }): string | undefined =>
  /"instructionIdentification":"(\w+)"/.exec(body)?.[1]

export const defectsOfDeadTokens: readonly Defect[] = [
  {
    id: 'initiation-with-an-expired-token-is-carried-out-in-silence',
    story: 'An initiation with a token that has expired is answered with 401, and carried out all the same.',
    breaks: [PAY.refusedInitiationIsNotCarriedOut],
    wire: rewording(() => {
      const refused = new Set<string | undefined>()
      return ({ status, body }, asked) => {
        if (asked.operation !== 'initiation') return undefined
        if (status === 401) refused.add(messageIn(asked))
        return body.status === 'ACTC' && refused.has(messageIn(asked))
          ? { body: rejectedFor(body, 'AM05') }
          : undefined
      }
    }),
  },
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

/** What this bank has told of each payment last, under its orderId. */
type Known = Map<unknown, Members>

const remembering = (reword: (said: Said, orderId: string, known: Known) => Partial<Said> | undefined) =>
  rewording(() => {
    const known: Known = new Map()
    return (said, { operation, orderId }) => {
      if (said.status < 300 && said.body.orderId !== undefined) known.set(said.body.orderId, said.body)
      return operation === 'status' ? reword(said, orderId, known) : undefined
    }
  })

/** Rewords the status of a payment in ACTC from this reading on. */
const fromReading = (count: number, reword: (said: Said) => Partial<Said>) =>
  rewording(() => {
    const reads = new Map<unknown, number>()
    return (said, { operation }) => {
      if (operation !== 'status' || said.body.status !== 'ACTC') return undefined
      const read = (reads.get(said.body.orderId) ?? 0) + 1
      reads.set(said.body.orderId, read)
      return read >= count ? reword(said) : undefined
    }
  })

const records: readonly Defect[] = [
  {
    id: 'status-is-told-once',
    story: 'The status of a payment that waits for its submission is told once, and then not found.',
    breaks: [PAY.statusIsAnsweredUnderTheOrderId],
    wire: fromReading(2, () => ({ status: 404, body: { errorCode: 'ORDER_UNKNOWN' } })),
  },
  {
    id: 'status-is-not-found',
    story: 'The status of a payment is answered with the status 404 and the record.',
    breaks: [PAY.statusIsAnsweredUnderTheOrderId],
    wire: rewording(
      () =>
        ({ status }, { operation }) =>
          operation === 'status' && status === 200 ? { status: 404 } : undefined,
    ),
  },
  {
    id: 'status-names-the-order-in-lower-case',
    story: 'The orderId of the status is that of the payment in lower case.',
    breaks: [PAY.statusRecordIsThatOfThePayment, PAY.submissionAnswersTheStatusRecord],
    wire: wordingRecords(
      (_, { operation }) => operation !== 'initiation',
      (record) => ({ ...record, orderId: String(record.orderId).toLowerCase() }),
    ),
  },
  {
    id: 'status-names-no-order',
    story: 'The status of a payment that waits for its submission has no orderId.',
    breaks: [PAY.statusRecordIsThatOfThePayment],
    wire: fromReading(1, ({ body }) => ({ body: without(body, 'orderId') })),
  },
  {
    id: 'status-has-no-date-time',
    story: 'The status of a payment that waits for its submission has no statusDateTime.',
    breaks: [PAY.statusRecordHasStatusAndDateTime],
    wire: fromReading(1, ({ body }) => ({ body: without(body, 'statusDateTime') })),
  },
  {
    id: 'unsubmitted-payment-is-rejected-with-time',
    story: 'A payment that nobody submits is RJCT when it is read the second time.',
    breaks: [PAY.statusRecordAgreesWithTheInitiation, PAY.statesFollowTheTable],
    wire: fromReading(2, ({ body }) => ({ body: rejectedFor(body, 'MS03') })),
  },
  {
    id: 'completed-payment-has-a-state-of-its-own',
    story: 'A payment that is completed says ACCC.',
    breaks: [PAY.statusIsOneOfFive, PAY.statesFollowTheTable],
    wire: wordingRecords(
      ({ status }) => status === 'ACSC',
      (record) => ({ ...record, status: 'ACCC' }),
    ),
  },
  {
    id: 'standard-payment-has-no-upper-case',
    story: 'The status of a payment is in lower case when it is read before its submission.',
    breaks: [PAY.statusIsOneOfFive, PAY.statusRecordAgreesWithTheInitiation, PAY.statesFollowTheTable],
    wire: fromReading(2, ({ body }) => ({ body: { ...body, status: 'actc' } })),
  },
]

/** Any refusal but that of a token. */
const isForbidden = (status: number): boolean => status >= 400 && status !== 401

const refusals: readonly Defect[] = [
  {
    id: 'unknown-order-is-rejected',
    story: 'The status of an orderId that was never issued is that of a rejected payment.',
    breaks: [PAY.unknownOrderIsRefused],
    wire: remembering(({ status }, orderId, known) => {
      const [some] = known.values()
      return status < 400 || known.has(orderId) || some === undefined
        ? undefined
        : { status: 200, body: { ...rejectedFor(some, 'MS03'), orderId } }
    }),
  },
  {
    id: 'unknown-order-is-the-last-one',
    story: 'The status of an orderId that was never issued is that of the last payment.',
    breaks: [PAY.unknownOrderIsRefused],
    wire: remembering(({ status }, orderId, known) => {
      const last = [...known.values()].at(-1)
      return status < 400 || known.has(orderId) || last === undefined
        ? undefined
        : { status: 200, body: last }
    }),
  },
  {
    id: 'unknown-order-is-ok',
    story: 'An orderId that was never issued is answered with the status 200, and an error.',
    breaks: [PAY.refusalIsNoSuccess],
    rules: refusingWithSuccess((error) => error === 'order_unknown'),
  },
  {
    id: 'refused-initiation-is-ok',
    story: 'An initiation that cannot be read is answered with the status 200, and an error.',
    breaks: [PAY.refusalIsNoSuccess],
    rules: refusingWithSuccess((error) => error === 'invalid_request'),
  },
  {
    id: 'refused-submission-is-ok',
    story: 'A submission without an authorization is answered with the status 200, and an error.',
    breaks: [PAY.refusalIsNoSuccess],
    rules: refusingWithSuccess((error) => error === 'not_authorized'),
  },
  {
    id: 'foreign-order-is-readable',
    story: 'Any application reads the status of any payment.',
    breaks: [PAY.foreignPaymentIsRefused, { id: 'ENV-20' }, { id: 'ENV-21' }],
    wire: remembering(({ status }, orderId, known) => {
      const body = known.get(orderId)
      return isForbidden(status) && body !== undefined ? { status: 200, body } : undefined
    }),
  },
  {
    id: 'refusal-tells-the-state-of-a-foreign-order',
    story: 'Another application is refused, and told in which state the payment is.',
    breaks: [PAY.foreignPaymentIsRefused, { id: 'ENV-20' }, { id: 'ENV-21' }],
    wire: remembering(({ status }, orderId, known) => {
      const state = known.get(orderId)?.status
      return isForbidden(status) && state !== undefined
        ? { status: 403, body: { errorCode: 'FOREIGN_ORDER', state } }
        : undefined
    }),
  },
  {
    id: 'status-of-an-unknown-order-is-a-word-of-http',
    story: 'The field status of a refused call, beside the orderId that was asked for, says NOT_FOUND.',
    breaks: [PAY.statusHoldsNoResultOfTheCall],
    wire: remembering(({ status, body }, orderId, known) =>
      status >= 400 && !known.has(orderId) ? { body: { ...body, orderId, status: 'NOT_FOUND' } } : undefined,
    ),
  },
  {
    id: 'status-of-a-refused-submission-is-a-number',
    story: 'The field status of a submission that is refused, beside the orderId, is its HTTP status.',
    breaks: [PAY.statusHoldsNoResultOfTheCall],
    wire: rewording(() => {
      let last: unknown
      return ({ status, body }, { operation }) => {
        last = body.orderId ?? last
        return operation === 'submission' && status >= 400
          ? { body: { ...body, orderId: last, status } }
          : undefined
      }
    }),
  },
]

/** Changes the record of a completed payment from this answer on: 1 is the first answer that has it. */
const completedFrom = (from: number, change: (record: Members) => Members) =>
  rewording(() => {
    const told = new Map<unknown, number>()
    return ({ body }) => {
      if (body.status !== 'ACSC') return undefined
      const count = (told.get(body.orderId) ?? 0) + 1
      told.set(body.orderId, count)
      return count >= from ? { body: change(body) } : undefined
    }
  })

const ends: readonly Defect[] = [
  {
    id: 'completed-payment-is-recalled',
    story: 'A payment that was completed is rejected days later.',
    breaks: [PAY.completedPaymentStaysCompleted, PAY.statesFollowTheTable],
    wire: completedFrom(3, (record) => rejectedFor(record, 'MS03')),
  },
  {
    id: 'completed-payment-is-in-process-again',
    story: 'A payment that was completed is in ACSP again when it is read the second time.',
    breaks: [PAY.completedPaymentStaysCompleted, PAY.statesFollowTheTable],
    wire: completedFrom(2, (record) => inState(record, 'ACSP')),
  },
]

export const defectsOfReading: readonly Defect[] = [...records, ...refusals, ...ends]
