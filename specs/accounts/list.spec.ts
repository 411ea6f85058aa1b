import { check, Inconclusive, NotReached, scenario } from '../../harness/check/index.ts'
import type { Accounts, Observed, Session } from '../../harness/check/index.ts'
import { knownAccounts } from './asking.ts'
import {
  listsEach,
  listsNone,
  listTheSame,
  listTheSameIbans,
  namesOf,
  picksEachByAnId,
  someIn,
} from './lists.ts'
import type { Variant } from './lists.ts'
import { ACC } from './requirements.ts'

const CONSENTED = 'the customer has consented to accounts'

const listKnown = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access()
  const names = namesOf(session, variant)
  return { names, known: knownAccounts(session), list: await session.app.accounts(variant).list(accessToken) }
}

const known = scenario(
  'the list of known accounts',
  { effect: 'read', as: 'each', needs: ['access', 'known-accounts'] },
  (session) => listKnown(session, 'first'),
)

const knownToTheSecond = scenario(
  'the list of known accounts in the second variant',
  { effect: 'read', as: 'each', needs: ['access', 'known-accounts', 'second-variant'] },
  (session) => listKnown(session, 'second'),
)

check(ACC.consentedAccountsAreListed, known, ({ list, names, known }) => {
  list.isAccepted(CONSENTED)
  listsEach(list, names, known.open)
})

check(ACC.consentedAccountsAreListedInTheSecondVariant, knownToTheSecond, ({ list, names, known }) => {
  list.isAccepted(CONSENTED)
  listsEach(list, names, known.open)
})

check(ACC.nothingElseIsListed, known, ({ list, names, known }) => listsNone(list, names, known.shut))

check(ACC.nothingElseIsListedInTheSecondVariant, knownToTheSecond, ({ list, names, known }) =>
  listsNone(list, names, known.shut),
)

/** One application, with the consents of two customers; each list is asked for before and after the other. */
const listOfTwo = async (session: Session, variant: Variant) => {
  const { app, access, otherCustomer } = session
  const accounts = app.accounts(variant)
  const ours = (await access()).accessToken
  const theirs = (await access({ customer: otherCustomer })).accessToken
  return {
    names: namesOf(session, variant),
    shutToUs: knownAccounts(session).shut,
    shutToThem: knownAccounts(session, otherCustomer).shut,
    openToThem: knownAccounts(session, otherCustomer).open,
    ours: [await accounts.list(ours)],
    theirs: [await accounts.list(theirs)],
    again: { ours: await accounts.list(ours), theirs: await accounts.list(theirs) },
    atOnce: await listAtOnce(accounts, { ours, theirs }),
  }
}

/** Who asks at the same moment as another must not be taken for them. */
const listAtOnce = async (
  accounts: Accounts,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
) => {
  const [one, other, again, otherAgain] = await Promise.all([
    accounts.list(ours),
    accounts.list(theirs),
    accounts.list(ours),
    accounts.list(theirs),
  ])
  return { ours: [one, again], theirs: [other, otherAgain] }
}

type ListsOfTwo = Observed<Awaited<ReturnType<typeof listOfTwo>>>

const eachListsItsOwn = ({ names, shutToUs, shutToThem, ours, theirs, again, atOnce }: ListsOfTwo): void => {
  // How many requests at once are answered is not shown.
  const answered = (lists: typeof atOnce.ours) => lists.filter(({ accepted }) => accepted)
  for (const list of [...ours, again.ours, ...answered(atOnce.ours)]) listsNone(list, names, shutToUs)
  for (const list of [...theirs, again.theirs, ...answered(atOnce.theirs)]) listsNone(list, names, shutToThem)
}

const ofTwo = scenario(
  'the lists of two customers',
  {
    effect: 'read',
    as: 'each',
    authorizations: 1,
    needs: ['access', 'known-accounts', 'second-customer-account'],
  },
  (session) => listOfTwo(session, 'first'),
)

const ofTwoInTheSecond = scenario(
  'the lists of two customers in the second variant',
  {
    effect: 'read',
    as: 'each',
    authorizations: 1,
    needs: ['access', 'known-accounts', 'second-customer-account', 'second-variant'],
  },
  (session) => listOfTwo(session, 'second'),
)

check(ACC.nothingElseIsListed, ofTwo, eachListsItsOwn)

check(ACC.nothingElseIsListedInTheSecondVariant, ofTwoInTheSecond, eachListsItsOwn)

