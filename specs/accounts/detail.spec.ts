import {
  check,
  disclosesNothingOf,
  held,
  inWholeRun,
  isRefusedBetween,
  note,
  NotReached,
} from '../../harness/check/index.ts'
import { change } from '../../harness/session/index.ts'
import {
  accountsOfTheSecondOnly,
  assertRefusalStatus,
  assertSuccessStatus,
  bodiesWithoutAccount,
  electronic,
  firstAndLast,
  inventedIbans,
  inventedIds,
  refsOfUnconsented,
  spellings,
  type Variant,
} from '../shared/account-steps.ts'
import {
  checkInEachVariant,
  dataInEachVariant,
  noteInEachVariant,
  scenarioInEachVariant,
  variantOf,
  whereInEachVariant,
} from '../shared/each-variant.ts'
import { checkWhoSeesWhat } from '../shared/who-sees-what.ts'
import type { Exchange, ObservedExchange, RecordOf } from '../../harness/check/index.ts'
import type { ListedAccount, Session } from '../../harness/session/index.ts'
import {
  assertBalances,
  assertBalancesIn,
  assertDetailsOfTheAccounts,
  fieldsOf,
  listedIds,
  noteRefusals,
  pairedWith,
  shapeOf,
  showsIban,
} from './assertions.ts'
import {
  askWithoutToken,
  inTheOtherEnvironment,
  knownIbans,
  listAccounts,
  MOST_READ,
  openAccounts,
  readEach,
  readEachBetween,
  READS_IN_BOTH,
} from './steps.ts'
import { ACC } from './requirements.ts'

/** Account detail and balances, which the second variant calls information. */

const ROWS = {
  isOfTheAccount: [ACC.detailIsThatOfTheAccount, ACC.informationIsThatOfTheAccount],
  hasBalances: [ACC.detailCarriesBalances, ACC.informationCarriesBalances],
  statusGivesTheResult: [ACC.statusGivesTheResult, ACC.statusGivesTheResultInTheSecondVariant],
} as const

/** The IBANs of a list; where it shows none, those that the profile knows. @throws NotReached where there is none. */
const ibansOf = (session: Session, listed: readonly ListedAccount[]): readonly string[] => {
  const shown = listed.flatMap(({ iban }) => (iban === undefined ? [] : electronic(iban)))
  const ibans = shown.length > 0 ? shown : knownIbans(session).consented
  if (ibans.length === 0) throw new NotReached('no IBAN of a consented account is known')
  return ibans
}

/** The IBAN as a request may have it: the first variant has it in the path, where only one spelling is sure to fit. */
const spellingsFor = (variant: Variant, iban: string): readonly string[] =>
  variant === 'first' ? [iban] : spellings(iban)

const details = scenarioInEachVariant(
  {
    first: 'the detail of each listed account',
    second: 'the information of each listed account, picked and typed',
  },
  { effect: 'read', as: 'each', needs: ['access'] },
  async (session, variant) => {
    const { accessToken, accounts, listed } = await openAccounts(session, variant)
    const picked = []
    const sample = firstAndLast(MOST_READ, listed)
    // Each twice: a bank may remember an answer wrongly, or answer only once.
    for (const account of [...sample, ...sample])
      picked.push({ listed: account, detail: await accounts.read(accessToken, account) })
    const typed = []
    for (const iban of variant === 'first' ? [] : firstAndLast(MOST_READ, ibansOf(session, listed)))
      typed.push({ listed: { accountId: iban, iban }, detail: await accounts.read(accessToken, { iban }) })
    const [, inGroups, inSmallLetters] = spellings(typed[0]?.listed.iban ?? '')
    const spelled = []
    for (const iban of typed.length === 0 ? [] : [inGroups, inSmallLetters])
      spelled.push(await accounts.read(accessToken, { iban }))
    return { fields: fieldsOf(session, variant), picked, typed, spelled }
  },
)

type Read = RecordOf<typeof details.first>

/** An answer that has only the IBAN is for the account. */
const isForItsIban = ({ detail, listed }: Read['typed'][number], { fields }: Read): boolean =>
  Number(detail.status.value) < 300 && showsIban(detail, fields, listed.iban)

