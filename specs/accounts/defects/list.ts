import { isAtAnotherBank, isLast, isOfTheSecondCustomer } from '../../shared/account-defects.ts'
import {
  aMoment,
  breaking,
  changedRules,
  isFor,
  isOfATpp,
  knowingRenewed,
  where,
  type FactsOf,
} from '../../shared/defects.ts'
import { ACC } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Account } from '../../shared/account-defects.ts'

/** Lists of accounts with too many accounts or too few, or with wrong ids. */

type ListFacts = FactsOf<'accountsSeen'>
type Variant = ListFacts['variant']
type ItemFacts = FactsOf<'accountBody'>
type Item = Readonly<Record<string, unknown>>

/** Lists other accounts. */
const listing = (
  variant: Variant,
  change: (accounts: readonly Account[], facts: ListFacts) => readonly Account[],
): RuleChange =>
  where(isFor('accounts', variant), (lawful) => ({
    accountsSeen: async (facts) => change(await lawful.accountsSeen(facts), facts),
  }))

/** Lists accounts with other fields. */
const rewordingItems = (variant: Variant, change: (item: Item, facts: ItemFacts) => Item): RuleChange =>
  where(isFor('accounts', variant), (lawful) => ({
    accountBody: (facts) => change(lawful.accountBody(facts), facts),
  }))

/** All accounts of the customer, whether or not they were consented to. */
const ofTheCustomer = (_: readonly Account[], { customer }: ListFacts): readonly Account[] =>
  customer.accounts

/** Uses for one customer of a client what it has listed for its other customers. */
const sharingLists =
  (
    variant: Variant,
    share: (own: readonly Account[], others: readonly Account[]) => readonly Account[],
  ): RuleChange =>
  (lawful) => {
    const lists = new Map<string, Map<string, readonly Account[]>>()
    return {
      accountsSeen: async (facts) => {
        const own = await lawful.accountsSeen(facts)
        if (!isFor('accounts', variant)(facts)) return own
        const { clientId, username } = facts.grant
        const known = lists.get(clientId) ?? new Map<string, readonly Account[]>()
        const others = [...known].flatMap(([name, accounts]) => (name === username ? [] : accounts))
        lists.set(clientId, known.set(username, own))
        return share(own, others)
      },
    }
  }

/** Keeps the last caller in one place for all requests: at the same moment one is taken for another. */
const mixingCallers =
  (variant: Variant): RuleChange =>
  (lawful) => {
    let last: ListFacts | undefined
    return {
      accountsSeen: async (facts) => {
        if (!isFor('accounts', variant)(facts)) return lawful.accountsSeen(facts)
        last = facts
        await aMoment()
        return lawful.accountsSeen(last)
      },
    }
  }

/** Keeps the customer who has logged in last in one place for all browsers. */
const mixingLogins: RuleChange = (lawful) => {
  let last: ListFacts['customer'] | undefined
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
      accountsOf(customers).filter(({ accountId }) => grant.accountIds.includes(accountId)),
  }
}

/** Lists the accounts that the customer has chosen for the client, under whichever consent. */
const listingChoices =
  (choose: (earlier: readonly Account[], last: readonly Account[]) => readonly Account[]): RuleChange =>
  (lawful) => {
    const choices = new Map<string, readonly Account[]>()
    return {
      grantedAccounts: (facts) => {
        const granted = lawful.grantedAccounts(facts)
        const key = [facts.environment, facts.client.clientId, facts.customer.username].join(' ')
        choices.set(key, choose(choices.get(key) ?? [], granted))
        return granted
      },
      accountsSeen: ({ grant: { environment, clientId, username } }) =>
        choices.get([environment, clientId, username].join(' ')) ?? [],
    }
  }

const accountsOf = (customers: ListFacts['customers']): readonly Account[] =>
  customers.flatMap(({ accounts }) => accounts)

