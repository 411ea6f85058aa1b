import { change, NotReached, ofTheSameLook, tampered } from '../../harness/check/index.ts'
import type {
  AccountRef,
  Accounts,
  Change,
  Exchange,
  ListedAccount,
  Random,
  Session,
} from '../../harness/check/index.ts'
import type { Variant } from './lists.ts'

/** What the scenarios of this chapter ask for, in either variant. */

/** The accounts of an answered list. @throws NotReached where there is none. */
export const listedBy = async (
  accounts: Accounts,
  accessToken: string,
): Promise<{
  readonly list: Exchange
  readonly listed: readonly ListedAccount[]
  readonly first: ListedAccount
}> => {
  const list = await accounts.list(accessToken)
  const listed = accounts.accountsIn(list)
  const [first] = listed
  if (first === undefined) throw new NotReached('no account is listed')
  return { list, listed, first }
}

/** A customer with thousands of accounts is not asked for all of them: the first ones, and the last. */
const MOST = 40

export const ends = <Item>(items: readonly Item[]): readonly Item[] =>
  items.length <= MOST ? items : [...items.slice(0, MOST - 1), ...items.slice(-1)]

/** The accounts that the profile knows: those that a customer consents to, and all that stay shut to this customer. */
export const knownAccounts = ({ profile: { customers }, customer }: Session, whose = customer) => {
  const others = customers.filter(({ name }) => name !== whose.name)
  const ibansOf = (accounts: readonly { readonly iban: string }[]): readonly string[] =>
    accounts.map(({ iban }) => iban)
  const open = ibansOf(whose.accounts.filter(({ consented }) => consented))
  const own = ibansOf(whose.accounts.filter(({ consented }) => !consented))
  const theirs = others.flatMap(({ accounts }) => ibansOf(accounts))
  // Two customers may hold one account together.
  const shut = [...own, ...theirs].filter((iban) => !open.includes(iban))
  return { open, shut, own: own.filter((iban) => !open.includes(iban)) }
}

/** The accounts of another customer that are not ours as well: two may hold one together. @throws NotReached for none. */
export const notAmong = (
  ours: readonly ListedAccount[],
  theirs: readonly ListedAccount[],
): readonly ListedAccount[] => {
  const known = ours.flatMap(({ accountId, iban }) => (iban === undefined ? [accountId] : [accountId, iban]))
  const foreign = theirs.filter(
    ({ accountId, iban }) => !known.includes(accountId) && (iban === undefined || !known.includes(iban)),
  )
  if (foreign.length === 0) throw new NotReached('the second customer has no account of their own')
  return foreign
}

/** An IBAN as a customer may type it. */
export const spellings = (iban: string): readonly string[] => [
  iban,
  iban.replaceAll(/(.{4})(?=.)/g, '$1 '),
  iban.toLowerCase(),
]

/** Ids that are like one of the list, and none of it: to no bank are they another spelling of the same. */
export const inventedIds = (random: Random, listed: readonly ListedAccount[]): readonly string[] => {
  const [{ accountId } = { accountId: '' }] = listed
  const invented = [
    ofTheSameLook(random, accountId),
    tampered(accountId, 'changed', 0.5),
    tampered(accountId, 'cut', 0.5),
    tampered(accountId, 'added', 1),
  ]
  return invented.filter((id) => id !== '' && listed.every((account) => account.accountId !== id))
}

/** Of the characters that a token may have (RFC 6750 §2.1), and about as long as one of 256 bits. */
const MADE_UP = 'No-bank-has-ever-issued-this-token-to-anyone'

/** Each takes the access token out of a request. */
const WITHOUT_TOKEN: readonly Change[] = [
  change.noHeader('Authorization'),
  change.header('Authorization', 'Bearer'),
  change.bearer(MADE_UP),
]

/** The same request once with its token, then without, then with it again. */
export const withoutToken = async (ask: (change?: Change) => Promise<Exchange>) => {
  const before = await ask()
  const changed = []
  for (const without of WITHOUT_TOKEN) changed.push(await ask(without))
  return { before, changed, after: await ask() }
}

/** Reads accounts one after the other. */
export const readEach = async (
  accounts: Accounts,
  accessToken: string,
  refs: readonly AccountRef[],
  made?: Change,
): Promise<readonly Exchange[]> => {
  const answers = []
  for (const ref of refs) answers.push(await accounts.read(accessToken, ref, made))
  return answers
}

/** Each account with what was answered of it. */
export const pairedWith = <Answer>(
  accounts: readonly ListedAccount[],
  answers: readonly Answer[],
): readonly { readonly listed: ListedAccount; readonly detail: Answer }[] =>
  answers.flatMap((detail, at) => {
    const listed = accounts[at]
    return listed === undefined ? [] : [{ listed, detail }]
  })

/** What is answered to us at the moment at which the holder asks for the same: nobody must be taken for another. */
export const readBeside = async (
  accounts: Accounts,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
  [account]: readonly AccountRef[],
): Promise<readonly Exchange[]> => {
  if (account === undefined) return []
  const [answer] = await Promise.all([accounts.read(ours, account), accounts.read(theirs, account)])
  return [answer]
}

/** The same request below the base path of the other environment. */
export const inTheOtherEnvironment = (
  { profile }: Session,
  variant: Variant,
  operation: 'listAccounts' | 'readAccount',
): Change => {
  const { operations, basePaths } = variant === 'first' ? firstOf(profile) : secondOf(profile)
  const { environment, allow } = profile
  const other = environment === 'sandbox' ? 'production' : 'sandbox'
  if (basePaths.sandbox === basePaths.production)
    throw new NotReached('the profile has one base path for both environments (basePaths)')
  if (!allow[other].includes('read'))
    throw new NotReached(`nothing may be read in the other environment (allow.${other})`)
  const here = basePaths[environment]
  const [path = ''] = operations[operation].path.split('{')
  return change.path((pathname) => {
    const at = pathname.lastIndexOf(here + path)
    return pathname.slice(0, at) + basePaths[other] + pathname.slice(at + here.length)
  })
}

type Profile = Session['profile']

const firstOf = ({ operations, basePaths }: Profile) => ({ operations, basePaths })

const secondOf = ({ secondVariant }: Profile) => {
  if (secondVariant === undefined) throw new NotReached('the profile names no second accounts variant')
  return { operations: secondVariant, basePaths: secondVariant.basePaths }
}
