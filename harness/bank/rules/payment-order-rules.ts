/** The checks of an order, with the thirteen causes of a rejection. */
import { bankDay, isBankingDay, isDay } from './payment-calendar.ts'
import { isBic, isIban, needsAddress, readOrder } from './payment-order.ts'
import type { Method, Order, Payment, PaymentToken, ReasonCode } from './payment.ts'
import { type Account, isAtOwnBank, type Payee } from '../seed-data.ts'
import { type ClientFacts, DAY, rule } from './facts.ts'

/** When an order is checked: at its initiation, or at its submission. */
export type Stage = 'initiation' | 'submission'

export interface OrderFacts extends ClientFacts {
  readonly stage: Stage
  readonly order: Order
  /** The calendar day on which it is to be executed. */
  readonly executionDay: string
  /** The customer's account that the debtor names. */
  readonly debtorAccount: Account | undefined
  /** The payees of the order, who do not use the interface. */
  readonly payees: readonly Payee[]
  /** The total debit, in hundredths. */
  readonly total: number
  /** The available amount of the debtor's account, in hundredths. */
  readonly funds: number
  readonly earlier: readonly Payment[]
}

export interface BodyFacts extends ClientFacts {
  readonly method: Method
  readonly token: PaymentToken
}

const KIBIBYTE = 1024

const AT_INITIATION: readonly ReasonCode[] = [
  'AC01',
  'RC01',
  'RR03',
  'AM05',
  'AM03',
  'AM10',
  'AM09',
  'AG01',
  'AC04',
  'DT01',
  'MS03',
  'AM04',
  'TM01',
]

/** The causes that may occur after the initiation. */
const AT_SUBMISSION: readonly ReasonCode[] = ['AC04', 'MS03', 'AM04', 'DT01', 'TM01']

const EURO = 'EUR'

const CURRENT_ACCOUNT = 'Current account'

/** The hours, in UTC, in which orders for the same day are accepted. */
const OPENS_AT = 4
const CLOSES_AT = 20

const LONGEST_AHEAD = 365 * DAY

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''

const accountNumbersIn = ({ debtor, transfers }: Order): readonly string[] => [
  debtor.iban,
  ...transfers.map(({ creditor }) => creditor.iban),
]

/** A debtor with an account at this bank who does not use the interface. */
const debtorAmong = ({ order: { debtor }, payees }: OrderFacts): Payee | undefined =>
  payees.find(({ iban }) => iban === debtor.iban)

const debtorIsKnown = (facts: OrderFacts): boolean =>
  facts.debtorAccount !== undefined || debtorAmong(facts) !== undefined

const paysByInterface = ({ product, bankCode }: Account): boolean =>
  product === CURRENT_ACCOUNT && isAtOwnBank({ bankCode })

const executionDayIsValid = ({ executionDay, now }: OrderFacts): boolean => {
  if (!isDay(executionDay) || !isBankingDay(executionDay)) return false
  const latest = bankDay(new Date(now.getTime() + LONGEST_AHEAD))
  return bankDay(now) <= executionDay && executionDay <= latest
}

const moneyIn = ({ transfers, agreed }: Order) => [
  ...transfers.map(({ instructed }) => instructed),
  ...(agreed ? [agreed] : []),
]

export const paymentOrderRules = {
  /** The limit of a body, in bytes. */
  orderSizeLimit: rule<BodyFacts, number>(() => 256 * KIBIBYTE),
  /** The order of a body (undefined if it is not JSON), or the problem of its form. */
  orderOf: rule<BodyFacts & { readonly body: unknown }, Order | string>(({ method, body }) =>
    readOrder(method, body),
  ),
  // An immediate payment is executed on the day of its submission.
  executionDayOf: rule<ClientFacts & { readonly order: Order; readonly stage: Stage }, string>(
    ({ order: { method, requestedDate }, stage, now }) =>
      requestedDate === undefined || (method === 'ecomm' && stage === 'submission')
        ? bankDay(now)
        : requestedDate,
  ),
  /** The causes that are checked, in this order: the first that holds is the reason. */
  causesLookedFor: rule<OrderFacts, readonly ReasonCode[]>(({ stage }) =>
    stage === 'initiation' ? AT_INITIATION : AT_SUBMISSION,
  ),

  /** AC01: check digits and form of the debtor's and the creditors' numbers; and the debtor has an account here. */
  accountNumbersAreCorrect: rule<OrderFacts>(
    (facts) => accountNumbersIn(facts.order).every(isIban) && debtorIsKnown(facts),
  ),
  /** RC01. */
  bankIdentifiersAreWellFormed: rule<OrderFacts>(({ order: { transfers } }) =>
    transfers.every(({ creditor: { bic } }) => bic === undefined || isBic(bic)),
  ),
  /** RR03. */
  creditorsAreNamed: rule<OrderFacts>(({ order: { transfers } }) =>
    transfers.every(
      ({ creditor: { name, address, iban } }) => !isBlank(name) && (!needsAddress(iban) || !isBlank(address)),
    ),
  ),
  /** AM05. */
  messageIsNew: rule<OrderFacts>(({ order, earlier }) =>
    earlier.every((payment) => payment.order.instructionIdentification !== order.instructionIdentification),
  ),
  /** AM03. */
  currencyIsProcessable: rule<OrderFacts>(({ order }) =>
    moneyIn(order).every(({ currency }) => currency === EURO),
  ),
  /** AM10. */
  controlSumAgrees: rule<OrderFacts>(
    ({ order: { controlSum }, total }) => controlSum === undefined || controlSum === total,
  ),
  /** AM09. */
  amountIsAsAgreed: rule<OrderFacts>(({ order: { agreed }, payees, total }) =>
    [agreed?.amount, ...payees.map(({ agreedAmount }) => agreedAmount)].every(
      (amount) => amount === undefined || amount === total,
    ),
  ),
  /** AG01. */
  accountTypeAllowsPayments: rule<OrderFacts>((facts) =>
    facts.debtorAccount ? paysByInterface(facts.debtorAccount) : debtorAmong(facts)?.state !== 'open',
  ),
  /** AC04. */
  accountsAreOpen: rule<OrderFacts>(({ payees }) => payees.every(({ state }) => state !== 'closed')),
  /** DT01. */
  datesAreValid: rule<OrderFacts>((facts) => {
    const { order, executionDay, stage, now } = facts
    if (!executionDayIsValid(facts)) return false
    if (stage === 'submission') return true
    const age = Math.abs(now.getTime() - order.createdAt.getTime())
    return age <= DAY && (order.method !== 'ecomm' || executionDay === bankDay(now))
  }),
  /** MS03: a reason that the bank does not specify. */
  nothingElseForbids: rule<OrderFacts>(({ payees }) => payees.every(({ state }) => state !== 'held')),
  /** AM04. */
  // Accounts at other banks are unknown.
  fundsSuffice: rule<OrderFacts>(
    ({ debtorAccount, total, funds }) => debtorAccount === undefined || total <= funds,
  ),
  /** TM01. */
  isWithinHours: rule<OrderFacts>(({ executionDay, now }) => {
    const hour = now.getUTCHours()
    return executionDay !== bankDay(now) || (OPENS_AT <= hour && hour < CLOSES_AT)
  }),
}
