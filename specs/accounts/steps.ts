import { NotReached } from '../../harness/check/index.ts'
import { change } from '../../harness/session/index.ts'
import { NO_ACCOUNT_IS_LISTED, WITHOUT_TOKEN, type Variant } from '../shared/account-steps.ts'
import type { Exchange } from '../../harness/check/index.ts'
import type { AccountRef, Accounts, Change, ListedAccount, Session } from '../../harness/session/index.ts'

/** What the scenarios of this chapter do, in either variant. */

/** Asks for the list of accounts. @throws NotReached where it has none. */
export const listAccounts = async (
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
  if (first === undefined) throw new NotReached(NO_ACCOUNT_IS_LISTED)
  return { list, listed, first }
}

/** The list with the shared token of the customer. @throws NotReached where it has no account. */
export const openAccounts = async ({ app, access }: Session, variant: Variant) => {
  const { accessToken } = await access({ variant })
  const accounts = app.accounts(variant)
  return { accessToken, accounts, ...(await listAccounts(accounts, accessToken)) }
}

/** More accounts than that are not read one by one. */
export const MOST_READ = 40

/** The IBANs of the accounts that the profile knows. */
interface KnownIbans {
  /** The customer consents to these. */
  readonly consented: readonly string[]
  /** Those of them at the service's own bank. */
  readonly own: readonly string[]
  /** All accounts that the customer's token must not open: those without consent, and those of other customers. */
  readonly closed: readonly string[]
}

export const knownIbans = (
  { profile: { customers }, customer }: Session,
  whose: Session['customer'] = customer,
): KnownIbans => {
  const ibansOf = (accounts: readonly { readonly iban: string }[]): readonly string[] =>
    accounts.map(({ iban }) => iban)
  const consented = ibansOf(whose.accounts.filter((account) => account.consented))
  // Two customers may hold an account together.
  const withoutConsented = (ibans: readonly string[]): readonly string[] =>
    ibans.filter((iban) => !consented.includes(iban))
  const own = ibansOf(
    whose.accounts.filter(({ bank, consented: isConsented }) => isConsented && bank === 'own'),
  )
  const unconsented = withoutConsented(ibansOf(whose.accounts.filter((account) => !account.consented)))
  const others = customers.filter(({ name }) => name !== whose.name)
  const ofOthers = withoutConsented(others.flatMap(({ accounts }) => ibansOf(accounts)))
  return { consented, own, closed: [...unconsented, ...ofOthers] }
}

/** The same request with its token, then without one in several ways, then with it again. */
export const askWithoutToken = async (ask: (change?: Change) => Promise<Exchange>) => {
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
): Promise<readonly Exchange[]> => {
  const answers = []
  for (const ref of refs) answers.push(await accounts.read(accessToken, ref))
  return answers
}

interface Refused {
  readonly allowed: AccountRef
  readonly refused: readonly AccountRef[]
  /** Of the request for the account that is answered. */
  readonly changes?: readonly Change[]
}

/** Reads refused accounts, between two reads of an account that is answered. */
export const readEachBetween = async (
  accounts: Accounts,
  accessToken: string,
  { allowed, refused, changes = [] }: Refused,
) => {
  const before = await accounts.read(accessToken, allowed)
  const changed = [...(await readEach(accounts, accessToken, refused))]
  for (const change of changes) changed.push(await accounts.read(accessToken, allowed, change))
  return { before, changed, after: await accounts.read(accessToken, allowed) }
}

/** For scenarios that show a token of one environment to the other one. */
export const READS_IN_BOTH = { sandbox: 'read', production: 'read' } as const

/** The same request below the base path of the other environment. */
export const inTheOtherEnvironment = (
  { profile }: Session,
  variant: Variant,
  operation: 'listAccounts' | 'readAccount',
): Change => {
  const { operations, basePaths } = variant === 'first' ? profile : operationsOfTheSecond(profile)
  const { environment, allow } = profile
  const other = environment === 'sandbox' ? 'production' : 'sandbox'
  if (basePaths.sandbox === basePaths.production)
    throw new NotReached('the profile has one base path for both environments (basePaths)')
  if (!allow[other].includes('read'))
    throw new NotReached(`nothing may be read in the other environment (allow.${other})`)
  const here = basePaths[environment]
  const [path = ''] = operations[operation].path.split('{')
  const moved = change.path((pathname) => {
    const at = pathname.lastIndexOf(here + path)
    return pathname.slice(0, at) + basePaths[other] + pathname.slice(at + here.length)
  })
  const meant = change.environment(other)
  return (request) => meant(moved(request))
}

const operationsOfTheSecond = ({ secondVariant }: Session['profile']) => {
  if (secondVariant === undefined) throw new NotReached('the profile has no second accounts variant')
  return { operations: secondVariant, basePaths: secondVariant.basePaths }
}
