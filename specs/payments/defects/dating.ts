import { rewording, wordingRecords, type Asked, type Members } from './bodies.ts'
import { PAY } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

const always = (): boolean => true
const whenRead = (_: Members, { operation }: Asked): boolean => operation === 'status'

const timeOf = ({ statusDateTime }: Members): string => String(statusDateTime)

const dating = (
  change: (time: string) => unknown,
  isMeant: (record: Members, asked: Asked) => boolean = always,
) => wordingRecords(isMeant, (record) => ({ ...record, statusDateTime: change(timeOf(record)) }))

const OFFSET = /(Z|[+-]\d\d:?\d\d)$/

type DatingFacts = Parameters<Rules['statusDateTime']>[0]

/** The time of a status with this many ms more. */
const moved = ({ payment: { statusAt } }: DatingFacts, ms: number): Date => new Date(statusAt.getTime() + ms)

/** Moves the time of a status by so many ms before it is written, in whatever form the bank writes it. */
const moving =
  (make: () => (facts: DatingFacts) => number): RuleChange =>
  (lawful) => {
    const msOf = make()
    return {
      statusDateTime: (facts) =>
        lawful.statusDateTime({
          ...facts,
          payment: { ...facts.payment, statusAt: moved(facts, msOf(facts)) },
        }),
    }
  }

const movingIn = (status: DatingFacts['payment']['status'], ms: number): RuleChange =>
  moving(
    () =>
      ({ payment }) =>
        payment.status === status ? ms : 0,
  )

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

const forms: readonly Defect[] = [
  {
    id: 'date-time-has-no-offset',
    story: 'statusDateTime is a local time without its offset.',
    breaks: [PAY.statusDateTimeHasAUtcOffset],
    wire: dating((time) => time.replace(OFFSET, '')),
  },
  {
    id: 'date-time-has-no-offset-when-read',
    story: 'statusDateTime has its offset in the answer to an initiation, and lacks it in the status.',
    breaks: [PAY.statusDateTimeHasAUtcOffset],
    wire: dating((time) => time.replace(OFFSET, ''), whenRead),
  },
  {
    id: 'date-time-has-a-blank',
    story: 'A blank stands between the date and the time of statusDateTime.',
    breaks: [PAY.statusDateTimeHasAUtcOffset, PAY.statusDateTimeHasMilliseconds],
    wire: dating((time) => time.replace('T', ' ')),
  },
  {
    id: 'date-time-names-its-zone',
    story: 'statusDateTime has the name of a zone behind it.',
    breaks: [PAY.statusDateTimeHasAUtcOffset],
    wire: dating((time) => `${time}[Europe/Bratislava]`),
  },
  {
    id: 'date-time-has-a-month-too-many',
    story: 'The months of statusDateTime are counted to 13 in a pending payment.',
    breaks: [PAY.statusDateTimeHasAUtcOffset],
    rules: (lawful) => ({
      statusDateTime: (facts) =>
        facts.payment.status === 'PDNG'
          ? moved(facts, 0).toISOString().replace(/-\d\d/, '-13')
          : lawful.statusDateTime(facts),
    }),
  },
  {
    id: 'date-time-is-a-number',
    story: 'statusDateTime is a number of milliseconds.',
    breaks: [PAY.statusDateTimeHasAUtcOffset, PAY.statusDateTimeHasMilliseconds],
    rules: (lawful) => ({
      paymentBody: (facts) => ({
        ...lawful.paymentBody(facts),
        statusDateTime: facts.payment.statusAt.getTime(),
      }),
    }),
  },
  {
    id: 'date-time-has-no-milliseconds',
    story: 'statusDateTime ends with the seconds.',
    breaks: [PAY.statusDateTimeHasMilliseconds],
    wire: dating((time) => time.replace(/\.\d+/, '')),
  },
  {
    id: 'milliseconds-are-left-out-in-a-rejection',
    story: 'statusDateTime of a rejected payment ends with the seconds.',
    breaks: [PAY.statusDateTimeHasMilliseconds],
    wire: dating(
      (time) => time.replace(/\.\d+/, ''),
      ({ status }) => status === 'RJCT',
    ),
  },
  {
    id: 'milliseconds-have-one-digit',
    story: 'The zeros at the end of the milliseconds are left out.',
    breaks: [PAY.statusDateTimeHasMilliseconds],
    wire: dating((time) => time.replace(/(\.\d)\d+/, '$1')),
  },
]