checkInEachVariant(
  [ACC.accountIdOpensTheDetail, ACC.listedAccountOpensTheInformation],
  details,
  ({ picked }) => {
    for (const { detail } of picked) detail.isAccepted('the account is in the list of consented accounts')
  },
)

checkInEachVariant(
  ROWS.statusGivesTheResult,
  dataInEachVariant(details, ['listAccounts', 'readAccount']),
  assertSuccessStatus,
)

checkInEachVariant(ROWS.isOfTheAccount, details, ({ picked, typed, fields }) => {
  assertDetailsOfTheAccounts([...picked, ...typed], fields)
})

checkInEachVariant(ROWS.hasBalances, details, (record) => {
  const { picked, typed, fields } = record
  for (const one of typed) if (isForItsIban(one, record)) assertBalancesIn(one.detail, fields)
  for (const detail of [...picked, ...typed]) assertBalances(detail, fields)
})

/** Each detail of the run: balances may be missing only at some hour, or after a booking. */
const answeredIn = (variant: Variant) =>
  inWholeRun(details[variant], ['readAccount']).each(
    ({ exchanges, profile }) =>
      exchanges
        .filter((detail) => detail.accepted && variantOf(profile, detail) === variant)
        .map((detail) => ({ detail, fields: fieldsOf({ profile }, variant) })),
    'no detail was answered',
  )

checkInEachVariant(
  ROWS.hasBalances,
  { first: answeredIn('first'), second: answeredIn('second') },
  ({ detail, fields }) => assertBalancesIn(detail, fields),
)

noteInEachVariant(
  ACC.fieldsOfTheDetail,
  details,
  ({ picked: [first] }, variant) => first && `${variant} variant: ${first.detail.body.shape}`,
)

noteInEachVariant(
  ACC.fieldsOfTheBalances,
  details,
  ({ picked: [first], fields }, variant) =>
    first && `${variant} variant: ${shapeOf(first.detail.body.field(fields.balances).value)}`,
)

check(ACC.typedIbanOpensTheInformation, details.second, (record) => {
  for (const one of record.typed)
    if (isForItsIban(one, record)) held()
    else one.detail.isAccepted('the IBAN is that of a consented account')
})

note(ACC.basePathOfTheSecondVariant, details.second, ({ picked: [first] }) =>
  first?.detail.accepted === true ? `answered at ${new URL(first.detail.request.url).pathname}` : undefined,
)

note(ACC.bodyOfTheInformationRequest, details.second, ({ picked: [picked], typed: [typed], spelled }) => {
  const requests = [
    ['an account of the list', picked?.detail],
    ['an IBAN', typed?.detail],
    ['an IBAN in groups of four', spelled[0]],
    ['an IBAN in small letters', spelled[1]],
  ] as const
  return requests.flatMap(([what, read]) => (read ? describeRequest(what, read) : [])).join('; ')
})

const describeRequest = (what: string, { accepted, request }: ObservedExchange): string => {
  const members = Object.keys(JSON.parse(request.body?.text ?? '{}') as object).join(', ')
  return `${what}: ${members} is ${accepted ? 'accepted' : 'refused'}`
}

/** Accounts that do not exist: by ids, and in the second variant by an IBAN too, and in bodies that name none. */
const unknown = scenarioInEachVariant(
  {
    first: 'details under account-ids that were never issued',
    second: 'the information of accounts that do not exist',
  },
  { effect: 'read', as: 'each', needs: ['access'] },
  async (session, variant) => {
    const { accessToken, accounts, listed, first } = await openAccounts(session, variant)
    const ids = inventedIds(session.random, listed).map((accountId) => ({ accountId }))
    const invented = inventedIbans(session.random, variant === 'first' ? [] : ibansOf(session, listed))
    const refused = [...ids, ...invented.map((iban) => ({ iban }))]
    const changes = bodiesWithoutAccount(variant)
    return readEachBetween(accounts, accessToken, { allowed: first, refused, changes })
  },
)

