import {
  amountOf,
  balancePaths,
  Inconclusive,
  NotReached,
  ViolationError,
} from '../../harness/check/index.ts'
import type { Accounts, ListedAccount, ObservedExchange, Session } from '../../harness/check/index.ts'

/** What is read of a list of accounts, and of an account, in either variant. */

export type Variant = Accounts['variant']

/** Where the answers of a variant have what, in the words of the profile. */
export interface Names {
  /** The list of accounts. */
  readonly accounts: string
  /** What picks an account of the list, within it. */
  readonly id: string
  /** The IBAN, within an account of the list. */
  readonly listedIban: string
  /** The IBAN of the account, in its detail. */
  readonly iban: string
  readonly balances: string
  /** The amount, within one balance. */
  readonly amount: string
}

export const namesOf = ({ profile }: Session, variant: Variant): Names => {
  const operations = variant === 'first' ? profile.operations : profile.secondVariant
  if (operations === undefined) throw new NotReached('the profile names no second accounts variant')
  const { listAccounts, readAccount } = operations
  return {
    accounts: listAccounts.accounts,
    id: 'id' in listAccounts ? listAccounts.id : 'accountId',
    listedIban: listAccounts.iban,
    iban: readAccount.iban,
    balances: readAccount.balances,
    amount: readAccount.amount,
  }
}

/** Its electronic form: without blanks, in capitals. */
export const electronic = (iban: string): string => iban.replaceAll(/\s/g, '').toUpperCase()

const IBAN = /^[A-Z]{2}\d{2}[0-9A-Z]{1,30}$/

/** The IBAN under a path; nothing where there is none, or not all of it is shown. */
const ibanUnder = ({ body }: ObservedExchange, path: string): string | undefined => {
  const { value } = body.field(path)
  const iban = typeof value === 'string' ? electronic(value) : ''
  return IBAN.test(iban) ? iban : undefined
}

/** The places of the items of a list: `accounts.0`, `accounts.1` … @throws Inconclusive where there is no list. */
export const placesIn = (list: ObservedExchange, { accounts }: Names): readonly string[] => {
  const { value } = list.body.field(accounts)
  if (Array.isArray(value)) return value.map((_, at) => `${accounts}.${at}`)
  throw new Inconclusive(`${list.id} has no list under ${accounts} (listAccounts.accounts)`)
}

/** Those of the list, each told from others: to judge what they have. @throws NotReached where it is empty. */
export const someIn = (list: ObservedExchange, names: Names): readonly string[] => {
  const places = placesIn(list, names)
  if (places.length === 0) throw new NotReached('no account is listed')
  return places
}

/** The IBANs of a list, as far as they are shown. @throws Inconclusive where none is. */
const ibansIn = (list: ObservedExchange, names: Names): readonly (string | undefined)[] => {
  const ibans = placesIn(list, names).map((place) => ibanUnder(list, `${place}.${names.listedIban}`))
  if (ibans.length === 0 || ibans.some((iban) => iban !== undefined)) return ibans
  throw new Inconclusive(`${list.id} shows no IBAN under ${names.listedIban} (listAccounts.iban)`)
}

/** Judges that each of the accounts is listed. */
export const listsEach = (list: ObservedExchange, names: Names, ibans: readonly string[]): void => {
  const listed = ibansIn(list, names)
  const missing = ibans.find((iban) => !listed.includes(electronic(iban)))
  if (missing === undefined) return
  if (listed.includes(undefined))
    throw new Inconclusive(`${list.id} does not show the IBAN of every account that it lists`)
  throw new ViolationError({
    subject: names.accounts,
    expected: `the account ${missing} among them`,
    received: listed.length === 0 ? 'none' : listed.join(', '),
    exchange: list.id,
  })
}

/** Judges that none of the accounts is listed. @throws NotReached where there is none to look for, or no list. */
export const listsNone = (list: ObservedExchange, names: Names, ibans: readonly string[]): void => {
  if (ibans.length === 0) throw new NotReached('the profile knows no account without consent')
  if (!list.accepted) throw new NotReached(`${list.id} has no list of accounts`)
  const forbidden = ibans.map(electronic)
  const at = ibansIn(list, names).findIndex((iban) => iban !== undefined && forbidden.includes(iban))
  if (at < 0) return
  list.body
    .field(`${names.accounts}.${at}.${names.listedIban}`)
    .satisfies(false, 'an account that the customer has consented to')
}

/** Judges that two lists have the same accounts, each under the same id. */
export const listTheSame = (one: ObservedExchange, other: ObservedExchange, names: Names): void => {
  const [expected, received] = [one, other].map((list) =>
    someIn(list, names)
      .map((place) => [
        list.body.field(`${place}.${names.id}`).value,
        list.body.field(`${place}.${names.listedIban}`).value,
      ])
      .map((pair) => JSON.stringify(pair))
      .sort(),
  )
  other.body
    .field(names.accounts)
    .satisfies(JSON.stringify(expected) === JSON.stringify(received), `the same as in ${one.id}`)
}

/** Judges that two lists, which may have different fields, have the same accounts. */
export const listTheSameIbans = (
  [one, theirNames]: readonly [ObservedExchange, Names],
  [other, names]: readonly [ObservedExchange, Names],
): void => {
  someIn(one, theirNames)
  const ibans = ibansIn(one, theirNames)
  if (ibans.includes(undefined)) throw new Inconclusive(`${one.id} does not show every IBAN`)
  listsEach(
    other,
    names,
    ibans.flatMap((iban) => iban ?? []),
  )
}

/** Judges that no two accounts of a list have the same id. Whether each has one is judged elsewhere. */
export const picksEachByAnId = (list: ObservedExchange, names: Names): void => {
  const seen = new Set<unknown>()
  for (const place of someIn(list, names)) {
    const id = list.body.field(`${place}.${names.id}`)
    id.satisfies(id.value === undefined || !seen.has(id.value), 'an id of its own')
    seen.add(id.value)
  }
}

/** What was answered when an account of the list was asked for. */
export interface Detail {
  readonly listed: ListedAccount
  readonly detail: ObservedExchange
}

/** Whether a detail shows this IBAN as that of its account. */
export const showsIban = (detail: ObservedExchange, names: Names, iban: string): boolean =>
  ibanUnder(detail, names.iban) === electronic(iban)

/** Judges that a detail is that of the account. */
export const isOf = ({ listed, detail }: Detail, names: Names): void => {
  if (!detail.accepted) throw new NotReached(`the detail of ${listed.accountId} was not answered`)
  const iban = ibanUnder(detail, names.iban)
  if (iban === undefined || listed.iban === undefined)
    throw new Inconclusive(`${detail.id} or the list shows no IBAN (readAccount.iban, listAccounts.iban)`)
  detail.body.field(names.iban).satisfies(iban === electronic(listed.iban), `the IBAN ${listed.iban}`)
}

/** Judges that a detail has balances, and each an amount. */
export const hasBalances = ({ listed, detail }: Detail, names: Names): void => {
  if (!detail.accepted) throw new NotReached(`the detail of ${listed.accountId} was not answered`)
  showsBalances(detail, names)
}

/** The same of an answer that is known to be one for the account, whatever else it has. */
export const showsBalances = (detail: ObservedExchange, { balances, amount }: Names): void => {
  const list = detail.body.field(balances)
  const paths = balancePaths(list.value, { balances, amount })
  list.satisfies(paths.length > 0, 'a balance, alone, in a list or under a name')
  for (const path of paths) {
    const found = detail.body.field(`${path}.${amount}`)
    found.satisfies(!Number.isNaN(amountOf(found.value)), 'an amount')
  }
}
