import {
  change,
  check,
  inventedIban,
  isRefusedBetween,
  NotReached,
  note,
  scenario,
  tellsNothingOf,
} from '../../harness/check/index.ts'
import type { ListedAccount, Observed, Session } from '../../harness/check/index.ts'
import {
  ends,
  inTheOtherEnvironment,
  inventedIds,
  knownAccounts,
  listedBy,
  notAmong,
  readBeside,
  pairedWith,
  readEach,
  spellings,
  withoutToken,
} from './asking.ts'
import { electronic, hasBalances, isOf, namesOf, showsBalances, showsIban } from './lists.ts'
import type { Names } from './lists.ts'
import { ACC } from './requirements.ts'
import { describeRefusals, shapeOf } from './shapes.ts'

/** The IBANs of a list; where it shows none, those that the profile knows. @throws NotReached where there is none. */
const ibansOf = (session: Session, listed: readonly ListedAccount[]): readonly string[] => {
  const shown = listed.flatMap(({ iban }) => (iban === undefined ? [] : electronic(iban)))
  const ibans = shown.length > 0 ? shown : knownAccounts(session).open
  if (ibans.length === 0) throw new NotReached('no IBAN of a consented account is known')
  return ibans
}

const information = scenario(
  'the information of each listed account, picked and typed',
  { effect: 'read', as: 'each', needs: ['access', 'second-variant'] },
  async (session) => {
    const { accessToken } = await session.access()
    const accounts = session.app.accounts('second')
    const { listed } = await listedBy(accounts, accessToken)
    const picked = []
    // Each twice: what was answered once may be remembered wrongly, or be gone.
    for (const account of [...ends(listed), ...ends(listed)])
      picked.push({ listed: account, detail: await accounts.read(accessToken, account) })
    const typed = []
    for (const iban of ends(ibansOf(session, listed)))
      typed.push({
        listed: { accountId: iban, iban },
        detail: await accounts.read(accessToken, { iban }),
      })
    const [, inGroups = '', inSmallLetters = ''] = spellings(typed[0]?.listed.iban ?? '')
    return {
      ...{ names: namesOf(session, 'second'), picked, typed },
      inGroups: await accounts.read(accessToken, { iban: inGroups }),
      inSmallLetters: await accounts.read(accessToken, { iban: inSmallLetters }),
    }
  },
)

check(ACC.listedAccountOpensTheInformation, information, ({ picked }) => {
  for (const { detail } of picked) detail.isAccepted('the account is in the list of consented accounts')
})

type Typed = Observed<Awaited<ReturnType<typeof information.act>>>['typed'][number]

/** An answer that has nothing but the IBAN has answered for the account; what else it lacks is judged by itself. */
const isForItsIban = ({ detail, listed }: Typed, names: Names): boolean =>
  Number(detail.status.value) < 300 && showsIban(detail, names, listed.iban)

check(ACC.typedIbanOpensTheInformation, information, ({ typed, names }) => {
  // An answer that has nothing but the IBAN has answered for the account; that it lacks balances is judged elsewhere.
  for (const one of typed)
    if (!isForItsIban(one, names)) one.detail.isAccepted('the IBAN is that of a consented account')
})

check(ACC.informationIsThatOfTheAccount, information, ({ picked, typed, names }) => {
  for (const detail of [...picked, ...typed]) isOf(detail, names)
})

check(ACC.informationCarriesBalances, information, ({ picked, typed, names }) => {
  for (const one of typed) if (isForItsIban(one, names)) showsBalances(one.detail, names)
  for (const detail of [...picked, ...typed]) hasBalances(detail, names)
})

note(
  ACC.fieldsOfTheDetail,
  information,
  ({ picked: [first] }) => first && `second variant: ${first.detail.body.shape}`,
)

note(
  ACC.fieldsOfTheBalances,
  information,
  ({ picked: [first], names }) =>
    first && `second variant: ${shapeOf(first.detail.body.field(names.balances).value)}`,
)

note(ACC.basePathOfTheSecondVariant, information, ({ picked: [first] }) =>
  first?.detail.accepted === true ? `answered at ${new URL(first.detail.request.url).pathname}` : undefined,
)

note(ACC.bodyOfTheInformationRequest, information, ({ picked, typed, inGroups, inSmallLetters }) =>
  Object.entries({
    ...(picked[0] && { 'an account of the list': picked[0].detail }),
    ...(typed[0] && { 'an IBAN': typed[0].detail }),
    'an IBAN in groups of four': inGroups,
    'an IBAN in small letters': inSmallLetters,
  })
    .map(
      ([what, { accepted, request }]) =>
        `${what}: ${Object.keys(JSON.parse(request.body?.text ?? '{}') as object).join(', ')} is ${accepted ? 'accepted' : 'refused'}`,
    )
    .join('; '),
)

const unknown = scenario(
  'the information of accounts that do not exist',
  { effect: 'read', as: 'each', needs: ['access', 'second-variant'] },
  async (session) => {
    const { accessToken } = await session.access()
    const accounts = session.app.accounts('second')
    const { listed, first } = await listedBy(accounts, accessToken)
    const before = await accounts.read(accessToken, first)
    const refs = [
      ...inventedIds(session.random, listed).map((accountId) => ({ accountId })),
      ...ibansOf(session, listed)
        .slice(0, 1)
        .map((iban) => ({ iban: inventedIban(session.random, iban) })),
    ]
    const changed = await readEach(accounts, accessToken, refs)
    return { before, changed, after: await accounts.read(accessToken, first) }
  },
)

check(ACC.unknownAccountIsRefusedInTheSecondVariant, unknown, (attempts) =>
  isRefusedBetween(attempts, 'there is no such account'),
)

