import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { isDetail, isList, type ListFacts, type Variant } from './defect-rules.ts'
import { knowingRenewed } from '../renewed.ts'
import { ACC } from './requirements.ts'

/** What of one token, customer or account is taken for that of another: behind a refresh, at the same moment, by a booking. */

const refreshed: readonly Defect[] = [
  {
    id: 'refreshed-token-lists-every-account',
    story: 'To an access token that came of a refresh all accounts of the customer are listed.',
    breaks: [ACC.nothingElseIsListed, ACC.nothingElseIsListedInTheSecondVariant],
    rules: knowingRenewed((lawful, isRenewed) => ({
      accountsSeen: (facts) => (isRenewed(facts) ? facts.customer.accounts : lawful.accountsSeen(facts)),
    })),
  },
  {
    id: 'refreshed-token-lists-one-account',
    story: 'An access token that came of a refresh has kept the first account alone.',
    breaks: [ACC.consentedAccountsAreListed, ACC.consentedAccountsAreListedInTheSecondVariant],
    rules: knowingRenewed((lawful, isRenewed) => ({
      accountsSeen: async (facts) => {
        const accounts = await lawful.accountsSeen(facts)
        return isRenewed(facts) ? accounts.slice(0, 1) : accounts
      },
    })),
  },
  {
    id: 'refreshed-token-opens-every-iban',
    story: 'Whose account an IBAN names is not looked at where the token came of a refresh.',
    breaks: [ACC.informationWithoutConsentIsRefused],
    rules: knowingRenewed((lawful, isRenewed) => ({
      accountIsOpen: (facts) => isRenewed(facts) || lawful.accountIsOpen(facts),
    })),
  },
]

/** Lets what else is under way at the same moment come first. */
const aMoment = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Keeps who asks in one place for all requests for the list of this variant. */
const mixingLists =
  (variant: Variant): RuleChange =>
  (lawful) => {
    let last: ListFacts | undefined
    return {
      accountsSeen: async (facts) => {
        if (!isList(variant)(facts)) return lawful.accountsSeen(facts)
        last = facts
        await aMoment()
        return lawful.accountsSeen(last)
      },
    }
  }

/** Keeps the grant in one place for all requests for detail and balances. */
const mixingDetails: RuleChange = (lawful) => {
  let last: ListFacts['grant'] | undefined
  return {
    accountIsOpen: async (facts) => {
      if (!isDetail('first')(facts) && !isDetail('second')(facts)) return lawful.accountIsOpen(facts)
      last = facts.grant
      await aMoment()
      return lawful.accountIsOpen({ ...facts, grant: last })
    },
  }
}

type Customer = ListFacts['customer']

/** Keeps who has logged in in one place for all browsers. */
const mixingGrants: RuleChange = (lawful) => {
  let last: Customer | undefined
  return {
    customerIsAuthenticated: async (facts) => {
      const isRight = await lawful.customerIsAuthenticated(facts)
      if (isRight) last = facts.customer
      await aMoment()
      return isRight
    },
    grantedAccounts: (facts) =>
      last === undefined || last === facts.customer
        ? lawful.grantedAccounts(facts)
        : last.accounts.filter(({ isTicked }) => isTicked),
    accountsSeen: ({ customers, grant }) =>
      customers
        .flatMap(({ accounts }) => accounts)
        .filter(({ accountId }) => grant.accountIds.includes(accountId)),
  }
}

const mixed: readonly Defect[] = [
  {
    id: 'lists-at-the-same-moment-are-those-of-the-last-caller',
    story: 'Who asks for a list while another one is put together is kept in one place for both.',
    breaks: [ACC.nothingElseIsListed],
    rules: mixingLists('first'),
  },
  {
    id: 'lists-of-the-second-variant-are-those-of-the-last-caller',
    story: 'The second variant keeps in one place who asks for a list.',
    breaks: [ACC.nothingElseIsListedInTheSecondVariant],
    rules: mixingLists('second'),
  },
  {
    id: 'detail-is-opened-by-the-grant-of-the-last-caller',
    story: 'Whoever asks for a detail at the same moment as its holder is taken for the holder.',
    breaks: [ACC.accountOfAnotherCustomerIsRefused, ACC.informationOfAnotherCustomerIsRefused],
    rules: mixingDetails,
  },
  {
    id: 'grants-at-the-same-moment-open-the-accounts-of-the-last-login',
    story: 'A grant opens the accounts of whoever has logged in last, in whatever browser.',
    breaks: [ACC.nothingElseIsListed],
    rules: mixingGrants,
  },
]

