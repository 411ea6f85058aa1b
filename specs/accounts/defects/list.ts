import {
  isAtAnotherBank,
  isLast,
  isOfTheSecondCustomer,
  mixCallersOfLists,
  type Account,
  type OpenFacts,
} from '../../shared/account-changes.ts'
import {
  alter,
  defectsOf,
  each,
  EVERYWHERE,
  forATpp,
  IN_PRODUCTION,
  isFor,
  isOfATpp,
  when,
  withARefreshedToken,
  type Defect,
  type FactsOf,
  type Past,
} from '../../shared/changes.ts'
import { ofEachList, ofLists, ofListsOfTheSecond } from './tables.ts'
import { ACC } from '../requirements.ts'

/** Lists of accounts with too many accounts or too few, or with wrong ids. */

type Seen = FactsOf<'accountsSeen'>
type Item = FactsOf<'accountBody'>
type Accounts = readonly Account[]

/** Lists other accounts. */
const list = (change: (usual: Accounts, facts: Seen) => Accounts) => alter({ accountsSeen: change })
const listFirst = list((usual) => usual.slice(0, 1))
const listAllButLast = list((usual) => usual.slice(0, -1))
const listAll = list((_, { customer }) => customer.accounts)

const ofAll = (customers: Seen['customers']): Accounts => customers.flatMap(({ accounts }) => accounts)
const granted = (accounts: Accounts, { accountIds }: Seen['grant']): Accounts =>
  accounts.filter(({ accountId }) => accountIds.includes(accountId))

/** The accounts that the application has listed last for another customer in the same variant. */
const ofAnotherCustomer = ({ grant, variant }: Seen, past: Past<'accountsSeen'>): Accounts => {
  const ofTheApplication = past
    .of('accountsSeen')
    .map(({ facts }) => facts)
    .filter((facts) => facts.variant === variant && facts.grant.clientId === grant.clientId)
  const last = ofTheApplication.findLast((facts) => facts.grant.username !== grant.username)
  return last === undefined ? [] : granted(last.customer.accounts, last.grant)
}

const isTicked = (account: Account): boolean => account.isTicked

/** Keeps the customer who has logged in last in one place for all browsers. */
const mixLogins = alter(
  {
    grantedAccounts: (usual, { customer }, past) => {
      const last = past.of('customerIsAuthenticated').findLast(({ answer }) => answer)?.facts.customer
      return last === undefined || last.username === customer.username
        ? usual
        : last.accounts.filter(isTicked)
    },
    accountsSeen: (_, { customers, grant }) => granted(ofAll(customers), grant),
  },
  'customerIsAuthenticated',
)

/** Lists what the customer has chosen for the application, under whichever consent. */
const listChoices = (chosen: (choices: readonly Accounts[]) => readonly Accounts[]) =>
  alter(
    {
      accountsSeen: (usual, facts, past) => {
        const { grant } = facts
        const choices = past
          .of('grantedAccounts')
          .filter((call) => call.facts.environment === grant.environment)
          .filter((call) => call.facts.client.clientId === grant.clientId)
          .filter((call) => call.facts.customer.username === grant.username)
          .map(({ answer }) => answer)
        const accountIds = [
          ...new Set(chosen(choices).flatMap((all) => all.map(({ accountId }) => accountId))),
        ]
        // Where nothing else was chosen, the list has its usual order.
        return accountIds.join() === grant.accountIds.join()
          ? usual
          : past.rules.accountsSeen({ ...facts, grant: { ...grant, accountIds } })
      },
    },
    'grantedAccounts',
  )

/** How many lists a token has read before. */
const earlierLists = ({ token, variant }: Item | OpenFacts | Seen, past: Past<'accountsSeen'>): number =>
  past
    .of('accountsSeen')
    .filter(({ facts }) => facts.token.value === token.value && facts.variant === variant).length

