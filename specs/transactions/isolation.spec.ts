import { check, inventedIban, isRefusedBetween, NotReached, scenario } from '../../harness/check/index.ts'
import type { AccountRef, Change, Exchange, Observed, Session } from '../../harness/check/index.ts'
import { electronic, inventedIds, listedBy, readable, WITHOUT_TOKEN } from './asking.ts'
import { laterPageOf } from './later-pages.ts'
import { TRX } from './requirements.ts'
import type { KnownAccount, Variant } from './asking.ts'
import type { AskLater } from './later-pages.ts'

/** A page that is answered to whom it may be, and how to ask for another one in the same way. */
const besideAPage = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access()
  const accounts = session.app.accounts(variant)
  const listed = await listedBy(session, variant, accessToken)
  const { account, size, page: before } = await readable(accounts, accessToken, listed)
  const ask = (ref: AccountRef = account, change?: Change): Promise<Exchange> =>
    accounts.transactions(accessToken, ref, { size }, change)
  const askEach = async (refs: readonly AccountRef[]): Promise<readonly Exchange[]> => {
    const pages = []
    for (const ref of refs) pages.push(await ask(ref))
    return pages
  }
  return { accessToken, listed, accounts, size, before, ask, askEach }
}

/** The IBAN of a listed account; where the list shows none, one that the profile knows. */
const ibanOf = ({ profile }: Session, listed: readonly KnownAccount[]): string | undefined => {
  const shown = listed.flatMap(({ iban }) => (iban === undefined ? [] : electronic(iban)))
  return shown[0] ?? profile.customers[0]?.accounts[0]?.iban
}

/** Accounts that nobody has, and requests that have no token: each between the same two valid ones. */
const askForNothing = async (session: Session, variant: Variant) => {
  const { accessToken, listed, before, ask, askEach } = await besideAPage(session, variant)
  const iban = variant === 'second' ? ibanOf(session, listed) : undefined
  const unknown = await askEach([
    ...inventedIds(session.random, listed).map((accountId) => ({ accountId })),
    ...(iban === undefined ? [] : [{ iban: inventedIban(session.random, iban) }]),
  ])
  const between = await ask()
  const withoutToken = []
  for (const change of WITHOUT_TOKEN) withoutToken.push(await ask(undefined, change))
  const after = await ask()
  const askLater = await laterPageOf(session, variant, { accessToken, listed })
  const later = askLater && (await withoutTokenBehindTheFirst(askLater))
  return { before, unknown, between, withoutToken, after, ...(later && { later }) }
}

/** A link to a page must not be as good as a token. */
const withoutTokenBehindTheFirst = async (askLater: AskLater) => {
  const before = await askLater()
  const changed = []
  for (const change of WITHOUT_TOKEN) changed.push(await askLater(undefined, change))
  return { before, changed, after: await askLater() }
}

type Nothing = Observed<Awaited<ReturnType<typeof askForNothing>>>

const unknownIsRefused = ({ before, unknown, between }: Nothing): void =>
  isRefusedBetween({ before, changed: unknown, after: between }, 'there is no such account')

const NO_TOKEN = 'it has no access token that the bank has issued'

const tokenIsNeeded = ({ between, withoutToken, after, later }: Nothing): void => {
  isRefusedBetween({ before: between, changed: withoutToken, after }, NO_TOKEN)
  if (later !== undefined) isRefusedBetween(later, NO_TOKEN)
}

const nothing = scenario(
  'transactions of accounts that do not exist and without an access token',
  { effect: 'read', as: 'each', needs: ['access'] },
  (session) => askForNothing(session, 'first'),
)

check(TRX.unknownAccountIsRefused, nothing, unknownIsRefused)

check(TRX.transactionsWithoutTokenAreRefused, nothing, tokenIsNeeded)

const nothingInTheSecond = scenario(
  'transactions of accounts that do not exist and without an access token in the second variant',
  { effect: 'read', as: 'each', needs: ['access', 'second-variant'] },
  (session) => askForNothing(session, 'second'),
)

check(TRX.accountWithoutConsentIsRefusedInTheSecondVariant, nothingInTheSecond, unknownIsRefused)

check(TRX.secondVariantWithoutTokenIsRefused, nothingInTheSecond, tokenIsNeeded)

