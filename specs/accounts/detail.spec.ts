import {
  check,
  disclosesNothingOf,
  held,
  isRefusedBetween,
  note,
  NotReached,
} from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import {
  accountsOfTheSecondOnly,
  assertRefusalStatus,
  assertSuccessStatus,
  electronic,
  firstAndLast,
  inventedIbans,
  inventedIds,
  refsOfUnconsented,
  spellings,
  VARIANTS,
  type Variant,
} from '../shared/account-steps.ts'
import type { Exchange, Observed, ObservedExchange } from '../../harness/check/index.ts'
import type { ListedAccount, Session } from '../../harness/session/index.ts'
import {
  assertBalances,
  assertBalancesIn,
  assertDetailOfTheAccount,
  fieldsOf,
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
  readEach,
  readEachBetween,
  READS_IN_BOTH,
} from './steps.ts'
import { ACC } from './requirements.ts'

/** Account detail and balances, which the second variant calls information. */

const TITLES = {
  first: {
    listed: 'the detail of each listed account',
    unknown: 'details under account-ids that nobody has issued',
    unconsented: 'details of accounts of the customer that are not consented to',
    ofAnother: 'the detail of an account of another customer',
    withoutToken: 'an account detail without an access token',
    elsewhere: 'an account detail in the other environment',
  },
  second: {
    listed: 'the information of each listed account, picked and typed',
    unknown: 'the information of accounts that do not exist',
    unconsented: 'the information of accounts of the customer that are not consented to',
    ofAnother: 'the information of an account of another customer',
    withoutToken: 'the second variant without an access token',
    elsewhere: 'the second variant in the other environment',
  },
} as const

const REQUIREMENTS = {
  first: {
    listedIsAnswered: ACC.accountIdOpensTheDetail,
    isOfTheAccount: ACC.detailIsThatOfTheAccount,
    hasBalances: ACC.detailCarriesBalances,
    unknownIsRefused: ACC.unknownAccountIsRefused,
    unconsentedIsRefused: ACC.accountWithoutConsentIsRefused,
    ofAnotherIsRefused: ACC.accountOfAnotherCustomerIsRefused,
    nothingIsDisclosed: ACC.refusedDetailDisclosesNothing,
    tokenIsNeeded: ACC.detailWithoutTokenIsRefused,
    environmentsAreSeparate: ACC.detailIsRefusedInTheOtherEnvironment,
    statusGivesTheResult: ACC.statusGivesTheResult,
  },
  second: {
    listedIsAnswered: ACC.listedAccountOpensTheInformation,
    isOfTheAccount: ACC.informationIsThatOfTheAccount,
    hasBalances: ACC.informationCarriesBalances,
    unknownIsRefused: ACC.unknownAccountIsRefusedInTheSecondVariant,
    unconsentedIsRefused: ACC.informationWithoutConsentIsRefused,
    ofAnotherIsRefused: ACC.informationOfAnotherCustomerIsRefused,
    nothingIsDisclosed: ACC.secondVariantDisclosesNothingOfAnother,
    tokenIsNeeded: ACC.secondVariantWithoutTokenIsRefused,
    environmentsAreSeparate: ACC.secondVariantIsRefusedInTheOtherEnvironment,
    statusGivesTheResult: ACC.statusGivesTheResultInTheSecondVariant,
  },
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

const readListed = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access({ variant })
  const accounts = session.app.accounts(variant)
  const { listed } = await listAccounts(accounts, accessToken)
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
}

type Read = Observed<Awaited<ReturnType<typeof readListed>>>

/** An answer that has only the IBAN is for the account. */
const isForItsIban = ({ detail, listed }: Read['typed'][number], { fields }: Read): boolean =>
  Number(detail.status.value) < 300 && showsIban(detail, fields, listed.iban)

