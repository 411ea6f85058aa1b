/** The rules of business, asked one after the other: the first that an order breaks is the cause of its rejection. */
import type { Rules } from '../rules.ts'
import type { OrderFacts } from '../rules/payment-rules-of-orders.ts'
import type { ReasonCode } from './payment.ts'

const PASSES: Readonly<Record<ReasonCode, (rules: Rules, facts: OrderFacts) => boolean>> = {
  AC01: (rules, facts) => rules.accountNumbersAreCorrect(facts),
  AC04: (rules, facts) => rules.accountsAreOpen(facts),
  AG01: (rules, facts) => rules.accountTypeAllowsPayments(facts),
  AM03: (rules, facts) => rules.currencyIsProcessable(facts),
  AM04: (rules, facts) => rules.fundsSuffice(facts),
  AM05: (rules, facts) => rules.messageIsNew(facts),
  AM09: (rules, facts) => rules.amountIsAsAgreed(facts),
  AM10: (rules, facts) => rules.controlSumAgrees(facts),
  DT01: (rules, facts) => rules.datesAreValid(facts),
  MS03: (rules, facts) => rules.nothingElseForbids(facts),
  RC01: (rules, facts) => rules.bankIdentifiersAreWellFormed(facts),
  RR03: (rules, facts) => rules.creditorsAreNamed(facts),
  TM01: (rules, facts) => rules.isWithinHours(facts),
}

export const causeOfRejection = (rules: Rules, facts: OrderFacts): ReasonCode | undefined =>
  rules.causesLookedFor(facts).find((code) => !PASSES[code](rules, facts))