const unconsented = scenarioInEachVariant(
  {
    first: 'details of accounts of the customer that are not consented to',
    second: 'the information of accounts of the customer that are not consented to',
  },
  { effect: 'read', as: 'each', needs: ['access', 'unconsented-account'] },
  async (session, variant) => {
    const { accessToken, accounts, first } = await openAccounts(session, variant)
    const refused = refsOfUnconsented(variant, session.customer.accounts)
    return readEachBetween(accounts, accessToken, { allowed: first, refused })
  },
)

checkInEachVariant(
  [ACC.unknownAccountIsRefused, ACC.unknownAccountIsRefusedInTheSecondVariant],
  unknown,
  (attempts) => isRefusedBetween(attempts, 'there is no such account'),
)

checkInEachVariant(
  [ACC.accountWithoutConsentIsRefused, ACC.informationWithoutConsentIsRefused],
  unconsented,
  (attempts) => isRefusedBetween(attempts, 'the customer has not consented to this account'),
)

for (const refused of [unknown, unconsented])
  checkInEachVariant(ROWS.statusGivesTheResult, refused, ({ changed }) => assertRefusalStatus(changed))

noteRefusals(unknown, 'an unknown account', ({ changed }) => changed)

/** The second variant with two accounts in one body: one of each customer. */
const readBothInOneBody = async (
  session: Session,
  accessToken: string,
  { own, ibans }: { readonly own: ListedAccount; readonly ibans: readonly string[] },
): Promise<readonly Exchange[]> => {
  const { app, profile } = session
  const template = JSON.stringify(profile.secondVariant?.readAccount.typed ?? {})
  const answers = []
  for (const iban of ibans) {
    const typed = JSON.parse(template.replaceAll('{iban}', () => iban)) as Readonly<Record<string, unknown>>
    answers.push(await app.accounts('second').read(accessToken, own, change.members(typed)))
  }
  return answers
}

/** The accounts of the second customer, read by the first before and after their holder has read them. */
const ofAnother = scenarioInEachVariant(
  {
    first: 'the detail of an account of another customer',
    second: 'the information of an account of another customer',
  },
  { effect: 'read', as: 'each', authorizations: 1, needs: ['access', 'second-customer'] },
  async (session, variant) => {
    const { app, access, otherCustomer } = session
    const accounts = app.accounts(variant)
    const { accessToken: ours, listed, first } = await openAccounts(session, variant)
    const theirs = (await access({ customer: otherCustomer, variant })).accessToken
    const others = await listAccounts(accounts, theirs)
    const foreign = firstAndLast(MOST_READ, accountsOfTheSecondOnly(listed, others.listed))
    const ibans = foreign.flatMap(({ iban }) => (iban === undefined ? [] : electronic(iban)))
    const spelled = ibans.flatMap((iban) => spellingsFor(variant, iban))
    const refs = [...foreign, ...spelled.map((iban) => ({ iban }))]

    const before = await accounts.read(ours, first)
    const changed = [...(await readEach(accounts, ours, refs))]
    const allowed = await readEach(accounts, theirs, foreign)
    changed.push(...(await readEach(accounts, ours, refs)))
    // A bank must not take one caller for another who asks at the same moment.
    const [account = first] = foreign
    const [atOnce] = await Promise.all([accounts.read(ours, account), accounts.read(theirs, account)])
    changed.push(atOnce)
    const after = await accounts.read(ours, first)
    const both = variant === 'first' ? [] : await readBothInOneBody(session, ours, { own: first, ibans })
    const own = firstAndLast(MOST_READ, listed)
    const owned = await Promise.all(own.map((one) => accounts.read(ours, one)))
    const known = [otherCustomer.name, ...ibans]
    const fields = fieldsOf(session, variant)
    return { fields, foreign, known, list: others.list, before, changed, allowed, after, both, own, owned }
  },
)

// The second customer has the same rights as the first.
checkInEachVariant(ROWS.hasBalances, ofAnother, ({ foreign, allowed, fields }) => {
  for (const detail of pairedWith(foreign, allowed)) assertBalances(detail, fields)
})