/** Gives the last account of a list the id of the first. */
const sharingAnId = (variant: Variant, idField: string): RuleChange =>
  rewordingItems(variant, (item, facts) => {
    const [first] = facts.customer.accounts
    return isLast(facts) && first ? { ...item, [idField]: first.accountId } : item
  })

/** How many lists of a variant a token has read, the present one included. */
const countingLists = (variant: Variant): ((facts: ListFacts) => number) => {
  const lists = new Map<string, number>()
  return ({ token }) => {
    const count = (lists.get(`${variant} ${token.value}`) ?? 0) + 1
    lists.set(`${variant} ${token.value}`, count)
    return count
  }
}

/** From the third list for a token on, ids have a suffix, and those without it are no longer valid. */
const endingIds =
  (variant: Variant, idField: string): RuleChange =>
  (lawful) => {
    const count = countingLists(variant)
    const ended = new Set<string>()
    return {
      accountsSeen: (facts) => {
        if (isFor('accounts', variant)(facts) && count(facts) > 2) ended.add(facts.token.value)
        return lawful.accountsSeen(facts)
      },
      accountBody: (facts) => {
        const item = lawful.accountBody(facts)
        return isFor('accounts', variant)(facts) && ended.has(facts.token.value)
          ? { ...item, [idField]: `${String(item[idField])}.new` }
          : item
      },
      accountIsOpen: (facts) => {
        const isEnded =
          isFor('account', variant)(facts) && facts.naming === 'id' && ended.has(facts.token.value)
        return !isEnded && lawful.accountIsOpen(facts)
      },
    }
  }

/** From the second list for a token on, the last account is left out. */
const shorteningLaterLists =
  (variant: Variant): RuleChange =>
  (lawful) => {
    const count = countingLists(variant)
    return changedRules(
      listing(variant, (accounts, facts) => (count(facts) > 1 ? accounts.slice(0, -1) : accounts)),
      lawful,
    )
  }

const numberOf = (accountId: string): number => parseInt(accountId.slice(0, 8), 16)

/** Writes the ids of the first variant as numbers. */
const numberingIds =
  (applies: (facts: ItemFacts) => boolean): RuleChange =>
  (lawful) => ({
    accountBody: (facts) => {
      const item = lawful.accountBody(facts)
      return isFor('accounts', 'first')(facts) && applies(facts)
        ? { ...item, accountId: numberOf(String(item['accountId'])) }
        : item
    },
    accountOfUnknownId: (facts) =>
      accountsOf(facts.customers).find(({ accountId }) => String(numberOf(accountId)) === facts.accountId),
  })

/** Webhook events name an account by the accountId of the list. */
const NOT_AS_NOTIFIED = ['WEB-25', 'WEB-44']

