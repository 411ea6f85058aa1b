import { ACC } from '../requirements.ts'
import {
  closing,
  findingUnknownIds,
  isAtAnotherBank,
  isLast,
  isOfTheSecondCustomer,
  type Account,
  type OpenFacts,
} from '../../shared/account-defects.ts'
import {
  breaking,
  changedRules,
  isFor,
  isOfATpp,
  membersOf,
  where,
  without,
  type FactsOf,
  type Members,
} from '../../shared/defects.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'

/** Account detail that is refused, or of another account, in either variant. */

const DETAIL = isFor('account', 'first')
const INFORMATION = isFor('account', 'second')

type DetailFacts = FactsOf<'accountDetailBody'>

/** Answers with the detail of another account. */
const mistaking = (other: (facts: DetailFacts) => Account | undefined): RuleChange =>
  where(DETAIL, (lawful) => ({
    accountDetailBody: (facts) => {
      const account = other(facts)
      if (account === undefined) return lawful.accountDetailBody(facts)
      const item = lawful.accountBody({ ...facts, account, accountId: account.accountId })
      return lawful.accountDetailBody({ ...facts, account, item })
    },
  }))

/** Finds other accounts under an IBAN. */
const findingByIban = (
  find: (facts: FactsOf<'accountOfIban'>, lawful: Account | undefined) => Account | undefined,
): RuleChange =>
  where(INFORMATION, (lawful) => ({
    accountOfIban: (facts) => find(facts, lawful.accountOfIban(facts)),
  }))

type NamedBy = OpenFacts['naming']

const isOtherBankNamedBy =
  (naming: NamedBy) =>
  (facts: OpenFacts): boolean =>
    isAtAnotherBank(facts.account) && facts.naming === naming

const answers: readonly Defect[] = [
  ...breaking(ACC.accountIdOpensTheDetail, {
    'detail-of-an-account-at-another-bank-is-refused': {
      story: 'Accounts at other banks are listed, and their detail is refused.',
      rules: closing(DETAIL, ({ account }) => isAtAnotherBank(account)),
    },
    'detail-of-the-last-account-is-refused-to-a-tpp': {
      story: 'A TPP is refused the detail of the last account with consent.',
      rules: closing(DETAIL, (facts) => isOfATpp(facts) && isLast(facts)),
    },
    'detail-is-answered-once': {
      story: 'The detail of an account is answered only once for a token.',
      rules: (lawful) => {
        const answered = new Set<string>()
        return {
          accountIsOpen: (facts) => {
            const { account, token, customer } = facts
            const key = `${token.value} ${account.accountId}`
            // The first account is always answered: other checks need it as a positive control.
            const isRefused = DETAIL(facts) && customer.accounts[0] !== account && answered.has(key)
            if (DETAIL(facts)) answered.add(key)
            return !isRefused && lawful.accountIsOpen(facts)
          },
        }
      },
    },
    'detail-is-an-empty-object': {
      story: 'The detail of an account at another bank is an empty object.',
      rules: where((facts) => DETAIL(facts) && isAtAnotherBank(facts.account), {
        accountDetailBody: () => ({}),
      }),
    },
  }),
  ...breaking(ACC.listedAccountOpensTheInformation, {
    'picked-account-is-refused-to-a-tpp': {
      story: 'A TPP is answered the information by IBAN only.',
      rules: closing(INFORMATION, (facts) => isOfATpp(facts) && facts.naming === 'id'),
    },
    'picked-account-at-another-bank-is-refused': {
      story: 'The second variant lists accounts at other banks, and refuses their ids.',
      rules: closing(INFORMATION, isOtherBankNamedBy('id')),
    },
  }),
  ...breaking(ACC.typedIbanOpensTheInformation, {
    'typed-iban-is-refused': {
      story: 'No account is found by its IBAN.',
      rules: findingByIban(() => undefined),
    },
    'typed-iban-must-be-in-groups-of-four': {
      story: 'An IBAN is found in groups of four, and not in its electronic form.',
      rules: (lawful) => ({
        accountOfIban: (facts) =>
          facts.iban.includes(' ')
            ? lawful.accountOfIban({ ...facts, iban: facts.iban.replaceAll(' ', '') })
            : undefined,
      }),
    },
    'typed-iban-of-another-bank-is-refused': {
      story: 'The IBAN of an account at another bank is not found.',
      rules: closing(INFORMATION, isOtherBankNamedBy('iban')),
    },
  }),
  ...breaking(ACC.unknownAccountIsRefused, {
    'unknown-account-id-opens-the-first-account': {
      story: 'An unknown account-id is taken for the first account of the customer.',
      alsoBreaks: [ACC.accountWithoutConsentIsRefused, ACC.accountOfAnotherCustomerIsRefused],
      rules: findingUnknownIds(DETAIL, ({ customer }) => customer.accounts[0]),
    },
    'cut-account-id-is-accepted': {
      story: 'An account is found by the beginning of its account-id.',
      rules: findingUnknownIds(DETAIL, ({ customer, accountId, idOf }) =>
        customer.accounts.find((account) => idOf(account).startsWith(accountId)),
      ),
    },
    'longer-account-id-is-accepted': {
      story: 'Characters after an account-id are ignored.',
      rules: findingUnknownIds(DETAIL, ({ customer, accountId, idOf }) =>
        customer.accounts.find((account) => accountId.startsWith(idOf(account))),
      ),
    },
  }),
  ...breaking(ACC.unknownAccountIsRefusedInTheSecondVariant, {
    'unknown-iban-opens-the-first-account': {
      story: 'An IBAN of the bank that no account has is taken for the first account of the customer.',
      rules: findingByIban(({ iban, customer }, found) =>
        /^SK\d{22}$/.test(iban) && found === undefined ? customer.accounts[0] : found,
      ),
    },
    'unknown-picked-id-opens-the-first-account': {
      story: 'An unknown id is taken for the first account of the customer.',
      rules: findingUnknownIds(INFORMATION, ({ customer }) => customer.accounts[0]),
    },
  }),
]

