import { attemptOf, check, inWholeRun, isRefusedBetween, NotReached } from '../../harness/check/index.ts'
import { placeOf, scenario } from '../../harness/session/index.ts'
import {
  electronic,
  firstAndLast,
  OF_ANOTHER_CONSENT,
  refsOfUnconsented,
  shareOneByOne,
  sharingOneByOne,
  type Variant,
} from '../shared/account-steps.ts'
import {
  checkInEachVariant,
  scenarioInEachVariant,
  variantOf,
  whereInEachVariant,
} from '../shared/each-variant.ts'
import type { RecordOf } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'
import {
  assertAccountIds,
  assertAccountIdsAreStrings,
  assertAllOrOwnListed,
  assertDistinctIds,
  assertEachListed,
  assertIncludesList,
  assertListedAgain,
  assertNoneListed,
  assertSameAccounts,
  assertStillOpen,
  fieldsOf,
  type Listing,
} from './assertions.ts'
import { knownIbans, listAccounts, MOST_READ, readEach, readEachBetween } from './steps.ts'
import { granting } from '../shared/scenario-options.ts'
import { ACC } from './requirements.ts'

const ROWS = {
  consentedAreListed: [ACC.consentedAccountsAreListed, ACC.consentedAccountsAreListedInTheSecondVariant],
  nothingElseIsListed: [ACC.nothingElseIsListed, ACC.nothingElseIsListedInTheSecondVariant],
  unconsentedIsRefused: [ACC.accountWithoutConsentIsRefused, ACC.informationWithoutConsentIsRefused],
} as const

/** The interface does not say whether the second variant lists accounts at other banks. */
const ASSERT_LISTED = { first: assertEachListed, second: assertAllOrOwnListed } as const

const known = scenarioInEachVariant(
  'the list of known accounts',
  { effect: 'read', as: 'each', needs: ['access', 'known-accounts'] },
  async (session, variant) => ({
    fields: fieldsOf(session, variant),
    known: knownIbans(session),
    list: await session.app.accounts(variant).list((await session.access({ variant })).accessToken),
  }),
)

checkInEachVariant(ROWS.consentedAreListed, known, ({ list, fields, known }, variant) =>
  ASSERT_LISTED[variant](list, fields, known),
)

checkInEachVariant(ROWS.nothingElseIsListed, known, ({ list, fields, known }) =>
  assertNoneListed(list, fields, known.closed),
)

/** The lists of two customers of one application: one after the other, twice, and at the same moment. */
const ofTwo = scenarioInEachVariant(
  'the lists of two customers',
  {
    effect: 'read',
    as: 'each',
    authorizations: 1,
    needs: ['access', 'known-accounts', 'second-customer-account'],
  },
  async (session, variant) => {
    const { app, access, otherCustomer } = session
    const accounts = app.accounts(variant)
    const first = (await access({ variant })).accessToken
    const second = (await access({ customer: otherCustomer, variant })).accessToken
    const lists = []
    for (const token of [first, second, first, second]) lists.push(await accounts.list(token))
    // A bank must not take one caller for another who asks at the same moment.
    const order = [0, 1, 1, 0, 0, 1] as const
    const atOnce = await Promise.all(
      order.map(async (whose) => ({ whose, list: await accounts.list(whose === 0 ? first : second) })),
    )
    return {
      fields: fieldsOf(session, variant),
      known: [knownIbans(session), knownIbans(session, otherCustomer)],
      lists,
      atOnce,
    }
  },
)

type TwoCustomers = RecordOf<typeof ofTwo.first>

const assertNeitherListsOthers = ({ fields, known, lists, atOnce }: TwoCustomers): void => {
  const closedTo = (whose: number): readonly string[] => known[whose]?.closed ?? []
  for (const [at, list] of lists.entries()) assertNoneListed(list, fields, closedTo(at % 2))
  // How many requests at once are answered is not shown.
  for (const { whose, list } of atOnce) if (list.accepted) assertNoneListed(list, fields, closedTo(whose))
}

checkInEachVariant(ROWS.nothingElseIsListed, ofTwo, assertNeitherListsOthers)

checkInEachVariant(
  ROWS.consentedAreListed,
  ofTwo,
  ({ fields, known: [, second], lists: [, list] }, variant) => {
    if (list === undefined || second === undefined) throw new NotReached('the second customer has no list')
    ASSERT_LISTED[variant](list, fields, second)
  },
)

