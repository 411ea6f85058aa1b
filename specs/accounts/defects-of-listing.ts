import { ACC } from './requirements.ts'
import { isDetail, isLast, isList, isOfATpp, listing, wording } from './defect-rules.ts'
import type { Defect } from '../../harness/bank/defect.ts'
import type { Account, Body, Change, ListFacts, Variant } from './defect-rules.ts'

/** What a bank can get wrong in its lists of accounts. */

/** Events name an account by the accountId of the list. */
const NAMED_IN_EVENTS = { id: 'WEB-25' }
const NOT_AS_NOTIFIED = [NAMED_IN_EVENTS, { id: 'WEB-44' }] as const

const isAtAnotherBank = ({ bankCode }: Account): boolean => bankCode !== '9801'

/** All accounts of the customer, with the rest of what the bank knows of them. */
const ofTheCustomer = (_: readonly Account[], { customer }: ListFacts): readonly Account[] =>
  customer.accounts

/** Lists to one customer of a client what the list of another has held. */
const sharing = (
  variant: Variant,
  share: (own: readonly Account[], others: readonly Account[]) => readonly Account[],
): Change => {
  return (lawful) => {
    const lists = new Map<string, Map<string, readonly Account[]>>()
    return {
      accountsSeen: async (facts) => {
        const own = await lawful.accountsSeen(facts)
        if (!isList(variant)(facts)) return own
        const { clientId, username } = facts.grant
        const known = lists.get(clientId) ?? new Map<string, readonly Account[]>()
        const others = [...known].flatMap(([name, accounts]) => (name === username ? [] : accounts))
        lists.set(clientId, known.set(username, own))
        return share(own, others)
      },
    }
  }
}

/** Gives the last account of a list the id of the first. */
const sharingAnId = (variant: Variant, name: string): Change =>
  wording(variant, (body, facts) => {
    const [first] = facts.customer.accounts
    return isLast(facts) && first ? { ...body, [name]: first.accountId } : body
  })

const accountsOf = (customers: ListFacts['customers']): readonly Account[] =>
  customers.flatMap(({ accounts }) => accounts)

/** The ids of a variant have a part that changes, and that the other operations leave out. */
const changingIds = (variant: Variant, name: string, part: () => string): Change => {
  const changed = wording(variant, (body) => ({ ...body, [name]: `${String(body[name])}.${part()}` }))
  return (lawful) => ({
    ...changed(lawful),
    accountOfUnknownId: ({ customers, accountId }) =>
      accountsOf(customers).find((account) => account.accountId === accountId.replace(/\.(\d+)$/, '')),
  })
}

const counter = (): (() => string) => {
  let count = 0
  return () => String((count += 1))
}

const numbered = (body: Body): Body => ({ ...body, accountId: numberOf(String(body['accountId'])) })

const numberOf = (accountId: string): number => parseInt(accountId.slice(0, 8), 16)

/** The ids of the first variant are numbers, for such a call. */
const numbering =
  (applies: (facts: ListFacts) => boolean): Change =>
  (lawful) => ({
    accountBody: (facts) => {
      const body = lawful.accountBody(facts)
      return isList('first')(facts) && applies(facts) ? numbered(body) : body
    },
    accountOfUnknownId: (facts) =>
      accountsOf(facts.customers).find(({ accountId }) => String(numberOf(accountId)) === facts.accountId),
  })

