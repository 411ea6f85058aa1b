import { ACC } from './requirements.ts'
import { detailing, isDetail, isLast, isOfATpp, opening } from './defect-rules.ts'
import type { Defect } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import type { Account, Change, Variant } from './defect-rules.ts'

/** What a bank can get wrong when account detail and balances are asked for. */

const isAtAnotherBank = ({ bankCode }: Account): boolean => bankCode !== '9801'

/** Answers a detail with that of another account. */
const mistaking =
  (
    variant: Variant,
    other: (facts: Parameters<Rules['accountDetailBody']>[0]) => Account | undefined,
  ): Change =>
  (lawful) => ({
    accountDetailBody: (facts) => {
      const account = isDetail(variant)(facts) ? other(facts) : undefined
      if (account === undefined) return lawful.accountDetailBody(facts)
      const item = lawful.accountBody({ ...facts, account, accountId: account.accountId })
      return lawful.accountDetailBody({ ...facts, account, item })
    },
  })

/** Finds an account under an id that is none, in this variant. */
const takingFor =
  (
    variant: Variant,
    meant: (accountId: string, accounts: readonly Account[]) => Account | undefined,
  ): Change =>
  (lawful) => ({
    accountOfUnknownId: (facts) =>
      isDetail(variant)(facts)
        ? meant(facts.accountId, facts.customer.accounts)
        : lawful.accountOfUnknownId(facts),
  })

type SeenFacts = Parameters<Rules['bookingsSeen']>[0]

/** Leaves bookings out of the balances of this variant. */
const forgettingBookings =
  (variant: Variant, known: (facts: SeenFacts) => SeenFacts['known']): Change =>
  (lawful) => ({
    bookingsSeen: (facts) =>
      isDetail(variant)(facts) && facts.purpose === 'balances' ? known(facts) : lawful.bookingsSeen(facts),
  })

const HOUR = 60 * 60 * 1000

/** Balances of this variant show a booking when so much time has passed since it was seen first, in ms. */
const delaying =
  (variant: Variant, delay: number): Change =>
  (lawful) => {
    const seen = new Map<string, number>()
    const change = forgettingBookings(variant, ({ known, now }) =>
      known.filter(({ transactionId }) => {
        const since = seen.get(transactionId) ?? now.getTime()
        seen.set(transactionId, since)
        return now.getTime() >= since + delay
      }),
    )
    return change(lawful)
  }

