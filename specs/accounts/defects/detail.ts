import {
  findAccount,
  failWithoutAnAccount,
  findByPattern,
  findByTheBeginning,
  findUnknownIbans,
  earlierCalls,
  ignoreLaterCharacters,
  isAtAnotherBank,
  leaveOutTheLastHour,
  isById,
  isByIban,
  isCredit,
  isDebit,
  isLast,
  isOfTheSecondCustomer,
  moveAgainst,
  type Account,
  type OpenFacts,
} from '../../shared/account-changes.ts'
import {
  alter,
  defectsOf,
  isOfATpp,
  membersOf,
  refuse,
  when,
  withARefreshedToken,
  type Defect,
  type FactsOf,
  type Past,
} from '../../shared/changes.ts'
import { ofDetails, ofEachDetail, ofInformation } from './tables.ts'
import { ACC } from '../requirements.ts'

/** Account detail that is refused, or of another account, or with wrong balances, in either variant. */

type Detail = FactsOf<'accountDetailBody'>

const isElsewhere = ({ account }: Pick<OpenFacts, 'account'>): boolean => isAtAnotherBank(account)

const isSame = (one: Pick<OpenFacts, 'account'>, other: Pick<OpenFacts, 'account'>): boolean =>
  one.account.accountId === other.account.accountId
const isRepeated = (one: Omit<OpenFacts, 'naming'>, other: Omit<OpenFacts, 'naming'>): boolean =>
  isSame(one, other) && one.token.value === other.token.value && one.variant === other.variant

const refused: readonly Defect[] = [
  ...ofEachDetail([ACC.accountIdOpensTheDetail], [ACC.listedAccountOpensTheInformation], {
    'An account at another bank is listed, and refused under its id': refuse(
      'accountIsOpen',
      (facts) => isElsewhere(facts) && isById(facts),
    ),
    'An account at another bank is refused for a renewed token': when(
      isElsewhere,
      withARefreshedToken('accountIsOpen', () => false),
    ),
  }),
  ...ofDetails([ACC.accountIdOpensTheDetail], {
    'A TPP is refused the detail of the last account with consent': when(
      isOfATpp,
      refuse('accountIsOpen', isLast),
    ),
    // The first account is always answered: other checks need it as a positive control.
    'The detail of an account is answered only once for a token': refuse(
      'accountIsOpen',
      (facts, past) =>
        facts.customer.accounts[0]?.accountId !== facts.account.accountId &&
        earlierCalls(facts, past).some((call) => isRepeated(call.facts, facts)),
    ),
    'The detail of an account at another bank is an empty object': when(
      isElsewhere,
      alter({ accountDetailBody: () => ({}) }),
    ),
  }),
  ...ofInformation([ACC.listedAccountOpensTheInformation], {
    'A TPP is answered the information by IBAN only': when(isOfATpp, refuse('accountIsOpen', isById)),
  }),
  ...ofInformation([ACC.typedIbanOpensTheInformation], {
    'For the information, no account is found by its IBAN': alter({ accountOfIban: undefined }),
    'For the information, an IBAN is found in groups of four, and not in its electronic form': alter({
      accountOfIban: (_, { iban, ...facts }, { rules }) =>
        iban.includes(' ') ? rules.accountOfIban({ ...facts, iban: iban.replaceAll(' ', '') }) : undefined,
    }),
    'The information of an account at another bank is refused under its IBAN': refuse(
      'accountIsOpen',
      (facts) => isElsewhere(facts) && isByIban(facts),
    ),
  }),
]

/** Answers with the detail of another account. */
const show = (other: (facts: Detail, past: Past<'accountDetailBody'>) => Account | undefined) =>
  alter({
    accountDetailBody: (usual, facts, past) => {
      const account = other(facts, past)
      if (account === undefined) return usual
      const accountId = past.rules.accountIdOf({ ...facts, account })
      const item = past.rules.accountBody({ ...facts, account, accountId })
      return past.rules.accountDetailBody({ ...facts, account, item })
    },
  })

