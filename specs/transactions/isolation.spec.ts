import { isAccepted, isRefusedBetween } from '../../harness/check/index.ts'
import {
  accountsOfTheSecondOnly,
  assertRefusalStatus,
  bodiesWithoutAccount,
  electronic,
  inventedIbans,
  inventedIds,
  OF_ANOTHER_CONSENT,
  refsOfUnconsented,
  shareOneByOne,
  sharingOneByOne,
  WITHOUT_TOKEN,
  type Variant,
} from '../shared/account-steps.ts'
import { checkInEachVariant, scenarioInEachVariant, whereInEachVariant } from '../shared/each-variant.ts'
import type { Exchange } from '../../harness/check/index.ts'
import type { AccountRef, Change, Session } from '../../harness/session/index.ts'
import { answeredPage, laterPageRequester, listAccounts, ORDINARY_SIZES } from './steps.ts'
import { TRX } from './requirements.ts'
import type { AskForLaterPage, KnownAccount } from './steps.ts'

const WITHOUT_CONSENT = [
  TRX.accountWithoutConsentIsRefused,
  TRX.accountWithoutConsentIsRefusedInTheSecondVariant,
] as const

/** A page that is answered, and how to ask in the same way for those of other accounts. */
const startWithAPage = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access({ variant })
  const accounts = session.app.accounts(variant)
  const listed = await listAccounts(session, variant, accessToken)
  const { account, size, page: before } = await answeredPage(accounts, accessToken, listed)
  const ask = (ref: AccountRef = account, change?: Change): Promise<Exchange> =>
    accounts.transactions(accessToken, ref, { size }, change)
  const askEach = async (refs: readonly AccountRef[]): Promise<readonly Exchange[]> => {
    const pages = []
    for (const ref of refs) pages.push(await ask(ref))
    return pages
  }
  return { accessToken, listed, accounts, before, ask, askEach }
}

/** The IBANs of the listed accounts; where the list shows none, those that the profile knows. */
const ibansOf = ({ profile }: Session, listed: readonly KnownAccount[]): readonly string[] => {
  const shown = listed.flatMap(({ iban }) => (iban === undefined ? [] : electronic(iban)))
  return shown.length > 0 ? shown : (profile.customers[0]?.accounts ?? []).map(({ iban }) => iban)
}

/** Accounts that do not exist, and then requests without a token: each between two valid requests. */
const inVain = scenarioInEachVariant(
  'transactions of accounts that do not exist and without an access token',
  { effect: 'read', as: 'each', needs: ['access'] },
  async (session, variant) => {
    const { accessToken, listed, before, ask, askEach } = await startWithAPage(session, variant)
    const invented = inventedIbans(session.random, variant === 'first' ? [] : ibansOf(session, listed))
    const unknown = [
      ...(await askEach(inventedIds(session.random, listed).map((accountId) => ({ accountId })))),
      ...(await askEach(invented.map((iban) => ({ iban })))),
    ]
    for (const change of bodiesWithoutAccount(variant)) unknown.push(await ask(undefined, change))
    const between = await ask()
    const withoutToken = []
    for (const change of WITHOUT_TOKEN) withoutToken.push(await ask(undefined, change))
    const after = await ask()
    const askLater = await laterPageRequester(session, variant, { accessToken, listed })
    const later = askLater && (await askLaterWithoutToken(askLater))
    return { before, unknown, between, withoutToken, after, ...(later && { later }) }
  },
)

/** A link to a later page must not replace the token. */
const askLaterWithoutToken = async (askLater: AskForLaterPage) => {
  const before = await askLater()
  const changed = []
  for (const change of WITHOUT_TOKEN) changed.push(await askLater({ change }))
  return { before, changed, after: await askLater() }
}

const NO_TOKEN = 'it has no access token that the bank has issued'

checkInEachVariant(
  [TRX.unknownAccountIsRefused, TRX.accountWithoutConsentIsRefusedInTheSecondVariant],
  inVain,
  ({ before, unknown, between }) =>
    isRefusedBetween({ before, changed: unknown, after: between }, 'there is no such account'),
)