const instants: readonly Defect[] = [
  {
    id: 'local-time-is-told-as-utc',
    story: 'statusDateTime is the local time of the bank, with a Z behind it.',
    breaks: [PAY.statusDateTimeIsTheTimeOfTheStatus],
    rules: { statusDateTime: (facts) => moved(facts, HOUR_MS).toISOString() },
  },
  {
    id: 'utc-is-told-as-local-time',
    story: 'statusDateTime is the time of UTC, with the offset of Bratislava behind it.',
    breaks: [PAY.statusDateTimeIsTheTimeOfTheStatus],
    rules: { statusDateTime: (facts) => moved(facts, 0).toISOString().replace('Z', '+01:00') },
  },
  {
    id: 'date-time-of-acceptance-goes-back',
    story: 'statusDateTime of a payment in ACSP lies five minutes before that of its initiation.',
    breaks: [PAY.statusDateTimeDoesNotGoBack],
    rules: movingIn('ACSP', -5 * MINUTE_MS),
  },
  {
    id: 'date-time-goes-back-when-pending',
    story: 'statusDateTime of a payment in PDNG lies a minute before that of its initiation.',
    breaks: [PAY.statusDateTimeDoesNotGoBack],
    rules: movingIn('PDNG', -MINUTE_MS),
  },
  {
    id: 'date-time-is-that-of-the-initiation',
    story: 'statusDateTime stays what the initiation answered.',
    breaks: [PAY.statusDateTimeChangesWithTheStatus],
    wire: rewording(() => {
      const first = new Map<unknown, unknown>()
      return ({ body }) => {
        if (!first.has(body.orderId)) first.set(body.orderId, body.statusDateTime)
        return body.orderId === undefined
          ? undefined
          : { body: { ...body, statusDateTime: first.get(body.orderId) } }
      }
    }),
  },
  {
    id: 'date-time-of-a-late-rejection-is-that-of-the-initiation',
    story: 'statusDateTime does not change when a submission rejects the payment.',
    breaks: [PAY.statusDateTimeChangesWithTheStatus],
    wire: rewording(() => {
      const first = new Map<unknown, unknown>()
      return ({ body }) => {
        if (!first.has(body.orderId)) first.set(body.orderId, body.statusDateTime)
        return body.status === 'RJCT'
          ? { body: { ...body, statusDateTime: first.get(body.orderId) } }
          : undefined
      }
    }),
  },
  {
    id: 'date-time-is-that-of-the-answer',
    story: 'statusDateTime is the time at which the status is read.',
    breaks: [PAY.statusDateTimeStaysWithTheStatus],
    rules: moving(() => {
      let reads = 0
      return ({ telling }) => (telling === 'status' ? (reads += 1) : 0)
    }),
  },
]

export const defectsOfDating: readonly Defect[] = [...forms, ...instants]

/** What a bank can have decided wrongly, rule by rule. */

const DAY_MS = 24 * HOUR_MS

const soon = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

const moves: readonly Defect[] = [
  {
    id: 'completed-payment-moves-after-a-day',
    story: 'A payment in ACSC returns to ACTC after a day.',
    breaks: [PAY.completedPaymentStaysCompleted, PAY.noPaymentReturnsToValidation, PAY.statesFollowTheTable],
    rules: (lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'ACSC'
          ? { at: soon(facts.now, DAY_MS), status: 'ACTC' }
          : lawful.nextMove(facts),
    }),
  },
  {
    id: 'rejected-payment-moves-after-a-day',
    story: 'A payment in RJCT is in ACSC after a day, whatever the reason of its rejection.',
    breaks: [PAY.rejectedPaymentStaysRejected],
    rules: (lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'RJCT'
          ? { at: soon(facts.now, DAY_MS), status: 'ACSC' }
          : lawful.nextMove(facts),
    }),
  },
  {
    id: 'denied-payment-moves-by-itself',
    story: 'A payment that nobody has submitted is in ACSP after a day.',
    breaks: [PAY.deniedPaymentIsNotSubmitted, PAY.statesFollowTheTable],
    rules: (lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'ACTC'
          ? { at: soon(facts.now, DAY_MS), status: 'ACSP' }
          : lawful.nextMove(facts),
    }),
  },
  {
    id: 'payment-in-process-returns-to-validation',
    story: 'A payment that is in process for an hour returns to ACTC.',
    breaks: [PAY.noPaymentReturnsToValidation, PAY.statesFollowTheTable],
    rules: (lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'ACSP'
          ? { at: soon(facts.now, HOUR_MS), status: 'ACTC' }
          : lawful.nextMove(facts),
    }),
  },
]