const showFirst = show(({ customer }) => customer.accounts[0])

const ofAnotherAccount: readonly Defect[] = [
  ...ofDetails(
    [ACC.unknownAccountIsRefused, ACC.accountWithoutConsentIsRefused, ACC.accountOfAnotherCustomerIsRefused],
    {
      'An unknown account-id is taken for the first account of the customer': findAccount(
        ({ customer }) => customer.accounts[0],
      ),
    },
  ),
  ...ofDetails([ACC.unknownAccountIsRefused], {
    'For the detail, an account is found by the beginning of its account-id': findByTheBeginning,
    'For the detail, characters after an account-id are ignored': ignoreLaterCharacters,
    'For the detail, an account-id is a pattern': findByPattern,
  }),
  ...defectsOf([ACC.unknownAccountIsRefusedInTheSecondVariant, 'TRX-24'], {
    'A request for information without an account is answered with 500': failWithoutAnAccount('readAccount'),
  }),
  ...ofInformation([ACC.unknownAccountIsRefusedInTheSecondVariant], {
    'For the information, an unknown IBAN is taken for the first account of the customer': findUnknownIbans,
    'For the information, an unknown id is taken for the first account of the customer': findAccount(
      ({ customer }) => customer.accounts[0],
    ),
  }),
  ...ofDetails([ACC.detailIsThatOfTheAccount], {
    'The detail of the last account is that of the first': when(isLast, showFirst),
    'Each account is answered the detail of the one that the token has read before': show((facts, past) => {
      const earlier = past.of('accountDetailBody').map((call) => call.facts)
      return earlier.findLast(
        ({ token, variant }) => token.value === facts.token.value && variant === 'first',
      )?.account
    }),
    'Every detail of the second customer is that of their first account': when(
      isOfTheSecondCustomer,
      showFirst,
    ),
  }),
  ...defectsOf([ACC.detailIsThatOfTheAccount, ACC.informationIsThatOfTheAccount], {
    'A booking on one account changes the balances of all accounts': alter({
      bookedAmount: (_, facts, { of, rules }) => {
        const all = [...of('bookedAmount').map((call) => call.facts), facts]
        const moves = all.map((one) => {
          const move = rules.bookedAmount(one) - one.account.openingBalance
          return [one.account.accountId, move] as const
        })
        return [...new Map(moves).values()].reduce((sum, move) => sum + move, facts.account.openingBalance)
      },
    }),
  }),
  ...ofInformation([ACC.informationIsThatOfTheAccount, ACC.balanceIsCurrentInTheSecondVariant], {
    'The IBAN of any account with consent is answered with the first account': alter({
      accountOfIban: (found, { grant, customer }) =>
        found && grant.accountIds.includes(found.accountId) ? customer.accounts[0] : found,
    }),
  }),
]

const showNoBalances = alter({ balancesShown: [] })

const incomplete: readonly Defect[] = [
  ...ofDetails([ACC.detailCarriesBalances], {
    'The detail of an account has no balances': alter({
      accountDetailBody: (_, { item }) => ({ account: item }),
    }),
    'The balances of an account at another bank are an empty list': when(isElsewhere, showNoBalances),
    'The balances of an account at another bank have their type, and no amount': when(
      isElsewhere,
      alter({ balanceBody: { balanceType: 'interimAvailable' } }),
    ),
    'One of the balances has a word as its amount': when(
      ({ balance }: FactsOf<'balanceBody'>) => balance.kind === 'available',
      alter({ balanceBody: { balanceAmount: { currency: 'EUR', amount: 'unknown' } } }),
    ),
  }),
  ...defectsOf([ACC.detailCarriesBalances, ACC.informationCarriesBalances], {
    'The accounts of the second customer have no balances': when(isOfTheSecondCustomer, showNoBalances),
  }),
  ...ofInformation([ACC.informationCarriesBalances], {
    'The information of an account has no balances': alter({
      accountDetailBody: (usual) => ({ ...membersOf(usual), balances: undefined }),
    }),
    'The information has balances only the first time that an account is asked for': alter({
      balancesShown: (usual, facts, past) =>
        past.of('balancesShown').some((call) => isRepeated(call.facts, facts)) ? [] : usual,
    }),
    'The information of an account has balances by id, and none by IBAN': alter(
      {
        balancesShown: (usual, _, past) =>
          past
            .of('accountIsOpen')
            .slice(-1)
            .some(({ facts }) => isByIban(facts))
            ? []
            : usual,
      },
      'accountIsOpen',
    ),
    'The amount of a balance has a currency, and no value': alter({
      balanceBody: { amount: { currency: 'EUR' } },
    }),
  }),
]

