import {
  alter,
  defectsOf,
  membersOf,
  read,
  refusal,
  when,
  type Change,
  type Defect,
  type FactsOf,
  type Incoming,
  type Members,
  refuseWith,
} from '../../shared/changes.ts'
import { PAY } from '../requirements.ts'
import { jsonOf } from './records.ts'

/** Initiations that the bank accepts though they are malformed, and requests over which it breaks down. */

/** Initiations with another body. */
const reading = (change: (order: Members) => Members): Change<FactsOf<'orderOf'>> =>
  alter({
    orderOf: (_, facts, { rules }) => rules.orderOf({ ...facts, body: change(membersOf(facts.body)) }),
  })

const amountOf = ({ instructedAmount }: Members): Members => membersOf(instructedAmount)

const withAmount = (order: Members, value: number): Members => ({
  ...order,
  instructedAmount: { ...amountOf(order), value },
})

const malformed: readonly Defect[] = [
  ...defectsOf([PAY.malformedInitiationIsNotAccepted], {
    'The minus sign of an amount is ignored': reading((order) => {
      const { value } = amountOf(order)
      return typeof value === 'number' && value < 0 ? withAmount(order, -value) : order
    }),
    'A payment without an amount is one of 1 EUR': reading((order) =>
      'instructedAmount' in order && amountOf(order).value === undefined ? withAmount(order, 1) : order,
    ),
  }),
  ...defectsOf([PAY.initiationWithoutCreditorIsNotAccepted], {
    'A payment without creditor account is paid to the debtor': reading((order) => ({
      ...order,
      ...('creditor' in order && {
        creditor: { iban: membersOf(order.debtor).iban, ...membersOf(order.creditor) },
      }),
    })),
  }),
  ...defectsOf([PAY.oversizedTextIsNotAccepted], {
    'A long remittance text is cut': read('initiatePayment', (asked) => {
      const { remittanceInformation: text } = asked.members
      if (typeof text === 'string')
        asked.body = JSON.stringify({ ...asked.members, remittanceInformation: text.slice(0, 140) })
    }),
  }),
]

/** The bank breaks down over these bodies: it answers what a rule throws with the status 500. */
const breaksDownOver = (where: (body: unknown) => boolean): Change<FactsOf<'orderOf'>> =>
  alter({
    orderOf: (usual, { body }) => {
      if (where(body)) throw new TypeError('The bank breaks down over this body.')
      return usual
    },
  })

const isNoObject = (body: unknown): boolean =>
  typeof body !== 'object' || body === null || Array.isArray(body)

const isTruncated = ({ body }: Incoming): boolean => body.startsWith('{') && !body.endsWith('}')

const nameOf = (body: unknown, party: 'creditor' | 'debtor'): string =>
  String(membersOf(membersOf(body)[party]).name)

const breakdowns: readonly Defect[] = [
  // The payment of another application is unknown as well.
  ...defectsOf([PAY.unknownOrderIsRefused, PAY.foreignPaymentIsRefused], {
    'An unknown orderId is answered with the status 500': refuseWith('order_unknown', 500, 'payments'),
    'An unknown orderId is answered with the status 503': refuseWith('order_unknown', 503, 'payments'),
  }),
  ...defectsOf([PAY.malformedInitiationIsNoBreakdown, PAY.malformedInitiationIsNotAccepted], {
    'The bank breaks down over a body that is no JSON object': breaksDownOver(isNoObject),
    'The bank breaks down over an empty list': breaksDownOver(
      (body) => Array.isArray(body) && body.length === 0,
    ),
    'The bank breaks down over truncated JSON': when(
      isTruncated,
      refusal('initiatePayment', { status: 500, ...jsonOf({ errorCode: 'INTERNAL_ERROR' }) }),
    ),
  }),
  ...defectsOf([PAY.validInitiationIsNoBreakdown], {
    'The bank breaks down over amounts from 1,000,000,000 on': breaksDownOver(
      (body) => Number(amountOf(membersOf(body)).value) >= 1_000_000_000,
    ),
    'The bank breaks down over the letters ĺ, ľ and ŕ in the name of the creditor': breaksDownOver((body) =>
      /[ĺľŕ]/.test(nameOf(body, 'creditor')),
    ),
    'The bank breaks down over a name of more than 60 characters': breaksDownOver(
      (body) => nameOf(body, 'debtor').length > 60,
    ),
    'The bank breaks down over an apostrophe in the remittance information': breaksDownOver((body) =>
      String(membersOf(body).remittanceInformation).includes("'"),
    ),
  }),
]

export const defectsOfBodies: readonly Defect[] = [...malformed, ...breakdowns]
