import {
  check,
  isRefusedBetween,
  NotReached,
  note,
  scenario,
  tellsNothingOf,
} from '../../harness/check/index.ts'
import {
  ends,
  inTheOtherEnvironment,
  inventedIds,
  knownAccounts,
  listedBy,
  notAmong,
  pairedWith,
  readBeside,
  readEach,
  withoutToken,
} from './asking.ts'
import { electronic, hasBalances, isOf, namesOf } from './lists.ts'
import { ACC } from './requirements.ts'
import { describeRefusals, shapeOf } from './shapes.ts'

const details = scenario(
  'the detail of each listed account',
  { effect: 'read', as: 'each', needs: ['access'] },
  async (session) => {
    const { accessToken } = await session.access()
    const accounts = session.app.accounts('first')
    const { listed } = await listedBy(accounts, accessToken)
    const answered = []
    // Each twice: what was answered once may be remembered wrongly, or be gone.
    for (const account of [...ends(listed), ...ends(listed)])
      answered.push({ listed: account, detail: await accounts.read(accessToken, account) })
    return { names: namesOf(session, 'first'), details: answered }
  },
)

check(ACC.accountIdOpensTheDetail, details, ({ details }) => {
  for (const { detail } of details) detail.isAccepted('its accountId is in the list of consented accounts')
})

check(ACC.detailIsThatOfTheAccount, details, ({ details, names }) => {
  for (const detail of details) isOf(detail, names)
})

check(ACC.detailCarriesBalances, details, ({ details, names }) => {
  for (const detail of details) hasBalances(detail, names)
})

note(
  ACC.fieldsOfTheDetail,
  details,
  ({ details: [first] }) => first && `first variant: ${first.detail.body.shape}`,
)

note(
  ACC.fieldsOfTheBalances,
  details,
  ({ details: [first], names }) =>
    first && `first variant: ${shapeOf(first.detail.body.field(names.balances).value)}`,
)

const unknown = scenario(
  'details under account-ids that nobody has issued',
  { effect: 'read', as: 'each', needs: ['access'] },
  async ({ app, access, random }) => {
    const { accessToken } = await access()
    const accounts = app.accounts('first')
    const { listed, first } = await listedBy(accounts, accessToken)
    const before = await accounts.read(accessToken, first)
    const refs = inventedIds(random, listed).map((accountId) => ({ accountId }))
    const changed = await readEach(accounts, accessToken, refs)
    return { before, changed, after: await accounts.read(accessToken, first) }
  },
)

check(ACC.unknownAccountIsRefused, unknown, (attempts) =>
  isRefusedBetween(attempts, 'the bank has never issued this account-id'),
)

describeRefusals(unknown, 'an unknown account-id', ({ changed }) => changed)

const withoutConsent = scenario(
  'details of accounts of the customer that are not consented to',
  { effect: 'read', as: 'each', needs: ['access', 'unconsented-account'] },
  async (session) => {
    const { accessToken } = await session.access()
    const accounts = session.app.accounts('first')
    const { first } = await listedBy(accounts, accessToken)
    const before = await accounts.read(accessToken, first)
    const refs = knownAccounts(session).own.map((iban) => ({ iban }))
    const changed = await readEach(accounts, accessToken, refs)
    return { before, changed, after: await accounts.read(accessToken, first) }
  },
)

check(ACC.accountWithoutConsentIsRefused, withoutConsent, (attempts) =>
  isRefusedBetween(attempts, 'the customer has not consented to this account'),
)

const ofAnother = scenario(
  'the detail of an account of another customer',
  { effect: 'read', as: 'each', authorizations: 1, needs: ['access', 'second-customer'] },
  async (session) => {
    const { app, access, otherCustomer } = session
    const accounts = app.accounts('first')
    const ours = (await access()).accessToken
    const theirs = (await access({ customer: otherCustomer })).accessToken
    const { listed, first } = await listedBy(accounts, ours)
    const others = await listedBy(accounts, theirs)
    const foreign = ends(notAmong(listed, others.listed))
    const ibans = foreign.flatMap(({ iban }) => (iban === undefined ? [] : electronic(iban)))
    const refs = [...foreign, ...ibans.map((iban) => ({ iban }))]

    const before = await accounts.read(ours, first)
    const early = await readEach(accounts, ours, refs)
    const allowed = await readEach(accounts, theirs, foreign)
    const late = [
      ...(await readEach(accounts, ours, refs)),
      ...(await readBeside(accounts, { ours, theirs }, foreign)),
    ]
    const after = await accounts.read(ours, first)
    const owned = await readEach(accounts, ours, ends(listed))
    const known = [otherCustomer.name, ...ibans]
    const names = namesOf(session, 'first')
    return { known, list: others.list, before, early, allowed, late, after, owned, foreign, names }
  },
)

/** To the second customer as to the first. */
check(ACC.detailCarriesBalances, ofAnother, ({ foreign, allowed, names }) => {
  for (const detail of pairedWith(foreign, allowed)) hasBalances(detail, names)
})

check(ACC.detailIsThatOfTheAccount, ofAnother, ({ foreign, allowed, names }) => {
  for (const detail of pairedWith(foreign, allowed)) isOf(detail, names)
})

check(ACC.accountOfAnotherCustomerIsRefused, ofAnother, ({ before, early, allowed, late, after }) => {
  if (!allowed.every(({ accepted }) => accepted))
    throw new NotReached('the second customer was not answered the detail either')
  isRefusedBetween({ before, changed: [...early, ...late], after }, 'the account is that of another customer')
})

check(ACC.refusedDetailTellsNothing, ofAnother, ({ known, list, before, early, allowed, late, owned }) => {
  if (!before.accepted) throw new NotReached('the own account was not answered')
  const refused = [...early, ...late].filter(({ accepted }) => !accepted)
  if (refused.length === 0) throw new NotReached('no detail of another customer was refused')
  for (const refusal of refused)
    tellsNothingOf(refusal, {
      theirs: [...known, list, ...allowed],
      ours: owned,
      name: 'an account of the second customer',
    })
})

describeRefusals(ofAnother, 'an account of another customer', ({ early }) => early)

const missing = scenario(
  'an account detail without an access token',
  { effect: 'read', as: 'each', needs: ['access'] },
  async ({ app, access }) => {
    const { accessToken } = await access()
    const accounts = app.accounts('first')
    const { first } = await listedBy(accounts, accessToken)
    return withoutToken((made) => accounts.read(accessToken, first, made))
  },
)

check(ACC.detailWithoutTokenIsRefused, missing, (attempts) =>
  isRefusedBetween(attempts, 'it has no access token that the bank has issued'),
)

const elsewhere = scenario(
  'an account detail in the other environment',
  { effect: 'read', as: 'each', needs: ['access'] },
  async (session) => {
    const there = inTheOtherEnvironment(session, 'first', 'readAccount')
    const { accessToken } = await session.access()
    const accounts = session.app.accounts('first')
    const { first } = await listedBy(accounts, accessToken)
    return session.between(
      () => accounts.read(accessToken, first),
      () => accounts.read(accessToken, first, there),
    )
  },
)

check(ACC.detailIsRefusedInTheOtherEnvironment, elsewhere, (attempts) =>
  isRefusedBetween(attempts, 'the access token is one of the other environment'),
)