const TWO_DAYS = 2 * 24 * 60 * 60 * 1000

const CURRENT = ACC.balanceOfTheOwnBankIsCurrent
const CURRENT_IN_THE_SECOND = ACC.balanceIsCurrentInTheSecondVariant

const isHere = (facts: Pick<OpenFacts, 'account'>): boolean => !isElsewhere(facts)

const notCurrent: readonly Defect[] = [
  ...ofEachDetail([CURRENT], [CURRENT_IN_THE_SECOND], {
    'A credit lowers the balances': when(isHere, moveAgainst(isCredit)),
    'A debit raises the balances': when(isHere, moveAgainst(isDebit)),
  }),
  ...ofEachDetail([CURRENT, 'REF-17'], [CURRENT_IN_THE_SECOND, 'REF-17'], {
    'The balances are an hour old': leaveOutTheLastHour,
  }),
  ...ofEachDetail([CURRENT, 'REF-04'], [CURRENT_IN_THE_SECOND, 'REF-04'], {
    'The balances never change': alter({ bookingsSeen: [] }),
    'The balances show a booking two days after the first request for it': alter({
      bookingsSeen: (_, { known, now, variant }, past) => {
        const earlier = past.of('bookingsSeen').map(({ facts }) => facts)
        const shown = earlier.filter((one) => one.endpoint === 'account' && one.variant === variant)
        return known.filter(({ transactionId }) => {
          const first = shown.find((one) => one.known.some((other) => other.transactionId === transactionId))
          return first !== undefined && now.getTime() - first.now.getTime() >= TWO_DAYS
        })
      },
    }),
  }),
  ...ofDetails([CURRENT, 'REF-04'], {
    'The balances of the first variant never change for a TPP': when(isOfATpp, alter({ bookingsSeen: [] })),
  }),
  ...defectsOf([CURRENT, CURRENT_IN_THE_SECOND, 'REF-04'], {
    'Both variants keep the balances that they have answered first': alter({
      bookedAmount: (usual, facts, past) => {
        const earlier = past.of('bookedAmount').filter((call) => isSame(call.facts, facts))
        return earlier.find((call) => call.facts.environment === facts.environment)?.answer ?? usual
      },
    }),
  }),
  ...defectsOf([CURRENT, CURRENT_IN_THE_SECOND], {
    'All accounts of a customer at the own bank have the balances of the first one': when(
      isHere,
      alter({
        balancesShown: (usual, facts, past) => {
          const [account = facts.account] = facts.customer.accounts
          if (isSame({ account }, facts)) return usual
          return past.of('balancesShown').findLast((call) => isSame(call.facts, { account }))?.answer ?? usual
        },
      }),
    ),
    'A debit raises the balances of the second customer': when(
      (facts) => isHere(facts) && isOfTheSecondCustomer(facts),
      moveAgainst(isDebit),
    ),
    'The balances show credits, and no debits': when(
      isHere,
      alter({
        bookedAmount: (_, { bookings, ...facts }, { rules }) =>
          rules.bookedAmount({ ...facts, bookings: bookings.filter(({ amount }) => amount > 0) }),
      }),
    ),
  }),
]

export const detailDefects: readonly Defect[] = [
  ...refused,
  ...ofAnotherAccount,
  ...incomplete,
  ...notCurrent,
]