for (const { variant, needs } of VARIANTS) {
  const details = scenario(
    TITLES[variant].listed,
    { effect: 'read', as: 'each', needs: ['access', ...needs] },
    (session) => readListed(session, variant),
  )

  check(REQUIREMENTS[variant].listedIsAnswered, details, ({ picked }) => {
    for (const { detail } of picked) detail.isAccepted('the account is in the list of consented accounts')
  })

  check(REQUIREMENTS[variant].statusGivesTheResult, details, ({ picked, typed }) =>
    assertSuccessStatus([...picked, ...typed].map(({ detail }) => detail)),
  )

  check(REQUIREMENTS[variant].isOfTheAccount, details, ({ picked, typed, fields }) => {
    for (const detail of [...picked, ...typed]) assertDetailOfTheAccount(detail, fields)
  })

  check(REQUIREMENTS[variant].hasBalances, details, (record) => {
    const { picked, typed, fields } = record
    for (const one of typed) if (isForItsIban(one, record)) assertBalancesIn(one.detail, fields)
    for (const detail of [...picked, ...typed]) assertBalances(detail, fields)
  })

  note(
    ACC.fieldsOfTheDetail,
    details,
    ({ picked: [first] }) => first && `${variant} variant: ${first.detail.body.shape}`,
  )

  note(
    ACC.fieldsOfTheBalances,
    details,
    ({ picked: [first], fields }) =>
      first && `${variant} variant: ${shapeOf(first.detail.body.field(fields.balances).value)}`,
  )

  if (variant === 'first') continue

  check(ACC.typedIbanOpensTheInformation, details, (record) => {
    for (const one of record.typed)
      if (isForItsIban(one, record)) held()
      else one.detail.isAccepted('the IBAN is that of a consented account')
  })

  note(ACC.basePathOfTheSecondVariant, details, ({ picked: [first] }) =>
    first?.detail.accepted === true ? `answered at ${new URL(first.detail.request.url).pathname}` : undefined,
  )

  note(ACC.bodyOfTheInformationRequest, details, ({ picked: [picked], typed: [typed], spelled }) => {
    const requests = [
      ['an account of the list', picked?.detail],
      ['an IBAN', typed?.detail],
      ['an IBAN in groups of four', spelled[0]],
      ['an IBAN in small letters', spelled[1]],
    ] as const
    return requests.flatMap(([what, read]) => (read ? describeRequest(what, read) : [])).join('; ')
  })
}

const describeRequest = (what: string, { accepted, request }: ObservedExchange): string => {
  const members = Object.keys(JSON.parse(request.body?.text ?? '{}') as object).join(', ')
  return `${what}: ${members} is ${accepted ? 'accepted' : 'refused'}`
}

/** Accounts that do not exist: by ids, and in the second variant by an IBAN too. */
const readUnknown = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access({ variant })
  const accounts = session.app.accounts(variant)
  const { listed, first } = await listAccounts(accounts, accessToken)
  const ids = inventedIds(session.random, listed).map((accountId) => ({ accountId }))
  const invented = inventedIbans(session.random, variant === 'first' ? [] : ibansOf(session, listed))
  const refused = [...ids, ...invented.map((iban) => ({ iban }))]
  return readEachBetween(accounts, accessToken, { allowed: first, refused })
}

const readUnconsented = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access({ variant })
  const accounts = session.app.accounts(variant)
  const { first } = await listAccounts(accounts, accessToken)
  const refused = refsOfUnconsented(variant, session.customer.accounts)
  return readEachBetween(accounts, accessToken, { allowed: first, refused })
}

for (const { variant, suffix, needs } of VARIANTS) {
  const unknown = scenario(
    TITLES[variant].unknown,
    { effect: 'read', as: 'each', needs: ['access', ...needs] },
    (session) => readUnknown(session, variant),
  )

  check(REQUIREMENTS[variant].unknownIsRefused, unknown, (attempts) =>
    isRefusedBetween(attempts, 'there is no such account'),
  )

  check(REQUIREMENTS[variant].statusGivesTheResult, unknown, ({ changed }) => assertRefusalStatus(changed))

  noteRefusals(unknown, `an unknown account${suffix}`, ({ changed }) => changed)

  const unconsented = scenario(
    TITLES[variant].unconsented,
    { effect: 'read', as: 'each', needs: ['access', 'unconsented-account', ...needs] },
    (session) => readUnconsented(session, variant),
  )

  check(REQUIREMENTS[variant].unconsentedIsRefused, unconsented, (attempts) =>
    isRefusedBetween(attempts, 'the customer has not consented to this account'),
  )

  check(REQUIREMENTS[variant].statusGivesTheResult, unconsented, ({ changed }) =>
    assertRefusalStatus(changed),
  )
}

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
const readOfAnother = async (session: Session, variant: Variant) => {
  const { app, access, otherCustomer } = session
  const accounts = app.accounts(variant)
  const ours = (await access({ variant })).accessToken
  const theirs = (await access({ customer: otherCustomer, variant })).accessToken
  const { listed, first } = await listAccounts(accounts, ours)
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
  const owned = await readEach(accounts, ours, firstAndLast(MOST_READ, listed))
  const known = [otherCustomer.name, ...ibans]
  const fields = fieldsOf(session, variant)
  return { fields, foreign, known, list: others.list, before, changed, allowed, after, both, owned }
}