export const defectsOfListing: readonly Defect[] = [
  {
    id: 'list-leaves-out-the-last-account',
    story: 'The list of the first variant ends one account too early.',
    breaks: [ACC.consentedAccountsAreListed, ACC.variantsListTheSameAccounts],
    rules: listing('first', (accounts) => accounts.slice(0, -1)),
  },
  {
    id: 'list-of-a-tpp-leaves-out-other-banks',
    story: 'The list of the first variant shows the accounts at other banks to a FAC alone.',
    breaks: [ACC.consentedAccountsAreListed, ACC.variantsListTheSameAccounts],
    rules: listing('first', (accounts, facts) =>
      isOfATpp(facts) ? accounts.filter((account) => !isAtAnotherBank(account)) : accounts,
    ),
  },
  {
    id: 'unconsented-account-is-listed',
    story: 'The list of the first variant holds all accounts of the customer; the others cannot be read.',
    breaks: [
      ACC.nothingElseIsListed,
      ACC.accountIdOpensTheDetail,
      ACC.variantsListTheSameAccounts,
      { id: 'TRX-01' },
    ],
    rules: listing('first', ofTheCustomer),
  },
  {
    id: 'unconsented-account-is-listed-in-production',
    story: 'What the customer has ticked is looked at in the sandbox alone.',
    environment: 'production',
    breaks: [
      ACC.nothingElseIsListed,
      ACC.accountIdOpensTheDetail,
      ACC.variantsListTheSameAccounts,
      { id: 'TRX-01' },
    ],
    rules: listing('first', ofTheCustomer),
  },
  {
    id: 'account-of-another-consent-is-listed',
    story: 'The list of the first variant adds what other customers have opened to the same client.',
    breaks: [ACC.nothingElseIsListed],
    rules: sharing('first', (own, others) => [...own, ...others]),
  },
  {
    id: 'list-is-kept-by-client-in-the-second-variant',
    story: 'The second variant keeps a list for each client, and shows it to the next customer.',
    breaks: [ACC.nothingElseIsListedInTheSecondVariant, ACC.consentedAccountsAreListedInTheSecondVariant],
    rules: sharing('second', (own, others) => (others.length > 0 ? others : own)),
  },
  {
    id: 'last-account-id-is-empty',
    story: 'The last account of the list has an empty accountId.',
    breaks: [ACC.listedAccountHasAnAccountId],
    rules: wording('first', (body, facts) => (isLast(facts) ? { ...body, accountId: '' } : body)),
  },
  {
    id: 'account-at-another-bank-has-no-account-id',
    story: 'Accounts at other banks are listed without an accountId.',
    breaks: [ACC.listedAccountHasAnAccountId],
    rules: wording('first', (body, { account }) =>
      isAtAnotherBank(account) ? { ...body, accountId: undefined } : body,
    ),
  },
  {
    id: 'account-id-is-null',
    story: 'An account that the bank has just come to know has null for an accountId.',
    breaks: [ACC.listedAccountHasAnAccountId],
    rules: wording('first', (body, facts) => (isLast(facts) ? { ...body, accountId: null } : body)),
  },
  {
    id: 'account-id-is-a-number',
    story: 'An accountId is written as a number.',
    breaks: [ACC.accountIdIsAString, ...NOT_AS_NOTIFIED],
    rules: numbering(() => true),
  },
  {
    id: 'account-id-of-a-tpp-is-a-number',
    story: 'An accountId is a string for a FAC, and a number for a TPP.',
    breaks: [ACC.accountIdIsAString, ...NOT_AS_NOTIFIED],
    rules: numbering(isOfATpp),
  },
  {
    id: 'two-accounts-share-an-account-id',
    story: 'The last account of the list has the accountId of the first.',
    breaks: [ACC.accountIdsAreDistinct, ACC.detailIsThatOfTheAccount],
    rules: sharingAnId('first', 'accountId'),
  },
  {
    id: 'two-accounts-are-picked-by-one-id',
    story: 'The last account of the second variant is picked by the id of the first.',
    breaks: [ACC.pickedAccountsAreDistinct, ACC.informationIsThatOfTheAccount],
    rules: sharingAnId('second', 'identification'),
  },
  {
    id: 'account-id-differs-between-lists',
    story: 'Each list makes up an accountId anew; all of them stay good.',
    breaks: [ACC.listIsStable, NAMED_IN_EVENTS],
    rules: (lawful) => {
      const change = changingIds('first', 'accountId', counter())
      return change(lawful)
    },
  },
  {
    id: 'account-id-changes-once-a-detail-was-read',
    story: 'A detail that was read changes what the accounts are called in the next list.',
    breaks: [ACC.listIsStable, ...NOT_AS_NOTIFIED],
    rules: (lawful) => {
      let read = 0
      const change = changingIds('first', 'accountId', () => String(read))
      return {
        ...change(lawful),
        accountDetailBody: (facts) => {
          if (isDetail('first')(facts)) read += 1
          return lawful.accountDetailBody(facts)
        },
      }
    },
  },
  {
    id: 'picked-id-differs-between-lists',
    story: 'Each list of the second variant makes up its ids anew; all of them stay good.',
    breaks: [ACC.listIsStableInTheSecondVariant],
    rules: (lawful) => {
      const change = changingIds('second', 'identification', counter())
      return change(lawful)
    },
  },
  {
    id: 'second-variant-lists-the-own-bank-alone',
    story: 'The second variant knows the accounts of its own bank, and no other.',
    breaks: [ACC.consentedAccountsAreListedInTheSecondVariant, ACC.variantsListTheSameAccounts],
    rules: listing('second', (accounts) => accounts.filter((account) => !isAtAnotherBank(account))),
  },
  {
    id: 'second-variant-lists-five-accounts',
    story: 'The second variant answers a page of five accounts, and nobody can ask for the next.',
    breaks: [ACC.consentedAccountsAreListedInTheSecondVariant, ACC.variantsListTheSameAccounts],
    rules: listing('second', (accounts) => accounts.slice(0, 5)),
  },
  {
    id: 'second-variant-lists-what-is-not-consented',
    story: 'The list of the second variant holds all accounts of the customer; the others cannot be read.',
    breaks: [
      ACC.nothingElseIsListedInTheSecondVariant,
      ACC.listedAccountOpensTheInformation,
      ACC.typedIbanOpensTheInformation,
      ACC.variantsListTheSameAccounts,
      { id: 'TRX-14' },
    ],
    rules: listing('second', ofTheCustomer),
  },
]