const inGroups = (iban: string): string => iban.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** The accounts that the customer keeps to themselves, by IBAN: their ids are in no list. */
const askForTheUnconsented = async (session: Session, variant: Variant) => {
  const { before, ask, askEach } = await besideAPage(session, variant)
  const own = session.customer.accounts.filter(({ consented }) => !consented).map(({ iban }) => iban)
  const spelled =
    variant === 'first' ? own : own.flatMap((iban) => [iban, inGroups(iban), iban.toLowerCase()])
  return { before, changed: await askEach(spelled.map((iban) => ({ iban }))), after: await ask() }
}

const unconsented = scenario(
  'transactions of an account of the customer that is not consented to',
  { effect: 'read', as: 'each', needs: ['access', 'unconsented-account'] },
  (session) => askForTheUnconsented(session, 'first'),
)

check(TRX.accountWithoutConsentIsRefused, unconsented, (attempts) =>
  isRefusedBetween(attempts, 'the customer has not consented to this account'),
)

const unconsentedInTheSecond = scenario(
  'transactions of an account of the customer that is not consented to in the second variant',
  { effect: 'read', as: 'each', needs: ['access', 'unconsented-account', 'second-variant'] },
  (session) => askForTheUnconsented(session, 'second'),
)

check(TRX.accountWithoutConsentIsRefusedInTheSecondVariant, unconsentedInTheSecond, (attempts) =>
  isRefusedBetween(attempts, 'the customer has not consented to this account'),
)

/** Two customers may hold one account together. */
const notAmong = (
  ours: readonly KnownAccount[],
  theirs: readonly KnownAccount[],
): readonly KnownAccount[] => {
  const known = new Set(ours.flatMap(({ accountId, iban = accountId }) => [accountId, electronic(iban)]))
  return theirs.filter(
    ({ accountId, iban = accountId }) => !known.has(accountId) && !known.has(electronic(iban)),
  )
}

/** One account of another customer, asked for before and after its holder has read it under another consent. */
const askForAnothers = async (session: Session, variant: Variant) => {
  const { accessToken, listed, accounts, before, ask, askEach } = await besideAPage(session, variant)
  const theirs = (await session.access({ customer: session.otherCustomer })).accessToken
  const foreign = notAmong(listed, await listedBy(session, variant, theirs))
  if (foreign.length === 0) throw new NotReached('the second customer has no account of their own')
  const { account, size, page: allowed } = await readable(accounts, theirs, foreign)
  const refs = [account, ...(account.iban === undefined ? [] : [{ iban: electronic(account.iban) }])]

  // Until now the holder has read it, and the first customer has not asked for it.
  const changed = [...(await askEach(refs))]
  const allowedAgain = [await accounts.transactions(theirs, account, { size })]
  changed.push(...(await askEach(refs)))
  const askLater = await laterPageOf(session, variant, { accessToken: theirs, listed: foreign })
  if (askLater !== undefined) {
    allowedAgain.push(await askLater())
    changed.push(await askLater(accessToken))
  }
  // Who asks at the same moment as another must not be taken for them.
  const [atOnce] = await Promise.all([ask(account), accounts.transactions(theirs, account, { size })])
  changed.push(atOnce)
  return { before, allowed: [allowed, ...allowedAgain], changed, after: await ask() }
}

type OfAnother = Observed<Awaited<ReturnType<typeof askForAnothers>>>

const anothersAreRefused = ({ before, allowed, changed, after }: OfAnother): void => {
  if (!allowed.every(({ accepted }) => accepted))
    throw new NotReached('the second customer was not answered the transactions either')
  isRefusedBetween({ before, changed, after }, 'the account is that of another customer')
}

const ofAnother = scenario(
  'transactions of an account of another customer',
  { effect: 'read', as: 'each', authorizations: 1, needs: ['access', 'second-customer'] },
  (session) => askForAnothers(session, 'first'),
)

check(TRX.accountWithoutConsentIsRefused, ofAnother, anothersAreRefused)

const ofAnotherInTheSecond = scenario(
  'transactions of an account of another customer in the second variant',
  { effect: 'read', as: 'each', authorizations: 1, needs: ['access', 'second-customer', 'second-variant'] },
  (session) => askForAnothers(session, 'second'),
)

check(TRX.accountWithoutConsentIsRefusedInTheSecondVariant, ofAnotherInTheSecond, anothersAreRefused)