check(ACC.detailIsThatOfTheAccount, ofAnother.first, ({ foreign, allowed, own, owned, fields }) => {
  assertDetailsOfTheAccounts(pairedWith(foreign, allowed), fields)
  // These were read at the same moment.
  assertDetailsOfTheAccounts(pairedWith(own, owned), fields)
})

checkInEachVariant(
  [ACC.accountOfAnotherCustomerIsRefused, ACC.informationOfAnotherCustomerIsRefused],
  whereInEachVariant(
    ofAnother,
    ({ allowed }) => allowed.every(({ accepted }) => accepted),
    'the second customer was not answered either',
  ),
  (attempts) => isRefusedBetween(attempts, 'the account is that of another customer'),
)

const DISCLOSED = {
  first: ACC.refusedDetailDisclosesNothing,
  second: ACC.secondVariantDisclosesNothingOfAnother,
}

checkInEachVariant(
  [DISCLOSED.first, DISCLOSED.second],
  whereInEachVariant(ofAnother, ({ before }) => before.accepted, 'the own account was not answered'),
  ({ known, list, changed, allowed, both, owned }) => {
    const refused = changed.filter(({ accepted }) => !accepted)
    if (refused.length === 0) throw new NotReached('no account of another customer was refused')
    const theirs = [...known, list, ...allowed]
    for (const answer of [...refused, ...both])
      disclosesNothingOf(answer, { theirs, ours: owned, name: 'an account of the second customer' })
  },
)

// A transaction may name its counterparty by such an id.
const OPERATIONS = ['listAccounts', 'readAccount'] as const

for (const variant of ['first', 'second'] as const)
  checkWhoSeesWhat(DISCLOSED[variant], ofAnother[variant], OPERATIONS, ({ profile }) => ({
    name: 'an account of another customer',
    holderOf: ({ customer }) => customer,
    idsIn: (answer) => listedIds(answer, fieldsOf({ profile }, variantOf(profile, answer))),
    isJudged: (answer) => variantOf(profile, answer) === variant,
  }))

noteRefusals(ofAnother, 'an account of another customer', ({ changed }) => changed)

const withoutToken = scenarioInEachVariant(
  {
    first: 'an account detail without an access token',
    second: 'the second variant without an access token',
  },
  { effect: 'read', as: 'each', needs: ['access'] },
  async (session, variant) => {
    const { accessToken, accounts, first } = await openAccounts(session, variant)
    const reads = await askWithoutToken((made) => accounts.read(accessToken, first, made))
    if (variant === 'first') return [reads]
    return [await askWithoutToken((made) => accounts.list(accessToken, made)), reads]
  },
)

checkInEachVariant(
  [ACC.detailWithoutTokenIsRefused, ACC.secondVariantWithoutTokenIsRefused],
  withoutToken,
  (operations) => {
    for (const attempts of operations)
      isRefusedBetween(attempts, 'it has no access token that the bank has issued')
  },
)

checkInEachVariant(ROWS.statusGivesTheResult, withoutToken, (operations) =>
  assertRefusalStatus(operations.flatMap(({ changed }) => changed)),
)

const elsewhere = scenarioInEachVariant(
  {
    first: 'an account detail in the other environment',
    second: 'the second variant in the other environment',
  },
  { effect: 'read', effectsIn: READS_IN_BOTH, as: 'each', needs: ['access'] },
  async (session, variant) => {
    const readThere = inTheOtherEnvironment(session, variant, 'readAccount')
    const listThere = inTheOtherEnvironment(session, variant, 'listAccounts')
    const { accessToken, accounts, first } = await openAccounts(session, variant)
    const reads = await session.between(
      () => accounts.read(accessToken, first),
      () => accounts.read(accessToken, first, readThere),
    )
    if (variant === 'first') return [reads]
    const lists = await session.between(
      () => accounts.list(accessToken),
      () => accounts.list(accessToken, listThere),
    )
    return [lists, reads]
  },
)

checkInEachVariant(
  [ACC.detailIsRefusedInTheOtherEnvironment, ACC.secondVariantIsRefusedInTheOtherEnvironment],
  elsewhere,
  (operations) => {
    for (const attempts of operations)
      isRefusedBetween(attempts, 'the access token is one of the other environment')
  },
)
