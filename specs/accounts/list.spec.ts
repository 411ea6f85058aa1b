import { check, Inconclusive, isRefusedBetween, NotReached } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import {
  assertSuccessStatus,
  electronic,
  firstAndLast,
  OF_ANOTHER_CONSENT,
  refsOfUnconsented,
  shareOneByOne,
  sharingOneByOne,
  VARIANTS,
  type Variant,
} from '../shared/account-steps.ts'
import type { Observed } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'
import {
  assertAllOrOwnListed,
  assertDistinctIds,
  assertEachListed,
  assertIncludesList,
  assertNoneListed,
  assertSameAccounts,
  assertStillOpen,
  fieldsOf,
  someItemsIn,
} from './assertions.ts'
import { knownIbans, listAccounts, MOST_READ, readEachBetween } from './steps.ts'
import { ACC } from './requirements.ts'

const REQUIREMENTS = {
  first: {
    consentedAreListed: ACC.consentedAccountsAreListed,
    nothingElseIsListed: ACC.nothingElseIsListed,
    unconsentedIsRefused: ACC.accountWithoutConsentIsRefused,
    idsAreDistinct: ACC.accountIdsAreDistinct,
    listIsStable: ACC.listIsStable,
    statusGivesTheResult: ACC.statusGivesTheResult,
  },
  second: {
    consentedAreListed: ACC.consentedAccountsAreListedInTheSecondVariant,
    nothingElseIsListed: ACC.nothingElseIsListedInTheSecondVariant,
    unconsentedIsRefused: ACC.informationWithoutConsentIsRefused,
    idsAreDistinct: ACC.pickedAccountsAreDistinct,
    listIsStable: ACC.listIsStableInTheSecondVariant,
    statusGivesTheResult: ACC.statusGivesTheResultInTheSecondVariant,
  },
} as const

/** The interface does not say whether the second variant lists accounts at other banks. */
const ASSERT_LISTED = { first: assertEachListed, second: assertAllOrOwnListed } as const

for (const { variant, suffix, needs } of VARIANTS) {
  const known = scenario(
    `the list of known accounts${suffix}`,
    { effect: 'read', as: 'each', needs: ['access', 'known-accounts', ...needs] },
    async (session) => ({
      fields: fieldsOf(session, variant),
      known: knownIbans(session),
      list: await session.app.accounts(variant).list((await session.access({ variant })).accessToken),
    }),
  )

  check(REQUIREMENTS[variant].consentedAreListed, known, ({ list, fields, known }) => {
    ASSERT_LISTED[variant](list, fields, known)
  })

  check(REQUIREMENTS[variant].nothingElseIsListed, known, ({ list, fields, known }) =>
    assertNoneListed(list, fields, known.closed),
  )
}

/** The lists of two customers of one application: one after the other, twice, and at the same moment. */
const listForTwoCustomers = async (session: Session, variant: Variant) => {
  const { app, access, otherCustomer } = session
  const accounts = app.accounts(variant)
  const first = (await access({ variant })).accessToken
  const second = (await access({ customer: otherCustomer, variant })).accessToken
  const lists = []
  for (const token of [first, second, first, second]) lists.push(await accounts.list(token))
  // A bank must not take one caller for another who asks at the same moment.
  const atOnce = await Promise.all([first, second, first, second].map((token) => accounts.list(token)))
  return {
    fields: fieldsOf(session, variant),
    known: [knownIbans(session), knownIbans(session, otherCustomer)],
    lists,
    atOnce,
  }
}

type TwoCustomers = Observed<Awaited<ReturnType<typeof listForTwoCustomers>>>

const assertNeitherListsOthers = ({ fields, known, lists, atOnce }: TwoCustomers): void => {
  const closedTo = (at: number): readonly string[] => known[at % 2]?.closed ?? []
  for (const [at, list] of lists.entries()) assertNoneListed(list, fields, closedTo(at))
  // How many requests at once are answered is not shown.
  for (const [at, list] of atOnce.entries()) if (list.accepted) assertNoneListed(list, fields, closedTo(at))
}

const assertSecondListsOwn = (
  { fields, known: [, second], lists: [, list] }: TwoCustomers,
  variant: Variant,
): void => {
  if (list === undefined || second === undefined) throw new NotReached('the second customer has no list')
  ASSERT_LISTED[variant](list, fields, second)
}

for (const { variant, suffix, needs } of VARIANTS) {
  const ofTwo = scenario(
    `the lists of two customers${suffix}`,
    {
      effect: 'read',
      as: 'each',
      authorizations: 1,
      needs: ['access', 'known-accounts', 'second-customer-account', ...needs],
    },
    (session) => listForTwoCustomers(session, variant),
  )

  check(REQUIREMENTS[variant].nothingElseIsListed, ofTwo, assertNeitherListsOthers)

  check(REQUIREMENTS[variant].consentedAreListed, ofTwo, (record) => assertSecondListsOwn(record, variant))
}

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
const listRepeatedly = async (session: Session, variant: Variant) => {
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
}