const ofAnotherAccount: readonly Defect[] = [
  ...breaking(ACC.detailIsThatOfTheAccount, {
    'detail-of-the-last-is-that-of-the-first': {
      story: 'The detail of the last account is that of the first.',
      rules: mistaking((facts) => (isLast(facts) ? facts.customer.accounts[0] : undefined)),
    },
    'detail-is-that-of-the-account-before': {
      story:
        'The detail is cached by token, one request late: each account is answered that of the one before.',
      rules: (lawful) => {
        const last = new Map<string, Account>()
        const change = mistaking(({ token, account }) => {
          const before = last.get(token.value)
          last.set(token.value, account)
          return before
        })
        return changedRules(change, lawful)
      },
    },
    'booking-moves-the-balances-of-all-accounts': {
      story: 'A booking on one account changes the balances of all accounts.',
      alsoBreaks: [ACC.informationIsThatOfTheAccount],
      rules: (lawful) => {
        const sums = new Map<string, number>()
        return {
          bookedAmount: (facts) => {
            const { accountId, openingBalance } = facts.account
            sums.set(accountId, lawful.bookedAmount(facts) - openingBalance)
            return openingBalance + [...sums.values()].reduce((sum, move) => sum + move, 0)
          },
        }
      },
    },
    'second-customer-is-shown-one-account-for-all': {
      story: 'Every detail of the second customer is that of their first account.',
      rules: where(
        (facts) => DETAIL(facts) && isOfTheSecondCustomer(facts),
        (lawful) => ({
          accountBody: (facts) =>
            lawful.accountBody({ ...facts, account: facts.customer.accounts[0] ?? facts.account }),
        }),
      ),
    },
  }),
  ...breaking(ACC.informationIsThatOfTheAccount, {
    'typed-iban-opens-the-first-account': {
      story: 'The IBAN of any account with consent is answered with the first account.',
      rules: findingByIban(({ grant, customer }, found) =>
        found && grant.accountIds.includes(found.accountId) ? customer.accounts[0] : found,
      ),
    },
  }),
]

export const detailDefects: readonly Defect[] = [...answers, ...ofAnotherAccount]

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

const DAY = 24 * 60 * 60 * 1000

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
    'balance-is-two-days-old': {
      story: 'The balances of the first variant show a booking two days later.',
      alsoBreaks: ['REF-04'],
      rules: delaying(DETAIL, 2 * DAY),
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
    'second-variant-is-two-days-old': {
      story: 'The balances of the second variant show a booking two days later.',
      alsoBreaks: ['REF-04'],
      rules: delaying(INFORMATION, 2 * DAY),
    },
  }),
]