checkInEachVariant(
  [TRX.transactionsWithoutTokenAreRefused, TRX.secondVariantWithoutTokenIsRefused],
  inVain,
  ({ between, withoutToken, after, later }) => {
    isRefusedBetween({ before: between, changed: withoutToken, after }, NO_TOKEN)
    if (later !== undefined) isRefusedBetween(later, NO_TOKEN)
  },
)

checkInEachVariant(
  [TRX.statusGivesTheResult, TRX.statusGivesTheResultInTheSecondVariant],
  inVain,
  ({ unknown, withoutToken }) => assertRefusalStatus([...unknown, ...withoutToken]),
)

/** The accounts of the customer without consent: the first page, and the place of a later page of another account. */
const unconsented = scenarioInEachVariant(
  'transactions of an account of the customer that is not consented to',
  { effect: 'read', as: 'each', needs: ['access', 'unconsented-account'] },
  async (session, variant) => {
    const { accessToken, listed, before, ask, askEach } = await startWithAPage(session, variant)
    const refs = refsOfUnconsented(variant, session.customer.accounts)
    const changed = [...(await askEach(refs))]
    const askLater = await laterPageRequester(session, variant, { accessToken, listed })
    if (askLater !== undefined) for (const ref of refs) changed.push(await askLater({ ref }))
    return { before, changed, after: await ask() }
  },
)

checkInEachVariant(WITHOUT_CONSENT, unconsented, (attempts) =>
  isRefusedBetween(attempts, 'the customer has not consented to this account'),
)

/** An account of another customer, asked for before and after its holder has read it under another consent. */
const ofAnother = scenarioInEachVariant(
  'transactions of an account of another customer',
  { effect: 'read', as: 'each', authorizations: 1, needs: ['access', 'second-customer'] },
  async (session, variant) => {
    const { accessToken, listed, accounts, before, ask, askEach } = await startWithAPage(session, variant)
    const theirs = (await session.access({ customer: session.otherCustomer, variant })).accessToken
    const foreign = accountsOfTheSecondOnly(listed, await listAccounts(session, variant, theirs))
    const { account, size, page: allowed } = await answeredPage(accounts, theirs, foreign)
    const refs = [account, ...(account.iban === undefined ? [] : [{ iban: electronic(account.iban) }])]

    // Until now only the holder has asked for this account.
    const changed = [...(await askEach(refs))]
    const allowedAgain = [await accounts.transactions(theirs, account, { size })]
    changed.push(...(await askEach(refs)))
    const askLater = await laterPageRequester(session, variant, { accessToken: theirs, listed: foreign })
    if (askLater !== undefined) {
      allowedAgain.push(await askLater())
      changed.push(await askLater({ accessToken }))
    }
    // A bank must not take one caller for another who asks at the same moment.
    const [atOnce] = await Promise.all([ask(account), accounts.transactions(theirs, account, { size })])
    changed.push(atOnce)
    return { before, allowed: [allowed, ...allowedAgain], changed, after: await ask() }
  },
)

checkInEachVariant(
  WITHOUT_CONSENT,
  whereInEachVariant(
    ofAnother,
    ({ allowed }) => allowed.every(({ accepted }) => accepted),
    'the second customer was not answered the transactions either',
  ),
  (attempts) => isRefusedBetween(attempts, 'the account is that of another customer'),
)

/** The account of an earlier consent, whose transactions were read under that consent. */
const ofAnotherConsent = scenarioInEachVariant(
  'transactions of an account that the customer has shared under another consent',
  sharingOneByOne,
  async (session, variant) => {
    const { accounts, later, closed } = await shareOneByOne(session, variant, async (all, token, account) => {
      for (const size of ORDINARY_SIZES[variant])
        if (isAccepted(await all.transactions(token, account, { size }))) return
    })
    const listed = await listAccounts(session, variant, later.accessToken)
    const { account, size, page: before } = await answeredPage(accounts, later.accessToken, listed)
    const ask = (ref: AccountRef): Promise<Exchange> =>
      accounts.transactions(later.accessToken, ref, { size })
    const changed = []
    for (const ref of closed) changed.push(await ask(ref))
    return { before, changed, after: await ask(account) }
  },
)

checkInEachVariant(WITHOUT_CONSENT, ofAnotherConsent, (attempts) =>
  isRefusedBetween(attempts, OF_ANOTHER_CONSENT),
)