const grantedAtOnce = scenario(
  'the lists of two customers who have granted at the same moment',
  granting(2, 'known-accounts', 'second-customer-account'),
  async (session) => {
    const { app, otherCustomer } = session
    const [first, second] = await Promise.all([app.tokens(), app.tokens({ customer: otherCustomer })])
    return {
      fields: fieldsOf(session, 'first'),
      known: [knownIbans(session), knownIbans(session, otherCustomer)],
      lists: [await app.listAccounts(first.accessToken), await app.listAccounts(second.accessToken)],
    }
  },
)

check(ACC.nothingElseIsListed, grantedAtOnce, ({ fields, known, lists }) => {
  for (const [at, list] of lists.entries()) assertNoneListed(list, fields, known[at]?.closed ?? [])
})

/** Accounts of an early list that are read after a later one. */
const MOST_READ_LATER = 3

/** The lists for one token: a list may change after it was read, or after a detail was read. */
const lists = scenarioInEachVariant(
  'lists of accounts one after the other',
  { effect: 'read', as: 'each', needs: ['access'] },
  async (session, variant) => {
    const { accessToken } = await session.access({ variant })
    const accounts = session.app.accounts(variant)
    const one = await accounts.list(accessToken)
    const other = await accounts.list(accessToken)
    const [first] = accounts.accountsIn(other)
    const detail = first && (await accounts.read(accessToken, first))
    const last = await accounts.list(accessToken)
    const later = []
    const ids = new Set(accounts.accountsIn(last).map(({ accountId }) => accountId))
    // An id that is still listed is judged with the other listed accounts.
    const unlisted = accounts.accountsIn(one).filter(({ accountId }) => !ids.has(accountId))
    for (const listed of firstAndLast(MOST_READ_LATER, unlisted))
      later.push({ listed, detail: await accounts.read(accessToken, listed) })
    return { fields: fieldsOf(session, variant), one, other, detail, last, later }
  },
)

const everyList = (variant: Variant) =>
  inWholeRun(lists[variant], ['listAccounts']).each(({ exchanges, profile }) => {
    const fields = fieldsOf({ profile }, variant)
    // Checks of paths also ask at addresses that are not in the profile: the variant of such a list is not known.
    const meant = exchanges.filter(
      (list) => list.accepted && placeOf(profile, list) && variantOf(profile, list) === variant,
    )
    return meant.map((list) => ({ list, fields }))
  }, 'no list was answered')

checkInEachVariant(
  [ACC.accountIdsAreDistinct, ACC.pickedAccountsAreDistinct],
  { first: everyList('first'), second: everyList('second') },
  ({ list, fields }) => assertDistinctIds(list, fields),
)

check(ACC.listedAccountHasAnAccountId, everyList('first'), ({ list, fields }) =>
  assertAccountIds(list, fields),
)

check(ACC.accountIdIsAString, everyList('first'), ({ list, fields }) =>
  assertAccountIdsAreStrings(list, fields),
)

checkInEachVariant(
  [ACC.listIsStable, ACC.listIsStableInTheSecondVariant],
  lists,
  ({ fields, one, other, last, later }) => {
    assertSameAccounts(one, other, fields)
    assertSameAccounts(one, last, fields)
    for (const detail of later) assertStillOpen(detail, fields, last)
  },
)

/** What the same customer has listed in each scenario, with all that was ever listed for them before. */
const againIn = (variant: Variant) =>
  inWholeRun(lists[variant], ['listAccounts']).each(({ exchanges, profile }) => {
    const fields = fieldsOf({ profile }, variant)
    const listings = new Map<string, Listing>()
    for (const answer of exchanges) {
      if (answer.customer === undefined || variantOf(profile, answer) !== variant) continue
      const key = `${attemptOf(answer)} ${answer.customer}`
      const { answers, before } = listings.get(key) ?? {
        answers: [],
        before: [...listings.values()].findLast((one) => one.answers[0]?.customer === answer.customer),
      }
      listings.set(key, { fields, before, answers: [...answers, answer] })
    }
    return [...listings.values()]
  }, 'no customer has had a list')

checkInEachVariant(
  ROWS.consentedAreListed,
  { first: againIn('first'), second: againIn('second') },
  assertListedAgain,
  { needs: ['known-accounts'] },
)

const ibansAt = ({ accounts }: Session['customer'], where: 'own' | 'other'): readonly string[] =>
  accounts.filter(({ bank }) => bank === where).map(({ iban }) => iban)

const both = scenario(
  'the lists of both variants',
  { effect: 'read', as: 'each', inBothVariants: true, needs: ['access', 'second-variant'] },
  async (session) => {
    // The same customer has granted both, where one grant does not open both.
    const listIn = async (variant: Variant) =>
      session.app.accounts(variant).list((await session.access({ variant })).accessToken)
    return {
      first: {
        fields: fieldsOf(session, 'first'),
        list: await listIn('first'),
      },
      second: {
        fields: fieldsOf(session, 'second'),
        list: await listIn('second'),
      },
      known: {
        own: ibansAt(session.customer, 'own'),
        atOtherBanks: ibansAt(session.customer, 'other'),
      },
    }
  },
)