export const defectsOfDetail: readonly Defect[] = [
  {
    id: 'detail-of-an-account-at-another-bank-is-refused',
    story: 'Accounts at other banks are listed, and their detail is refused.',
    breaks: [ACC.accountIdOpensTheDetail],
    rules: opening('first', ({ account }) => (isAtAnotherBank(account) ? false : undefined)),
  },
  {
    id: 'detail-of-the-last-account-is-refused-to-a-tpp',
    story: 'A TPP is refused the detail of the last account that was consented to.',
    breaks: [ACC.accountIdOpensTheDetail],
    rules: opening('first', (facts) => (isOfATpp(facts) && isLast(facts) ? false : undefined)),
  },
  {
    id: 'detail-is-answered-once',
    story: 'The detail of an account is answered to a token the first time, and never again.',
    breaks: [ACC.accountIdOpensTheDetail],
    rules: (lawful) => {
      const answered = new Set<string>()
      const change = opening('first', ({ account, token, customer }) => {
        const key = `${token.value} ${account.accountId}`
        // The first account stays open, so that it can tell what is refused and what is not.
        if (customer.accounts[0] === account || !answered.has(key)) return void answered.add(key)
        return false
      })
      return change(lawful)
    },
  },
  {
    id: 'detail-is-an-empty-object',
    story: 'The detail of a savings account is an empty object.',
    breaks: [ACC.accountIdOpensTheDetail],
    rules: detailing('first', (body, { account }) => (isAtAnotherBank(account) ? {} : body)),
  },
  {
    id: 'detail-of-the-last-is-that-of-the-first',
    story: 'The detail of the last account is that of the first.',
    breaks: [ACC.detailIsThatOfTheAccount],
    rules: mistaking('first', (facts) => (isLast(facts) ? facts.customer.accounts[0] : undefined)),
  },
  {
    id: 'detail-is-that-of-the-account-before',
    story: 'The detail is kept by the token, and the second account is answered that of the first.',
    breaks: [ACC.detailIsThatOfTheAccount],
    rules: (lawful) => {
      const kept = new Map<string, Account>()
      const change = mistaking('first', ({ token, account }) => {
        const before = kept.get(token.value)
        kept.set(token.value, account)
        return before
      })
      return change(lawful)
    },
  },
  {
    id: 'detail-without-balances',
    story: 'The detail of an account has no balances.',
    breaks: [ACC.detailCarriesBalances],
    rules: detailing('first', ({ account }) => ({ account: { ...account, balances: undefined } })),
  },
  {
    id: 'detail-of-another-bank-has-empty-balances',
    story: 'The balances of an account at another bank are an empty list.',
    breaks: [ACC.detailCarriesBalances],
    rules: detailing('first', (body, { account }) =>
      isAtAnotherBank(account) ? { account: { ...body.account, balances: [] } } : body,
    ),
  },
  {
    id: 'last-balance-has-no-amount',
    story: 'One of the balances says of which kind it is, and not how much.',
    breaks: [ACC.detailCarriesBalances],
    rules: (lawful) => ({
      balanceBody: (facts) =>
        isDetail('first')(facts) && facts.balance.kind === 'available'
          ? { balanceType: 'interimAvailable' }
          : lawful.balanceBody(facts),
    }),
  },
  {
    id: 'unknown-account-id-opens-the-first-account',
    story: 'An account-id that is not found is taken for the first account of the customer.',
    breaks: [
      ACC.unknownAccountIsRefused,
      ACC.accountWithoutConsentIsRefused,
      ACC.accountOfAnotherCustomerIsRefused,
    ],
    rules: takingFor('first', (_, [first]) => first),
  },
  {
    id: 'cut-account-id-is-accepted',
    story: 'An account-id is looked up by how it begins.',
    breaks: [ACC.unknownAccountIsRefused],
    rules: takingFor('first', (id, accounts) => accounts.find(({ accountId }) => accountId.startsWith(id))),
  },
  {
    id: 'longer-account-id-is-accepted',
    story: 'What stands behind an account-id is ignored.',
    breaks: [ACC.unknownAccountIsRefused],
    rules: takingFor('first', (id, accounts) => accounts.find(({ accountId }) => id.startsWith(accountId))),
  },
  {
    id: 'balance-leaves-out-bookings',
    story: 'The balances are those of the opening, whatever is booked.',
    breaks: [ACC.balanceOfTheOwnBankIsCurrent, { id: 'REF-04' }],
    rules: forgettingBookings('first', () => []),
  },
  {
    id: 'balance-is-an-hour-old',
    story: 'A booking shows in the balances an hour later.',
    breaks: [ACC.balanceOfTheOwnBankIsCurrent, { id: 'REF-04' }],
    rules: delaying('first', HOUR),
  },
  {
    id: 'balance-is-current-for-a-fac-alone',
    story: 'A TPP is answered the balances as they were when the bank opened.',
    breaks: [ACC.balanceOfTheOwnBankIsCurrent, { id: 'REF-04' }],
    rules: forgettingBookings('first', (facts) => (isOfATpp(facts) ? [] : facts.known)),
  },
  {
    id: 'balance-is-kept-once-it-was-read',
    story: 'Both variants keep the balances that they have answered once.',
    breaks: [ACC.balanceOfTheOwnBankIsCurrent, ACC.balanceIsCurrentInTheSecondVariant, { id: 'REF-04' }],
    rules: (lawful) => {
      const kept = new Map<string, number>()
      return {
        bookedAmount: (facts) => {
          const key = `${facts.environment} ${facts.account.accountId}`
          const amount = kept.get(key) ?? lawful.bookedAmount(facts)
          kept.set(key, amount)
          return amount
        },
      }
    },
  },
  {
    id: 'second-variant-leaves-out-bookings',
    story: 'The balances of the second variant are those of the opening, whatever is booked.',
    breaks: [ACC.balanceIsCurrentInTheSecondVariant, { id: 'REF-04' }],
    rules: forgettingBookings('second', () => []),
  },
  {
    id: 'second-variant-is-two-minutes-old',
    story: 'A booking shows in the balances of the second variant two minutes later.',
    breaks: [ACC.balanceIsCurrentInTheSecondVariant, { id: 'REF-04' }],
    rules: delaying('second', HOUR / 30),
  },
]