for (const { variant, suffix, needs } of VARIANTS) {
  const lists = scenario(
    `lists of accounts one after the other${suffix}`,
    { effect: 'read', as: 'each', needs: ['access', ...needs] },
    (session) => listRepeatedly(session, variant),
  )

  check(REQUIREMENTS[variant].idsAreDistinct, lists, ({ fields, one }) => assertDistinctIds(one, fields))

  check(REQUIREMENTS[variant].listIsStable, lists, ({ fields, one, other, last, later }) => {
    assertSameAccounts(one, other, fields)
    assertSameAccounts(one, last, fields)
    for (const detail of later) assertStillOpen(detail, fields, last)
  })

  check(REQUIREMENTS[variant].statusGivesTheResult, lists, ({ one, other, detail, last }) =>
    assertSuccessStatus([one, other, last, ...(detail ? [detail] : [])]),
  )

  if (variant === 'second') continue

  check(ACC.listedAccountHasAnAccountId, lists, ({ fields, one }) => {
    const items = someItemsIn(one, fields)
    // The interface says that each account has an accountId, and not how deep in the item it is.
    const isDeeper = one.body.everywhere('accountId').length >= items.length
    for (const item of items) {
      const id = one.body.field(`${item}.accountId`)
      if (id.value === undefined && isDeeper)
        throw new Inconclusive(`${one.id} has each accountId deeper than in an item of ${fields.accounts}`)
      id.satisfies(
        id.value !== undefined && id.value !== null && id.value !== '',
        'a value that is not empty',
      )
    }
  })

  check(ACC.accountIdIsAString, lists, ({ fields, one }) => {
    for (const item of someItemsIn(one, fields)) {
      const id = one.body.field(`${item}.accountId`)
      id.satisfies(id.value === undefined || id.value === null || typeof id.value === 'string', 'a string')
    }
  })
}

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
const listAfterARenewal = async (session: Session, variant: Variant) => {
  const app = session.app.for(variant)
  const accounts = app.accounts(variant)
  const issued = await app.tokens()
  const { exchange, tokens } = await app.renew(issued)
  const { list, first } = await listAccounts(accounts, tokens.accessToken)
  const known = knownIbans(session)
  const refused = [
    ...firstAndLast(MOST_READ, known.closed).map((iban) => ({ iban })),
    ...refsOfUnconsented(variant, session.customer.accounts),
  ]
  const reads = await readEachBetween(accounts, tokens.accessToken, { allowed: first, refused })
  return { fields: fieldsOf(session, variant), known, renewal: exchange, list, reads }
}

type Renewed = Observed<Awaited<ReturnType<typeof listAfterARenewal>>>

const assertRenewed = ({ renewal }: Renewed): void => {
  if (!renewal.accepted) throw new NotReached('the renewal was not accepted')
}

for (const { variant, suffix, needs } of VARIANTS) {
  const renewed = scenario(
    `the accounts that a refreshed token opens${suffix}`,
    {
      effect: 'consent',
      as: 'each',
      authorizations: 1,
      needs: ['customer', 'unconsented-account', ...needs],
    },
    (session) => listAfterARenewal(session, variant),
  )

  check(REQUIREMENTS[variant].consentedAreListed, renewed, (record) => {
    assertRenewed(record)
    ASSERT_LISTED[variant](record.list, record.fields, record.known)
  })

  check(REQUIREMENTS[variant].nothingElseIsListed, renewed, (record) => {
    assertRenewed(record)
    assertNoneListed(record.list, record.fields, record.known.closed)
  })

  check(REQUIREMENTS[variant].unconsentedIsRefused, renewed, (record) => {
    assertRenewed(record)
    isRefusedBetween(
      record.reads,
      'the customer has not consented to this account, and a renewal grants nothing',
    )
  })
}

/** The lists of both consents, that of the earlier one again, and the account that the later one has not. */
const readOneByOne = async (session: Session, variant: Variant) => {
  const { accounts, earlier, later, closed } = await shareOneByOne(session, variant, (all, token, account) =>
    all.read(token, account),
  )
  const allowed = later.listed.find(({ iban }) => electronic(iban) === later.iban) ?? later.listed[0]
  const reads = allowed && (await readEachBetween(accounts, later.accessToken, { allowed, refused: closed }))
  const again = await accounts.list(earlier.accessToken)
  return {
    fields: fieldsOf(session, variant),
    ibans: { ofEarlier: earlier.iban, ofLater: later.iban },
    ofEarlier: [earlier.list, again],
    ofLater: later.list,
    reads,
  }
}

type OneByOne = Observed<Awaited<ReturnType<typeof readOneByOne>>>

/** A target may end the earlier grant: then its second list is refused. */
const earlierLists = ({ ofEarlier: [first, again] }: OneByOne) =>
  [first, again].filter((list) => list !== undefined).filter((list, at) => at === 0 || list.accepted)

for (const { variant, suffix, needs } of VARIANTS) {
  const oneByOne = scenario(
    `accounts that a customer shares one by one${suffix}`,
    sharingOneByOne({ variant, needs }),
    (session) => readOneByOne(session, variant),
  )

  check(REQUIREMENTS[variant].consentedAreListed, oneByOne, (record) => {
    const { fields, ibans, ofLater } = record
    assertEachListed(ofLater, fields, { consented: [ibans.ofLater] })
    for (const list of earlierLists(record)) assertEachListed(list, fields, { consented: [ibans.ofEarlier] })
  })

  check(REQUIREMENTS[variant].nothingElseIsListed, oneByOne, (record) => {
    const { fields, ibans, ofLater } = record
    assertNoneListed(ofLater, fields, [ibans.ofEarlier])
    for (const list of earlierLists(record)) assertNoneListed(list, fields, [ibans.ofLater])
  })

  check(REQUIREMENTS[variant].unconsentedIsRefused, oneByOne, ({ reads }) => {
    if (reads === undefined) throw new NotReached('no account is listed under the later consent')
    isRefusedBetween(reads, OF_ANOTHER_CONSENT)
  })
}