/** From the third list for a token on, its ids have a suffix, and those without it are no longer valid. */
const endIds = (variant: Seen['variant']) =>
  when(
    (facts: Pick<Seen, 'variant'>) => facts.variant === variant,
    alter(
      {
        accountBody: (usual, facts, past) =>
          earlierLists(facts, past) > 2
            ? past.rules.accountBody({ ...facts, accountId: `${facts.accountId}.new` })
            : usual,
        accountIsOpen: (isOpen, facts, past) => {
          const isOfAnId = facts.endpoint === 'account' && facts.naming === 'id'
          return isOpen && !(isOfAnId && earlierLists(facts, past) > 2)
        },
      },
      'accountsSeen',
    ),
  )

const FIRST_NUMBER = 4711

/** Writes ids of the first variant as numbers. */
const numberIds = (where: (facts: Item) => boolean) =>
  alter({
    accountBody: (usual, facts) => {
      const place = ofAll(facts.customers).findIndex(({ accountId }) => accountId === facts.account.accountId)
      return isFor('accounts', 'first')(facts) && where(facts)
        ? { ...usual, accountId: FIRST_NUMBER + place }
        : usual
    },
    accountOfUnknownId: (_, { customers, accountId }) => ofAll(customers)[Number(accountId) - FIRST_NUMBER],
  })

const accountId = (value: unknown) => alter({ accountBody: (usual) => ({ ...usual, accountId: value }) })

const LISTED = ACC.consentedAccountsAreListed
const LISTED_IN_THE_SECOND = ACC.consentedAccountsAreListedInTheSecondVariant
const NOTHING_ELSE = ACC.nothingElseIsListed
const NOTHING_ELSE_IN_THE_SECOND = ACC.nothingElseIsListedInTheSecondVariant
const SAME = ACC.variantsListTheSameAccounts

const missing: readonly Defect[] = [
  ...ofEachList([LISTED, SAME], [LISTED_IN_THE_SECOND, SAME], {
    'The list of accounts leaves out the last one': listAllButLast,
  }),
  ...ofLists([LISTED, SAME], {
    'The list of a TPP leaves out the accounts at other banks': when(
      isOfATpp,
      list((usual) => usual.filter((account) => !isAtAnotherBank(account))),
    ),
  }),
  ...ofListsOfTheSecond([LISTED_IN_THE_SECOND, SAME], {
    'The second variant lists the accounts at other banks only': list((usual) =>
      usual.filter(isAtAnotherBank),
    ),
    'The second variant answers a page of five accounts, and there is no way to ask for the next': list(
      (usual) => usual.slice(0, 5),
    ),
  }),
  ...defectsOf([LISTED, LISTED_IN_THE_SECOND], {
    'A renewed access token lists the first account only': withARefreshedToken('accountsSeen', (_, usual) =>
      usual.slice(0, 1),
    ),
    'The second customer is listed only one of the accounts with consent': when(
      isOfTheSecondCustomer,
      listFirst,
    ),
  }),
]

const notConsentedTo: readonly Defect[] = [
  ...ofLists([NOTHING_ELSE, ACC.accountIdOpensTheDetail, SAME, 'TRX-01'], {
    'The list of the first variant has all accounts of the customer': each(
      [EVERYWHERE, IN_PRODUCTION],
      listAll,
    ),
  }),
  ...ofListsOfTheSecond(
    [
      NOTHING_ELSE_IN_THE_SECOND,
      ACC.listedAccountOpensTheInformation,
      ACC.typedIbanOpensTheInformation,
      SAME,
      'TRX-14',
    ],
    { 'The list of the second variant has all accounts of the customer': listAll },
  ),
  ...ofLists([NOTHING_ELSE], {
    'The list adds the accounts that another customer has opened to the application': alter({
      accountsSeen: (usual, facts, past) => [...usual, ...ofAnotherCustomer(facts, past)],
    }),
  }),
  ...ofListsOfTheSecond([NOTHING_ELSE_IN_THE_SECOND, LISTED_IN_THE_SECOND], {
    'The second variant keeps a list for each application, and answers it to the next customer': alter({
      accountsSeen: (usual, facts, past) => {
        const others = ofAnotherCustomer(facts, past)
        return others.length > 0 ? others : usual
      },
    }),
  }),
  ...defectsOf(
    [
      NOTHING_ELSE,
      NOTHING_ELSE_IN_THE_SECOND,
      ACC.accountWithoutConsentIsRefused,
      ACC.informationWithoutConsentIsRefused,
      'TRX-11',
      'TRX-24',
    ],
    {
      'A grant to a TPP opens the accounts that the page has ticked, whatever the customer ticks': forATpp(
        alter({ grantedAccounts: (_, { customer }) => customer.accounts.filter(isTicked) }),
      ),
    },
  ),
  ...defectsOf([NOTHING_ELSE, NOTHING_ELSE_IN_THE_SECOND], {
    'The lists have all accounts that the customer has chosen for the application, under whichever consent':
      listChoices((choices) => choices),
  }),
  ...defectsOf([LISTED, LISTED_IN_THE_SECOND, NOTHING_ELSE, NOTHING_ELSE_IN_THE_SECOND], {
    'The lists have the accounts that the customer has chosen last for the application': listChoices(
      (choices) => choices.slice(-1),
    ),
  }),
  ...defectsOf([NOTHING_ELSE, NOTHING_ELSE_IN_THE_SECOND, 'TOK-93'], {
    'All accounts of the customer are listed for a renewed access token': withARefreshedToken(
      'accountsSeen',
      ({ customer }) => customer.accounts,
    ),
  }),
  ...ofEachList([NOTHING_ELSE], [NOTHING_ELSE_IN_THE_SECOND], {
    'A list for a caller at the same moment as another one is that of the last caller': mixCallersOfLists,
  }),
  ...defectsOf([NOTHING_ELSE], {
    'A grant opens the accounts of the customer who has logged in last, in any browser': mixLogins,
  }),
]