const isOwn = ({ bankCode }: { readonly bankCode: string }): boolean => bankCode === '9801'

const moved: readonly Defect[] = [
  {
    id: 'booking-moves-the-balances-of-all-accounts',
    story: 'The balances of each account are moved by what is booked on any account.',
    breaks: [ACC.detailIsThatOfTheAccount, ACC.informationIsThatOfTheAccount],
    rules: (lawful) => {
      const sums = new Map<string, number>()
      return {
        bookedAmount: (facts) => {
          const amount = lawful.bookedAmount(facts)
          sums.set(facts.account.accountId, amount - facts.account.openingBalance)
          const moves = [...sums.values()].reduce((sum, move) => sum + move, 0)
          return facts.account.openingBalance + moves
        },
      }
    },
  },
  {
    id: 'balances-are-those-of-the-first-account',
    story: 'Whichever account is asked for, the balances are those of the first one.',
    breaks: [ACC.balanceOfTheOwnBankIsCurrent, ACC.balanceIsCurrentInTheSecondVariant],
    rules: (lawful) => {
      const shown = new Map<Customer, ReturnType<Rules['balancesShown']>>()
      return {
        balancesShown: (facts) => {
          const balances = lawful.balancesShown(facts)
          if (facts.account === facts.customer.accounts[0]) shown.set(facts.customer, balances)
          return isOwn(facts.account) ? (shown.get(facts.customer) ?? balances) : balances
        },
      }
    },
  },
  {
    id: 'balances-leave-out-debits',
    story: 'A booking shows in the balances where money has come, and not where it has left.',
    breaks: [ACC.balanceOfTheOwnBankIsCurrent, ACC.balanceIsCurrentInTheSecondVariant],
    rules: (lawful) => ({
      bookedAmount: (facts) =>
        lawful.bookedAmount({
          ...facts,
          bookings: facts.bookings.filter(({ amount }) => amount > 0 || !isOwn(facts.account)),
        }),
    }),
  },
]

const isSecond = ({
  customer,
  customers,
}: Pick<Parameters<Rules['accountsSeen']>[0], 'customer' | 'customers'>): boolean => customer === customers[1]

const ofTheSecondCustomer: readonly Defect[] = [
  {
    id: 'second-customer-is-listed-one-account',
    story: 'Whoever is not the first customer is listed one account of those that they consented to.',
    breaks: [ACC.consentedAccountsAreListed, ACC.consentedAccountsAreListedInTheSecondVariant],
    rules: (lawful) => ({
      accountsSeen: async (facts) =>
        (await lawful.accountsSeen(facts)).slice(0, isSecond(facts) ? 1 : undefined),
    }),
  },
  {
    id: 'second-customer-is-shown-no-balances',
    story: 'The accounts of the second customer have no balances.',
    breaks: [ACC.detailCarriesBalances, ACC.informationCarriesBalances],
    rules: (lawful) => ({
      balancesShown: (facts) => (isSecond(facts) ? [] : lawful.balancesShown(facts)),
    }),
  },
  {
    id: 'second-customer-is-shown-one-account-for-all',
    story: 'Every detail of the second customer is that of their first account.',
    breaks: [ACC.detailIsThatOfTheAccount],
    rules: (lawful) => ({
      accountBody: (facts) => {
        const [first = facts.account] = facts.customer.accounts
        const isDetail = facts.endpoint === 'account' && facts.variant === 'first'
        return lawful.accountBody(isDetail && isSecond(facts) ? { ...facts, account: first } : facts)
      },
    }),
  },
]

export const defectsOfSharing: readonly Defect[] = [...refreshed, ...mixed, ...moved, ...ofTheSecondCustomer]
