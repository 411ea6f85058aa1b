import { isAtAnotherBank, isOfTheSecondCustomer } from '../../shared/account-defects.ts'
import { breaking, changedRules, isFor, isOfATpp, where } from '../../shared/defects.ts'
import { membersOf, without } from '../../shared/defect-wires.ts'
import { ACC } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { FactsOf } from '../../shared/defects.ts'
import type { Members } from '../../shared/defect-wires.ts'

/** Balances that are missing, incomplete or not current, in either variant. */

const DETAIL = isFor('account', 'first')
const INFORMATION = isFor('account', 'second')

type DetailFacts = FactsOf<'accountDetailBody'>
type SeenFacts = FactsOf<'bookingsSeen'>

/** Answers with another body. */
const rewording = (
  operation: (facts: DetailFacts) => boolean,
  change: (body: Members, facts: DetailFacts) => Members,
): RuleChange =>
  where(operation, (lawful) => ({
    accountDetailBody: (facts) => change(membersOf(lawful.accountDetailBody(facts)), facts),
  }))

/** The balances of a first variant's detail are in its account. */
const withBalances = ({ account }: Members, balances: unknown): Members => ({
  account: { ...membersOf(account), balances },
})

/** Knows other bookings when it sums up the balances. */
const knowing = (
  operation: (facts: SeenFacts) => boolean,
  known: (facts: SeenFacts) => SeenFacts['known'],
): RuleChange => where((facts) => operation(facts) && facts.purpose === 'balances', { bookingsSeen: known })

const MINUTE = 60_000

/** Shows a booking in the balances so long after the first request that could have shown it, in ms. */
const delaying =
  (operation: (facts: SeenFacts) => boolean, delay: number): RuleChange =>
  (lawful) => {
    const firstAsked = new Map<string, number>()
    return {
      bookingsSeen: (facts) => {
        if (!operation(facts) || facts.purpose !== 'balances') return lawful.bookingsSeen(facts)
        return facts.known.filter(({ transactionId }) => {
          const now = facts.now.getTime()
          const since = firstAsked.get(transactionId) ?? now
          firstAsked.set(transactionId, since)
          return now >= since + delay
        })
      },
    }
  }

export const balanceDefects: readonly Defect[] = [
  ...breaking(ACC.detailCarriesBalances, {
    'detail-without-balances': {
      story: 'The detail of an account has no balances.',
      rules: rewording(DETAIL, (body) => withBalances(body, undefined)),
    },
    'detail-of-another-bank-has-empty-balances': {
      story: 'The balances of an account at another bank are an empty list.',
      rules: rewording(DETAIL, (body, { account }) =>
        isAtAnotherBank(account) ? withBalances(body, []) : body,
      ),
    },
    'last-balance-has-no-amount': {
      story: 'One of the balances has its type, and no amount.',
      rules: where((facts) => DETAIL(facts) && facts.balance.kind === 'available', {
        balanceBody: () => ({ balanceType: 'interimAvailable' }),
      }),
    },
    'second-customer-is-shown-no-balances': {
      story: 'The accounts of the second customer have no balances.',
      alsoBreaks: [ACC.informationCarriesBalances],
      rules: where(isOfTheSecondCustomer, { balancesShown: () => [] }),
    },
  }),
  ...breaking(ACC.informationCarriesBalances, {
    'information-without-balances': {
      story: 'The information of an account has no balances.',
      rules: rewording(INFORMATION, (body) => without(body, 'balances')),
    },
    'information-is-without-balances-when-it-is-repeated': {
      story: 'The information has balances only the first time that an account is asked for.',
      rules: (lawful) => {
        const asked = new Set<string>()
        const change = rewording(INFORMATION, (body, { token, account }) => {
          const key = `${token.value} ${account.accountId}`
          const isRepeated = asked.has(key)
          asked.add(key)
          return isRepeated ? { ...body, balances: [] } : body
        })
        return changedRules(change, lawful)
      },
    },
    'information-of-a-typed-iban-is-without-balances': {
      story: 'The information of an account has balances when it is asked for by id, and none by IBAN.',
      rules: (lawful) => {
        let isTyped = false
        return {
          accountIsOpen: (facts) => {
            isTyped = facts.naming === 'iban'
            return lawful.accountIsOpen(facts)
          },
          accountDetailBody: (facts) => {
            const body = membersOf(lawful.accountDetailBody(facts))
            return INFORMATION(facts) && isTyped ? without(body, 'balances') : body
          },
        }
      },
    },
    'information-has-an-amount-without-a-value': {
      story: 'The amount of a balance has a currency, and no value.',
      rules: where(INFORMATION, { balanceBody: () => ({ amount: { currency: 'EUR' } }) }),
    },
  }),
  ...breaking(ACC.balanceOfTheOwnBankIsCurrent, {
    'balance-leaves-out-bookings': {
      story: 'The balances of the first variant never change.',
      alsoBreaks: ['REF-04'],
      rules: knowing(DETAIL, () => []),
    },
    'balance-is-an-hour-old': {
      story: 'The balances of the first variant show a booking an hour later.',
      alsoBreaks: ['REF-04'],
      rules: delaying(DETAIL, 60 * MINUTE),
    },
    'balance-is-current-for-a-fac-alone': {
      story: 'The balances of the first variant never change for a TPP.',
      alsoBreaks: ['REF-04'],
      rules: knowing(
        (facts) => DETAIL(facts) && isOfATpp(facts),
        () => [],
      ),
    },
    'balance-is-kept-once-it-was-read': {
      story: 'Both variants keep the balances that they have answered first.',
      alsoBreaks: [ACC.balanceIsCurrentInTheSecondVariant, 'REF-04'],
      rules: (lawful) => {
        const first = new Map<string, number>()
        return {
          bookedAmount: (facts) => {
            const key = `${facts.environment} ${facts.account.accountId}`
            const amount = first.get(key) ?? lawful.bookedAmount(facts)
            first.set(key, amount)
            return amount
          },
        }
      },
    },
    'balances-are-those-of-the-first-account': {
      story: 'All accounts of a customer at the own bank have the balances of the first one.',
      alsoBreaks: [ACC.balanceIsCurrentInTheSecondVariant],
      rules: (lawful) => {
        const shown = new Map<SeenFacts['customer'], ReturnType<typeof lawful.balancesShown>>()
        return {
          balancesShown: (facts) => {
            const own = lawful.balancesShown(facts)
            if (facts.account === facts.customer.accounts[0]) shown.set(facts.customer, own)
            return isAtAnotherBank(facts.account) ? own : (shown.get(facts.customer) ?? own)
          },
        }
      },
    },
    'balances-leave-out-debits': {
      story: 'The balances show credits, and no debits.',
      alsoBreaks: [ACC.balanceIsCurrentInTheSecondVariant],
      rules: where(
        ({ account }) => !isAtAnotherBank(account),
        (lawful) => ({
          bookedAmount: (facts) =>
            lawful.bookedAmount({ ...facts, bookings: facts.bookings.filter(({ amount }) => amount > 0) }),
        }),
      ),
    },
  }),
  ...breaking(ACC.balanceIsCurrentInTheSecondVariant, {
    'second-variant-leaves-out-bookings': {
      story: 'The balances of the second variant never change.',
      alsoBreaks: ['REF-04'],
      rules: knowing(INFORMATION, () => []),
    },
    'second-variant-is-two-minutes-old': {
      story: 'The balances of the second variant show a booking two minutes later.',
      alsoBreaks: ['REF-04'],
      rules: delaying(INFORMATION, 2 * MINUTE),
    },
  }),
]