for (const { variant, suffix, needs } of VARIANTS) {
  const ofAnother = scenario(
    TITLES[variant].ofAnother,
    { effect: 'read', as: 'each', authorizations: 1, needs: ['access', 'second-customer', ...needs] },
    (session) => readOfAnother(session, variant),
  )

  // The second customer has the same rights as the first.
  check(REQUIREMENTS[variant].hasBalances, ofAnother, ({ foreign, allowed, fields }) => {
    for (const detail of pairedWith(foreign, allowed)) assertBalances(detail, fields)
  })

  if (variant === 'first')
    check(ACC.detailIsThatOfTheAccount, ofAnother, ({ foreign, allowed, fields }) => {
      for (const detail of pairedWith(foreign, allowed)) assertDetailOfTheAccount(detail, fields)
    })

  check(REQUIREMENTS[variant].ofAnotherIsRefused, ofAnother, ({ before, changed, allowed, after }) => {
    if (!allowed.every(({ accepted }) => accepted))
      throw new NotReached('the second customer was not answered either')
    isRefusedBetween({ before, changed, after }, 'the account is that of another customer')
  })

  check(REQUIREMENTS[variant].nothingIsDisclosed, ofAnother, (record) => {
    const { known, list, before, changed, allowed, both, owned } = record
    if (!before.accepted) throw new NotReached('the own account was not answered')
    const refused = changed.filter(({ accepted }) => !accepted)
    if (refused.length === 0) throw new NotReached('no account of another customer was refused')
    const theirs = [...known, list, ...allowed]
    for (const answer of [...refused, ...both])
      disclosesNothingOf(answer, { theirs, ours: owned, name: 'an account of the second customer' })
  })

  noteRefusals(ofAnother, `an account of another customer${suffix}`, ({ changed }) => changed)

  const withoutToken = scenario(
    TITLES[variant].withoutToken,
    { effect: 'read', as: 'each', needs: ['access', ...needs] },
    async ({ app, access }) => {
      const { accessToken } = await access({ variant })
      const accounts = app.accounts(variant)
      const { first } = await listAccounts(accounts, accessToken)
      const reads = await askWithoutToken((made) => accounts.read(accessToken, first, made))
      if (variant === 'first') return [reads]
      return [await askWithoutToken((made) => accounts.list(accessToken, made)), reads]
    },
  )

  check(REQUIREMENTS[variant].tokenIsNeeded, withoutToken, (operations) => {
    for (const attempts of operations)
      isRefusedBetween(attempts, 'it has no access token that the bank has issued')
  })

  check(REQUIREMENTS[variant].statusGivesTheResult, withoutToken, (operations) =>
    assertRefusalStatus(operations.flatMap(({ changed }) => changed)),
  )

  const elsewhere = scenario(
    TITLES[variant].elsewhere,
    { effect: 'read', effectsIn: READS_IN_BOTH, as: 'each', needs: ['access', ...needs] },
    async (session) => {
      const readThere = inTheOtherEnvironment(session, variant, 'readAccount')
      const listThere = inTheOtherEnvironment(session, variant, 'listAccounts')
      const { accessToken } = await session.access({ variant })
      const accounts = session.app.accounts(variant)
      const { first } = await listAccounts(accounts, accessToken)
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

  check(REQUIREMENTS[variant].environmentsAreSeparate, elsewhere, (operations) => {
    for (const attempts of operations)
      isRefusedBetween(attempts, 'the access token is one of the other environment')
  })
}