const theirsAreListed = ({ names, openToThem, theirs: [list] }: ListsOfTwo): void => {
  if (list === undefined) throw new NotReached('the second customer was not asked for')
  list.isAccepted(CONSENTED)
  listsEach(list, names, openToThem)
}

check(ACC.consentedAccountsAreListed, ofTwo, theirsAreListed)

check(ACC.consentedAccountsAreListedInTheSecondVariant, ofTwoInTheSecond, theirsAreListed)

const grantedAtOnce = scenario(
  'the lists of two customers who have granted at the same moment',
  {
    effect: 'consent',
    as: 'each',
    authorizations: 2,
    needs: ['customer', 'known-accounts', 'second-customer-account'],
  },
  async (session) => {
    const { app, otherCustomer } = session
    const [ours, theirs] = await Promise.all([app.tokens(), app.tokens({ customer: otherCustomer })])
    return {
      names: namesOf(session, 'first'),
      shutToUs: knownAccounts(session).shut,
      shutToThem: knownAccounts(session, otherCustomer).shut,
      ours: await app.listAccounts(ours.accessToken),
      theirs: await app.listAccounts(theirs.accessToken),
    }
  },
)

check(ACC.nothingElseIsListed, grantedAtOnce, ({ names, shutToUs, shutToThem, ours, theirs }) => {
  listsNone(ours, names, shutToUs)
  listsNone(theirs, names, shutToThem)
})

/** The lists that one token opens; a list may change when it is looked at, or when an account is. */
const listTwice = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access()
  const accounts = session.app.accounts(variant)
  const one = await accounts.list(accessToken)
  const other = await accounts.list(accessToken)
  const [first] = accounts.accountsIn(other)
  const detail = first && (await accounts.read(accessToken, first))
  const names = namesOf(session, variant)
  return { names, one, other, detail, last: await accounts.list(accessToken) }
}

const lists = scenario(
  'lists of accounts one after the other',
  { effect: 'read', as: 'each', needs: ['access'] },
  (session) => listTwice(session, 'first'),
)

const listsOfTheSecond = scenario(
  'lists of accounts one after the other in the second variant',
  { effect: 'read', as: 'each', needs: ['access', 'second-variant'] },
  (session) => listTwice(session, 'second'),
)

check(ACC.listedAccountHasAnAccountId, lists, ({ names, one }) => {
  const places = someIn(one, names)
  // It is documented that there is one, and not how deep in the item it stands.
  const isDeeper = one.body.everywhere('accountId').length >= places.length
  for (const place of places) {
    const id = one.body.field(`${place}.accountId`)
    if (id.value === undefined && isDeeper)
      throw new Inconclusive(`${one.id} has each accountId deeper than in an item of ${names.accounts}`)
    id.satisfies(id.value !== undefined && id.value !== null && id.value !== '', 'a value that is not empty')
  }
})

check(ACC.accountIdIsAString, lists, ({ names, one }) => {
  for (const place of someIn(one, names)) {
    const id = one.body.field(`${place}.accountId`)
    // That it is there is judged elsewhere.
    id.satisfies(id.value === undefined || id.value === null || typeof id.value === 'string', 'a string')
  }
})

check(ACC.accountIdsAreDistinct, lists, ({ names, one }) => picksEachByAnId(one, names))

check(ACC.pickedAccountsAreDistinct, listsOfTheSecond, ({ names, one }) => picksEachByAnId(one, names))

check(ACC.listIsStable, lists, ({ names, one, other, last }) => {
  listTheSame(one, other, names)
  listTheSame(one, last, names)
})

check(ACC.listIsStableInTheSecondVariant, listsOfTheSecond, ({ names, one, other, last }) => {
  listTheSame(one, other, names)
  listTheSame(one, last, names)
})

const both = scenario(
  'the lists of both variants',
  { effect: 'read', as: 'each', needs: ['access', 'second-variant'] },
  async (session) => {
    const { accessToken } = await session.access()
    return {
      namesOfTheFirst: namesOf(session, 'first'),
      namesOfTheSecond: namesOf(session, 'second'),
      first: await session.app.accounts('first').list(accessToken),
      second: await session.app.accounts('second').list(accessToken),
    }
  },
)

check(ACC.variantsListTheSameAccounts, both, ({ namesOfTheFirst, namesOfTheSecond, first, second }) => {
  listTheSameIbans([first, namesOfTheFirst], [second, namesOfTheSecond])
  listTheSameIbans([second, namesOfTheSecond], [first, namesOfTheFirst])
})
