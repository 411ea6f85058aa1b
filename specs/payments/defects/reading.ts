import type { Defect } from '../../../harness/bank/defect.ts'
import { inState, rejectedFor, rewording, without, wordingRecords } from './wires.ts'
import type { Members, Said } from './wires.ts'
import { PAY } from '../requirements.ts'

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

const refusals: readonly Defect[] = [
  {
    id: 'unknown-order-is-rejected',
    story: 'An orderId that was never issued is told as a rejected payment.',
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
    story: 'An orderId that was never issued is told as the last payment.',
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
    breaks: [PAY.refusedStatusIsNoSuccess],
    wire: remembering(({ status }) => (status === 404 ? { status: 200 } : undefined)),
  },
  {
    id: 'foreign-order-is-readable',
    story: 'Any application reads the status of any payment.',
    breaks: [PAY.foreignPaymentIsRefused, { id: 'ENV-20' }, { id: 'ENV-21' }],
    wire: remembering(({ status }, orderId, known) => {
      const body = known.get(orderId)
      return status === 404 && body !== undefined ? { status: 200, body } : undefined
    }),
  },
  {
    id: 'refusal-tells-the-state-of-a-foreign-order',
    story: 'Another application is refused, and told in which state the payment is.',
    breaks: [PAY.foreignPaymentIsRefused, { id: 'ENV-20' }, { id: 'ENV-21' }],
    wire: remembering(({ status }, orderId, known) => {
      const state = known.get(orderId)?.status
      return status === 404 && state !== undefined
        ? { status: 403, body: { errorCode: 'FOREIGN_ORDER', state } }
        : undefined
    }),
  },
  {
    id: 'status-of-an-unknown-order-is-a-word-of-http',
    story: 'The field status of a refused call, beside the orderId that was asked for, says NOT_FOUND.',
    breaks: [PAY.statusHoldsNoResultOfTheCall],
    wire: remembering(({ status, body }, orderId) =>
      status === 404 ? { body: { ...body, orderId, status: 'NOT_FOUND' } } : undefined,
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

/** The how manieth time a completed payment is told of. */
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
    breaks: [PAY.completedPaymentStaysCompleted],
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
