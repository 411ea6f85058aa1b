import { anywhere, idOf, jsonOf, need } from '../../evidence/record/answer.ts'
import { NotReached } from '../../evidence/signals.ts'
import { partiesIn } from '../../profile/schema/payments.ts'
import { fill, merge, withOtherAmounts, type Values } from '../../profile/template.ts'
import { chance } from '../random.ts'
import { urlOf } from '../target.ts'
import { unchanged, type Change } from '../http/request.ts'
import { dayAfter, workingDayAfter } from './payment-days.ts'
import { requireAccepted } from './valid-order.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Members } from '../../evidence/json.ts'
import type { PaymentRequests, PaymentsContext } from './payment-requests.ts'

/** The parts of an order; a part that is left out gets a fresh valid value, the smallest amount for example. */
export interface Order {
  /** The name of an initiation method of the profile; by default the first. */
  readonly method?: string
  /** Values for the placeholders of the profile; undefined leaves the member out. */
  readonly values?: Values
  /** Merged over the body (RFC 7396): null removes a member. */
  readonly patch?: Members
}

export interface Initiation {
  /**
   * Values of an order that no other order has. Its date is a working day at least that many days ahead, by default
   * two.
   */
  readonly freshValues: (daysAhead?: number) => Values
  /** POST /payments/ecomm/sba, or a further initiation method. */
  readonly initiate: (order?: Order, change?: Change) => Promise<Exchange>
  /**
   * Initiates a valid order that later steps need. @throws NotReached if the bank does not accept it, with the bank's
   * reason and the keys of the profile to look at.
   * @param key of the profile that says how the order differs from an ordinary one.
   */
  readonly initiateValid: (
    order?: Order,
    key?: string,
  ) => Promise<{ readonly initiation: Exchange; readonly orderId: string }>
}

/** Payments of this program are recognizable by these words. */
const REMITTANCE = 'Conformance check, may be returned'
const LABEL = 'CONF'
/** Far enough ahead to be in the future in every time zone. */
const FUTURE_DAYS = 2

/** @param onAnswer receives each answer to an initiation. */
export const createInitiation = (
  context: PaymentsContext,
  { send }: PaymentRequests,
  onAnswer: (initiation: Exchange) => void = () => undefined,
): Initiation => {
  const { profile, payments, clock } = context

  const initiate: Initiation['initiate'] = async (
    { method, values, patch = {} } = {},
    change = unchanged,
  ) => {
    const at = payments.initiations.findIndex(({ name }) => method === undefined || name === method)
    const found = payments.initiations[at]
    if (found === undefined) throw new NotReached(`the profile names no initiation method ${method ?? ''}`)
    // A method without dates in the future takes that of today.
    const today = found.future ? {} : { date: workingDayAfter(clock.now(), 0, profile.timeZone) }
    const all = withOtherAmounts({ ...freshValues(context), ...values, ...today })
    const url = urlOf(context, `payments.initiations.${at}`)
    const text = JSON.stringify(merge(fill(found.body, all), fill(patch, all)))
    const initiation = await send({ operation: 'initiatePayment', method: 'POST', url, text }, change)
    onAnswer(initiation)
    return initiation
  }

  return {
    freshValues: (daysAhead) => freshValues(context, daysAhead),
    initiate,
    async initiateValid(order, key) {
      const initiation = await initiate(order)
      const keys = (['headers', 'signature'] as const).filter(
        (name) => Object.keys(payments[name] ?? {}).length > 0,
      )
      requireAccepted(initiation, { key, authenticating: keys.map((name) => `payments.${name}`) })
      return { initiation, orderId: orderIdOf(initiation) }
    },
  }
}

const freshValues = (
  { profile, payments, clock, random = chance }: PaymentsContext,
  daysAhead = FUTURE_DAYS,
): Values => {
  const { debtor, creditor } = partiesIn(payments, profile.environment)
  const identifier = (): string => LABEL + random.bytes(12).toString('hex').toUpperCase()
  return {
    instructionIdentification: identifier(),
    creationDateTime: clock.now().toISOString(),
    endToEndIdentification: identifier(),
    remittanceInformation: REMITTANCE,
    amount: payments.amount,
    currency: payments.currency,
    date: workingDayAfter(clock.now(), daysAhead, profile.timeZone),
    today: dayAfter(clock.now(), 0, profile.timeZone),
    yesterday: dayAfter(clock.now(), -1, profile.timeZone),
    debtorName: debtor.name,
    debtorIban: debtor.iban,
    creditorName: creditor.name,
    creditorIban: creditor.iban,
  }
}

/** The orderId in the answer to an initiation. @throws NotReached if there is none. */
export const orderIdOf = (initiation: Exchange): string =>
  need(initiation, idOf(anywhere(jsonOf(initiation), 'orderId')[0]), 'an orderId')