describeRefusals(unknown, 'an unknown account in the second variant', ({ changed }) => changed)

const withoutConsent = scenario(
  'the information of accounts of the customer that are not consented to',
  { effect: 'read', as: 'each', needs: ['access', 'unconsented-account', 'second-variant'] },
  async (session) => {
    const { accessToken } = await session.access()
    const accounts = session.app.accounts('second')
    const { first } = await listedBy(accounts, accessToken)
    const before = await accounts.read(accessToken, first)
    const refs = knownAccounts(session).own.flatMap((own) => spellings(own).map((iban) => ({ iban })))
    const changed = await readEach(accounts, accessToken, refs)
    return { before, changed, after: await accounts.read(accessToken, first) }
  },
)

check(ACC.informationWithoutConsentIsRefused, withoutConsent, (attempts) =>
  isRefusedBetween(attempts, 'the customer has not consented to this account'),
)

const typedBeside = ({ profile }: Session, iban: string): Readonly<Record<string, unknown>> => {
  const text = JSON.stringify(profile.secondVariant?.readAccount.typed ?? {})
  return JSON.parse(text.replaceAll('{iban}', () => iban)) as Readonly<Record<string, unknown>>
}

const ofAnother = scenario(
  'the information of an account of another customer',
  { effect: 'read', as: 'each', authorizations: 1, needs: ['access', 'second-customer', 'second-variant'] },
  async (session) => {
    const { app, access, otherCustomer } = session
    const accounts = app.accounts('second')
    const ours = (await access()).accessToken
    const theirs = (await access({ customer: otherCustomer })).accessToken
    const { listed, first } = await listedBy(accounts, ours)
    const others = await listedBy(accounts, theirs)
    const foreign = ends(notAmong(listed, others.listed))
    const ibans = foreign.flatMap(({ iban }) => (iban === undefined ? [] : electronic(iban)))
    const refs = [...foreign, ...ibans.flatMap(spellings).map((iban) => ({ iban }))]

    const before = await accounts.read(ours, first)
    const early = await readEach(accounts, ours, refs)
    const allowed = await readEach(accounts, theirs, foreign)
    const late = [
      ...(await readEach(accounts, ours, refs)),
      ...(await readBeside(accounts, { ours, theirs }, foreign)),
    ]
    const after = await accounts.read(ours, first)
    const both = []
    for (const iban of ibans)
      both.push(await accounts.read(ours, first, change.members(typedBeside(session, iban))))
    const owned = await readEach(accounts, ours, ends(listed))
    const known = [otherCustomer.name, ...ibans]
    const names = namesOf(session, 'second')
    return { known, list: others.list, before, early, allowed, late, after, both, owned, foreign, names }
  },
)

/** To the second customer as to the first. */
check(ACC.informationCarriesBalances, ofAnother, ({ foreign, allowed, names }) => {
  for (const detail of pairedWith(foreign, allowed)) hasBalances(detail, names)
})

check(ACC.informationOfAnotherCustomerIsRefused, ofAnother, ({ before, early, allowed, late, after }) => {
  if (!allowed.every(({ accepted }) => accepted))
    throw new NotReached('the second customer was not answered the information either')
  isRefusedBetween({ before, changed: [...early, ...late], after }, 'the account is that of another customer')
})

check(ACC.secondVariantTellsNothingOfAnother, ofAnother, (record) => {
  const { known, list, before, early, allowed, late, both, owned } = record
  if (!before.accepted) throw new NotReached('the own account was not answered')
  const refused = [...early, ...late].filter(({ accepted }) => !accepted)
  if (refused.length === 0) throw new NotReached('no information of another customer was refused')
  for (const answer of [...refused, ...both])
    tellsNothingOf(answer, {
      theirs: [...known, list, ...allowed],
      ours: owned,
      name: 'an account of the second customer',
    })
})

describeRefusals(ofAnother, 'an account of another customer in the second variant', ({ early }) => early)

const missing = scenario(
  'the second variant without an access token',
  { effect: 'read', as: 'each', needs: ['access', 'second-variant'] },
  async ({ app, access }) => {
    const { accessToken } = await access()
    const accounts = app.accounts('second')
    const { first } = await listedBy(accounts, accessToken)
    return {
      lists: await withoutToken((made) => accounts.list(accessToken, made)),
      reads: await withoutToken((made) => accounts.read(accessToken, first, made)),
    }
  },
)

check(ACC.secondVariantWithoutTokenIsRefused, missing, ({ lists, reads }) => {
  isRefusedBetween(lists, 'it has no access token that the bank has issued')
  isRefusedBetween(reads, 'it has no access token that the bank has issued')
})

const elsewhere = scenario(
  'the second variant in the other environment',
  { effect: 'read', as: 'each', needs: ['access', 'second-variant'] },
  async (session) => {
    const { accessToken } = await session.access()
    const accounts = session.app.accounts('second')
    const { first } = await listedBy(accounts, accessToken)
    const listThere = inTheOtherEnvironment(session, 'second', 'listAccounts')
    const readThere = inTheOtherEnvironment(session, 'second', 'readAccount')
    return {
      lists: await session.between(
        () => accounts.list(accessToken),
        () => accounts.list(accessToken, listThere),
      ),
      reads: await session.between(
        () => accounts.read(accessToken, first),
        () => accounts.read(accessToken, first, readThere),
      ),
    }
  },
)

check(ACC.secondVariantIsRefusedInTheOtherEnvironment, elsewhere, ({ lists, reads }) => {
  isRefusedBetween(lists, 'the access token is one of the other environment')
  isRefusedBetween(reads, 'the access token is one of the other environment')
})