check(ACC.variantsListTheSameAccounts, both, ({ first, second, known }) => {
  assertIncludesList(first, second)
  assertIncludesList(second, first, known)
})

/** A renewed token opens what the customer has consented to: no less, and no more. */
const renewed = scenarioInEachVariant(
  'the accounts that a refreshed token opens',
  granting(1, 'unconsented-account'),
  async (session, variant) => {
    const app = session.app.for(variant)
    const accounts = app.accounts(variant)
    const issued = await app.tokens()
    const { exchange, tokens } = await app.renew(issued)
    const { list, listed, first } = await listAccounts(accounts, tokens.accessToken)
    const known = knownIbans(session)
    const isClosed = ({ iban = '' }): boolean => known.closed.map(electronic).includes(electronic(iban))
    const open = firstAndLast(
      MOST_READ,
      listed.filter((one) => !isClosed(one)),
    )
    const details = await readEach(accounts, tokens.accessToken, open)
    const refused = [
      ...firstAndLast(MOST_READ, known.closed).map((iban) => ({ iban })),
      ...refsOfUnconsented(variant, session.customer.accounts),
    ]
    const reads = await readEachBetween(accounts, tokens.accessToken, { allowed: first, refused })
    return { fields: fieldsOf(session, variant), known, renewal: exchange, list, details, reads }
  },
)

const accepted = whereInEachVariant(
  renewed,
  ({ renewal }) => renewal.accepted,
  'the renewal was not accepted',
)

checkInEachVariant(
  [ACC.accountIdOpensTheDetail, ACC.listedAccountOpensTheInformation],
  accepted,
  ({ details }) => {
    for (const detail of details) detail.isAccepted('the account is in the list for the renewed token')
  },
)

checkInEachVariant(ROWS.consentedAreListed, accepted, ({ list, fields, known }, variant) =>
  ASSERT_LISTED[variant](list, fields, known),
)

checkInEachVariant(ROWS.nothingElseIsListed, accepted, ({ list, fields, known }) =>
  assertNoneListed(list, fields, known.closed),
)

checkInEachVariant(ROWS.unconsentedIsRefused, accepted, ({ reads }) =>
  isRefusedBetween(reads, 'the customer has not consented to this account, and a renewal grants nothing'),
)

/** The lists of both consents, that of the earlier one again, and the account that the later one has not. */
const oneByOne = scenarioInEachVariant(
  'accounts that a customer shares one by one',
  sharingOneByOne,
  async (session, variant) => {
    const { accounts, earlier, later, closed } = await shareOneByOne(
      session,
      variant,
      (all, token, account) => all.read(token, account),
    )
    const allowed = later.listed.find(({ iban }) => electronic(iban) === later.iban) ?? later.listed[0]
    const reads =
      allowed && (await readEachBetween(accounts, later.accessToken, { allowed, refused: closed }))
    const again = await accounts.list(earlier.accessToken)
    return {
      fields: fieldsOf(session, variant),
      ibans: { ofEarlier: earlier.iban, ofLater: later.iban },
      ofEarlier: [earlier.list, again],
      ofLater: later.list,
      reads,
    }
  },
)

/** A target may end the earlier grant: then its second list is refused. */
const earlierLists = ({ ofEarlier: [first, again] }: RecordOf<typeof oneByOne.first>) =>
  [first, again].filter((list) => list !== undefined).filter((list, at) => at === 0 || list.accepted)

checkInEachVariant(ROWS.consentedAreListed, oneByOne, (record) => {
  const { fields, ibans, ofLater } = record
  assertEachListed(ofLater, fields, { consented: [ibans.ofLater] })
  for (const list of earlierLists(record)) assertEachListed(list, fields, { consented: [ibans.ofEarlier] })
})

checkInEachVariant(ROWS.nothingElseIsListed, oneByOne, (record) => {
  const { fields, ibans, ofLater } = record
  assertNoneListed(ofLater, fields, [ibans.ofEarlier])
  for (const list of earlierLists(record)) assertNoneListed(list, fields, [ibans.ofLater])
})

checkInEachVariant(ROWS.unconsentedIsRefused, oneByOne, ({ reads }) => {
  if (reads === undefined) throw new NotReached('no account is listed under the later consent')
  isRefusedBetween(reads, OF_ANOTHER_CONSENT)
})