const ids: readonly Defect[] = [
  ...ofLists([ACC.listedAccountHasAnAccountId], {
    'The last account of the list has an empty accountId': when(isLast, accountId('')),
    'Accounts at other banks are listed without an accountId': when(
      ({ account }) => isAtAnotherBank(account),
      accountId(undefined),
    ),
  }),
  ...ofLists([ACC.listedAccountHasAnAccountId, ACC.accountIdIsAString], {
    'The accountId of the last account of the list is null': when(isLast, accountId(null)),
    'For the second customer, the accountId of the last account of the list is null': when(
      isOfTheSecondCustomer,
      when(isLast, accountId(null)),
    ),
    'From the second list for a token on, the accountId of the last account is null': alter(
      {
        accountBody: (usual, facts, past) =>
          isLast(facts) && earlierLists(facts, past) > 1 ? { ...usual, accountId: null } : usual,
      },
      'accountsSeen',
    ),
  }),
  // Webhook events have the accountId of the list.
  ...defectsOf([ACC.accountIdIsAString, 'WEB-25', 'WEB-44', 'WEB-47'], {
    'An accountId is a number': numberIds(() => true),
  }),
  ...defectsOf([ACC.accountIdIsAString, 'WEB-25', 'WEB-44'], {
    'An accountId is a string for a FAC, and a number for a TPP': numberIds(isOfATpp),
  }),
  ...ofEachList(
    [ACC.accountIdsAreDistinct, ACC.detailIsThatOfTheAccount],
    [ACC.pickedAccountsAreDistinct, ACC.informationIsThatOfTheAccount],
    {
      'The last account of the list has the id of the first': when(
        isLast,
        alter({
          accountBody: (_, facts, { rules }) => {
            const account = facts.customer.accounts[0] ?? facts.account
            return rules.accountBody({ ...facts, accountId: rules.accountIdOf({ ...facts, account }) })
          },
        }),
      ),
    },
  ),
  ...defectsOf([ACC.listIsStable, 'TOK-86'], {
    'From the third list on, the accountIds are new, and earlier ones are refused': endIds('first'),
  }),
  ...defectsOf([ACC.listIsStableInTheSecondVariant, 'TOK-86', 'TRX-46'], {
    'From the third list of the second variant on, the ids are new, and earlier ones are refused':
      endIds('second'),
  }),
  ...ofEachList([ACC.listIsStable], [ACC.listIsStableInTheSecondVariant], {
    'The second list for a token and each later one leave out the last account': alter({
      accountsSeen: (usual, facts, past) => (earlierLists(facts, past) > 0 ? usual.slice(0, -1) : usual),
    }),
  }),
]

export const listDefects: readonly Defect[] = [...missing, ...notConsentedTo, ...ids]