export const listDefects: readonly Defect[] = [
  ...breaking(ACC.consentedAccountsAreListed, {
    'list-leaves-out-the-last-account': {
      story: 'The list of the first variant leaves out the last account.',
      alsoBreaks: [ACC.variantsListTheSameAccounts],
      rules: listing('first', (accounts) => accounts.slice(0, -1)),
    },
    'list-of-a-tpp-leaves-out-other-banks': {
      story: 'The list of the first variant has the accounts at other banks for a FAC only.',
      alsoBreaks: [ACC.variantsListTheSameAccounts],
      rules: listing('first', (accounts, facts) =>
        isOfATpp(facts) ? accounts.filter((account) => !isAtAnotherBank(account)) : accounts,
      ),
    },
    'refreshed-token-lists-one-account': {
      story: 'A renewed access token opens the first account only.',
      alsoBreaks: [ACC.consentedAccountsAreListedInTheSecondVariant],
      rules: knowingRenewed((isRenewed) =>
        where(isRenewed, (lawful) => ({
          accountsSeen: async (facts) => (await lawful.accountsSeen(facts)).slice(0, 1),
        })),
      ),
    },
    'second-customer-is-listed-one-account': {
      story: 'The second customer is listed only one of the accounts with consent.',
      alsoBreaks: [ACC.consentedAccountsAreListedInTheSecondVariant],
      rules: where(isOfTheSecondCustomer, (lawful) => ({
        accountsSeen: async (facts) => (await lawful.accountsSeen(facts)).slice(0, 1),
      })),
    },
  }),
  ...breaking(ACC.consentedAccountsAreListedInTheSecondVariant, {
    'second-variant-leaves-out-the-last-account': {
      story: 'The second variant leaves out the last account.',
      alsoBreaks: [ACC.variantsListTheSameAccounts],
      rules: listing('second', (accounts) => accounts.slice(0, -1)),
    },
    'second-variant-lists-other-banks-only': {
      story: 'The second variant lists the accounts at other banks only.',
      alsoBreaks: [ACC.variantsListTheSameAccounts],
      rules: listing('second', (accounts) => accounts.filter(isAtAnotherBank)),
    },
    'second-variant-lists-five-accounts': {
      story: 'The second variant answers a page of five accounts, and there is no way to ask for the next.',
      alsoBreaks: [ACC.variantsListTheSameAccounts],
      rules: listing('second', (accounts) => accounts.slice(0, 5)),
    },
  }),
  ...breaking(ACC.nothingElseIsListed, {
    'unconsented-account-is-listed': {
      story:
        'The list of the first variant has all accounts of the customer; those without consent cannot be read.',
      alsoBreaks: [ACC.accountIdOpensTheDetail, ACC.variantsListTheSameAccounts, 'TRX-01'],
      rules: listing('first', ofTheCustomer),
      inProduction: 'unconsented-account-is-listed-in-production',
    },
    'account-of-another-consent-is-listed': {
      story:
        'The list of the first variant adds the accounts that other customers have opened to the client.',
      rules: sharingLists('first', (own, others) => [...own, ...others]),
    },
    'preselected-accounts-are-shared': {
      story:
        'A grant to a TPP opens the accounts that the page has ticked beforehand, whatever the customer ticks.',
      alsoBreaks: [
        ACC.nothingElseIsListedInTheSecondVariant,
        ACC.accountWithoutConsentIsRefused,
        ACC.informationWithoutConsentIsRefused,
        'TRX-11',
        'TRX-24',
      ],
      rules: where(isOfATpp, {
        grantedAccounts: ({ customer }) => customer.accounts.filter(({ isTicked }) => isTicked),
      }),
    },
    'choices-of-accounts-add-up': {
      story:
        'The lists have all accounts that the customer has chosen for the client, under whichever consent.',
      alsoBreaks: [ACC.nothingElseIsListedInTheSecondVariant],
      rules: listingChoices((earlier, last) => [...new Set([...earlier, ...last])]),
    },
    'last-choice-of-accounts-holds-for-all-consents': {
      story: 'The lists have the accounts that the customer has chosen last for the client.',
      alsoBreaks: [
        ACC.consentedAccountsAreListed,
        ACC.consentedAccountsAreListedInTheSecondVariant,
        ACC.nothingElseIsListedInTheSecondVariant,
      ],
      rules: listingChoices((_, last) => last),
    },
    'refreshed-token-lists-every-account': {
      story: 'All accounts of the customer are listed for a renewed access token.',
      alsoBreaks: [ACC.nothingElseIsListedInTheSecondVariant, 'TOK-93'],
      rules: knowingRenewed((isRenewed) =>
        where(isRenewed, { accountsSeen: ({ customer }) => customer.accounts }),
      ),
    },
    'lists-at-the-same-moment-are-those-of-the-last-caller': {
      story: 'The first variant keeps the caller of a list in one place for all requests.',
      rules: mixingCallers('first'),
    },
    'grants-at-the-same-moment-open-the-accounts-of-the-last-login': {
      story: 'A grant opens the accounts of the customer who has logged in last, in any browser.',
      rules: mixingLogins,
    },
  }),
  ...breaking(ACC.nothingElseIsListedInTheSecondVariant, {
    'list-is-kept-by-client-in-the-second-variant': {
      story: 'The second variant keeps a list for each client, and answers it to the next customer.',
      alsoBreaks: [ACC.consentedAccountsAreListedInTheSecondVariant],
      rules: sharingLists('second', (own, others) => (others.length > 0 ? others : own)),
    },
    'second-variant-lists-what-is-not-consented': {
      story:
        'The list of the second variant has all accounts of the customer; those without consent cannot be read.',
      alsoBreaks: [
        ACC.listedAccountOpensTheInformation,
        ACC.typedIbanOpensTheInformation,
        ACC.variantsListTheSameAccounts,
        'TRX-14',
      ],
      rules: listing('second', ofTheCustomer),
    },
    'lists-of-the-second-variant-are-those-of-the-last-caller': {
      story: 'The second variant keeps the caller of a list in one place for all requests.',
      rules: mixingCallers('second'),
    },
  }),
  ...breaking(ACC.listedAccountHasAnAccountId, {
    'last-account-id-is-empty': {
      story: 'The last account of the list has an empty accountId.',
      rules: rewordingItems('first', (item, facts) => (isLast(facts) ? { ...item, accountId: '' } : item)),
    },
    'account-at-another-bank-has-no-account-id': {
      story: 'Accounts at other banks are listed without an accountId.',
      rules: rewordingItems('first', (item, { account }) =>
        isAtAnotherBank(account) ? { ...item, accountId: undefined } : item,
      ),
    },
    'account-id-is-null': {
      story: 'The accountId of the last account of the list is null.',
      rules: rewordingItems('first', (item, facts) => (isLast(facts) ? { ...item, accountId: null } : item)),
    },
  }),
  ...breaking(ACC.accountIdIsAString, {
    'account-id-is-a-number': {
      story: 'An accountId is a number.',
      alsoBreaks: [...NOT_AS_NOTIFIED, 'WEB-47'],
      rules: numberingIds(() => true),
    },
    'account-id-of-a-tpp-is-a-number': {
      story: 'An accountId is a string for a FAC, and a number for a TPP.',
      alsoBreaks: NOT_AS_NOTIFIED,
      rules: numberingIds(isOfATpp),
    },
  }),
  ...breaking(ACC.accountIdsAreDistinct, {
    'two-accounts-share-an-account-id': {
      story: 'The last account of the list has the accountId of the first.',
      alsoBreaks: [ACC.detailIsThatOfTheAccount],
      rules: sharingAnId('first', 'accountId'),
    },
  }),
  ...breaking(ACC.pickedAccountsAreDistinct, {
    'two-accounts-are-picked-by-one-id': {
      story: 'The last account of the second variant has the id of the first.',
      alsoBreaks: [ACC.informationIsThatOfTheAccount],
      rules: sharingAnId('second', 'identification'),
    },
  }),
  ...breaking(ACC.listIsStable, {
    'account-id-ends-with-a-later-list': {
      story: 'The second list after one has new accountIds, and those of the first one are refused.',
      alsoBreaks: ['TOK-86'],
      rules: endingIds('first', 'accountId'),
    },
    'later-list-has-one-account-less': {
      story: 'The second list and each later one for a token leave out the last account.',
      rules: shorteningLaterLists('first'),
    },
  }),
  ...breaking(ACC.listIsStableInTheSecondVariant, {
    'picked-id-ends-with-a-later-list': {
      story: 'The second list after one has new ids, and those of the first one are refused.',
      alsoBreaks: ['TOK-86', 'TRX-16'],
      rules: endingIds('second', 'identification'),
    },
    'later-list-of-the-second-variant-has-one-account-less': {
      story: 'The second list and each later one of the second variant leave out the last account.',
      rules: shorteningLaterLists('second'),
    },
  }),
]