const submissions: readonly Defect[] = [
  {
    id: 'every-state-can-be-submitted',
    story: 'A payment that is completed is executed again when it is submitted again.',
    breaks: [
      PAY.completedPaymentStaysCompleted,
      PAY.rejectedPaymentStaysRejected,
      PAY.expiredTokenHasStatus401,
    ],
    rules: {
      mayBeSubmitted: () => true,
      redeemsPaymentToken: () => true,
      paymentTokenIsFresh: () => true,
    },
  },
  {
    id: 'rejected-payment-can-be-submitted',
    story: 'A payment that was rejected can be authorized and submitted.',
    breaks: [PAY.rejectedPaymentStaysRejected],
    rules: {
      mayBeAuthorized: () => true,
      mayBeSubmitted: ({ payment }) => payment.status === 'ACTC' || payment.status === 'RJCT',
    },
  },
  {
    id: 'denial-authorizes',
    story: 'The authorization page takes every answer for a yes.',
    breaks: [PAY.deniedPaymentIsNotSubmitted],
    rules: { decisionAuthorizes: () => true },
  },
  {
    id: 'denial-submits',
    story: 'A payment that the customer denies is in PDNG from then on.',
    breaks: [PAY.deniedPaymentIsNotSubmitted, PAY.statesFollowTheTable],
    rules: { outcomeOfDenial: () => ({ status: 'PDNG' }) },
  },
  {
    id: 'hour-is-asked-at-the-initiation-alone',
    story: 'The cut-off time is not checked when a payment is submitted.',
    breaks: [PAY.invalidSubmissionIsRejected],
    rules: (lawful) => ({
      isWithinHours: (facts) => facts.stage === 'submission' || lawful.isWithinHours(facts),
    }),
  },
  {
    id: 'funds-are-checked-at-the-initiation-only',
    story: 'The available funds are not checked again when a payment is submitted.',
    breaks: [PAY.invalidSubmissionIsRejected, PAY.missingFundsAreAm04],
    rules: (lawful) => ({
      fundsSuffice: (facts) => facts.stage === 'submission' || lawful.fundsSuffice(facts),
    }),
  },
  {
    id: 'submission-completes-at-once',
    story: 'The answer to a submission says ACSC.',
    breaks: [PAY.authorizedPaymentIsInProcess],
    rules: (lawful) => ({
      statusAfterSubmission: (facts) => {
        const after = lawful.statusAfterSubmission(facts)
        return after === 'ACSP' ? 'ACSC' : after
      },
    }),
  },
  {
    id: 'future-begins-in-a-month',
    story: 'A payment is executed at once where its date lies less than thirty days ahead.',
    breaks: [PAY.futurePaymentIsPending, PAY.statesFollowTheTable],
    rules: (lawful) => ({
      statusAfterSubmission: (facts) =>
        facts.cause === undefined && Date.parse(facts.executionDay) - facts.now.getTime() < 30 * DAY_MS
          ? 'ACSP'
          : lawful.statusAfterSubmission(facts),
    }),
  },
]

/** Rejects the first initiation that breaks the rule, and no later one. */
const onlyOnce =
  (rule: 'fundsSuffice' | 'isWithinHours'): RuleChange =>
  (lawful) => {
    let isBroken = false
    return {
      [rule]: (facts: Parameters<Rules['fundsSuffice']>[0]) => {
        if (lawful[rule](facts)) return true
        const isLater = isBroken && facts.stage === 'initiation'
        isBroken ||= facts.stage === 'initiation'
        return isLater
      },
    }
  }

const validations: readonly Defect[] = [
  {
    id: 'funds-are-not-asked-for',
    story: 'Once a payment was rejected for missing funds, the next one is accepted beyond the funds.',
    breaks: [PAY.invalidPaymentIsRejected, PAY.missingFundsAreAm04],
    rules: onlyOnce('fundsSuffice'),
  },
  {
    id: 'hours-are-not-kept',
    story: 'Once a payment was rejected for the cut-off time, the next one is accepted after it.',
    breaks: [PAY.invalidPaymentIsRejected, PAY.lateMessageIsTm01],
    rules: onlyOnce('isWithinHours'),
  },
  {
    id: 'accounts-are-looked-at-before-their-numbers',
    story: 'The second payment from a savings account is rejected with AC04, as if the account was closed.',
    breaks: [PAY.forbiddenAccountTypeIsAg01],
    rules: (lawful) => {
      let count = 0
      return {
        reasonTold: (facts) => {
          if (facts.cause !== 'AG01') return lawful.reasonTold(facts)
          count += 1
          return count > 1 ? 'AC04' : 'AG01'
        },
      }
    },
  },
]

const identities: readonly Defect[] = [
  {
    id: 'order-id-is-counted-without-a-lock',
    story: 'Two initiations that read the counter of orders at the same moment get one orderId.',
    breaks: [PAY.concurrentOrderIdsAreDistinct],
    rules: () => {
      let counter = 0
      return {
        async newOrderId() {
          const next = counter + 1
          // The time that a database takes.
          await Promise.resolve()
          counter = next
          return `ORDER${String(next).padStart(12, '0')}`
        },
      }
    },
  },
  {
    id: 'every-payment-is-everybodys',
    story: 'Any application reads the status of any payment.',
    breaks: [PAY.foreignPaymentIsRefused],
    rules: { maySeePayment: () => true },
  },
  {
    id: 'rejection-has-the-time-of-the-initiation',
    story: 'A payment that its submission rejects keeps the time of its initiation.',
    breaks: [PAY.statusDateTimeChangesWithTheStatus],
    rules: (lawful) => ({
      statusTime: (facts) =>
        facts.status === 'RJCT' && facts.payment.status === 'ACTC'
          ? facts.payment.statusAt
          : lawful.statusTime(facts),
    }),
  },
]

export const defectsOfRules: readonly Defect[] = [...moves, ...submissions, ...validations, ...identities]
