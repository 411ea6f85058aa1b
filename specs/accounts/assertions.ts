import {
  amountOf,
  balancePaths,
  held,
  Inconclusive,
  factsOf,
  NotReached,
  ViolationError,
} from '../../harness/check/index.ts'
import { electronic, NO_ACCOUNT_IS_LISTED, type Variant } from '../shared/account-steps.ts'
import type { Observed, ObservedExchange } from '../../harness/check/index.ts'
import { ibansById, type ListedAccount, type Session } from '../../harness/session/index.ts'
import { noteInEachVariant } from '../shared/each-variant.ts'
import { ACC } from './requirements.ts'

/** What the checks of this chapter assert of a list of accounts, and of the detail of one, in either variant. */

/** Where the answers of a variant have their fields, as the profile says. */
export interface Fields {
  /** The list of accounts. */
  readonly accounts: string
  /** The id of an account, within an item of the list. */
  readonly id: string
  /** The IBAN, within an item of the list. */
  readonly listedIban: string
  /** The IBAN, in the detail of an account. */
  readonly iban: string
  readonly balances: string
  /** The amount, within a balance. */
  readonly amount: string
  /** The IBANs of known accounts by their ids. */
  readonly known: ReturnType<typeof ibansById>
}

export const fieldsOf = ({ profile }: Pick<Session, 'profile'>, variant: Variant): Fields => {
  const operations = variant === 'first' ? profile.operations : profile.secondVariant
  if (operations === undefined) throw new NotReached('the profile has no second accounts variant')
  const { listAccounts, readAccount } = operations
  return {
    accounts: listAccounts.accounts,
    id: 'id' in listAccounts ? listAccounts.id : 'accountId',
    listedIban: listAccounts.iban,
    iban: readAccount.iban,
    balances: readAccount.balances,
    amount: readAccount.amount,
    known: ibansById(profile),
  }
}

/** The IBAN under a path, or that of the id there; undefined where there is none, or only a part of it is shown. */
const ibanUnder = ({ body }: ObservedExchange, path: string, { known }: Fields): string | undefined => {
  const { value } = body.field(path)
  const shown = known[String(value)] ?? value
  const iban = typeof shown === 'string' ? electronic(shown) : ''
  return factsOf(iban).form === 'IBAN' ? iban : undefined
}

/** The paths of the items of a list: `accounts.0`, `accounts.1` … @throws Inconclusive where there is no list. */
const itemsIn = (list: ObservedExchange, { accounts }: Fields): readonly string[] => {
  const { value } = list.body.field(accounts)
  if (Array.isArray(value)) return value.map((_, at) => `${accounts}.${at}`)
  throw new Inconclusive(`${list.id} has no list under ${accounts} (listAccounts.accounts)`)
}

/** The ids in an answer that may be a list of accounts. */
export const listedIds = (answer: ObservedExchange, { accounts, id }: Fields): readonly unknown[] => {
  if (answer.operation !== 'listAccounts' || !answer.accepted) return []
  const { value } = answer.body.field(accounts)
  return Array.isArray(value) ? value.map((_, at) => answer.body.field(`${accounts}.${at}.${id}`).value) : []
}

/** The paths of the items of a list that is not empty. @throws NotReached where it is empty. */
const someItemsIn = (list: ObservedExchange, fields: Fields): readonly string[] => {
  const items = itemsIn(list, fields)
  if (items.length === 0) throw new NotReached(NO_ACCOUNT_IS_LISTED)
  return items
}

/** The IBANs of a list, as far as they are shown. @throws Inconclusive where none is. */
const ibansIn = (list: ObservedExchange, fields: Fields): readonly (string | undefined)[] => {
  const ibans = itemsIn(list, fields).map((item) => ibanUnder(list, `${item}.${fields.listedIban}`, fields))
  if (ibans.length === 0 || ibans.some((iban) => iban !== undefined)) return ibans
  throw new Inconclusive(`${list.id} shows no IBAN under ${fields.listedIban} (listAccounts.iban)`)
}

/** The accounts of a customer that the profile knows, by their IBANs. */
interface Consented {
  readonly consented: readonly string[]
  /** Those of them at the service's own bank. */
  readonly own: readonly string[]
}

/** The lists of a customer in a scenario, page after page, and in the scenario before. */
export interface Listing {
  readonly answers: readonly ObservedExchange[]
  readonly before: Listing | undefined
  readonly fields: Fields
}

/** A refusal may be a page, or have no body. */
const isList = (list: ObservedExchange, { accounts }: Fields): boolean =>
  list.body.kind().value !== 'text' && Array.isArray(list.body.field(accounts).value)

/** @throws NotReached where the profile knows no account with consent. */
export const assertEachListed = (
  list: ObservedExchange,
  fields: Fields,
  { consented }: Pick<Consented, 'consented'>,
): void => {
  if (consented.length === 0) throw new NotReached('the profile knows no account with consent')
  if (!isList(list, fields)) list.isAccepted('the customer has consented to accounts')
  const listed = ibansIn(list, fields)
  const missing = consented.find((iban) => !listed.includes(electronic(iban)))
  if (missing === undefined) return consented.forEach(held)
  if (listed.includes(undefined))
    throw new Inconclusive(`${list.id} does not show the IBAN of every account that it lists`)
  throw new ViolationError({
    subject: fields.accounts,
    expected: `the account ${missing} among them`,
    received: listed.length === 0 ? 'none' : listed.join(', '),
    exchange: list.id,
  })
}

/** How often each IBAN is listed, as it is written there. */
const countsIn = ({ answers, fields }: Listing): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const answer of answers)
    for (const item of itemsIn(answer, fields)) {
      const { value } = answer.body.field(`${item}.${fields.listedIban}`)
      if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1)
    }
  return counts
}

/** Asserts that what is listed is listed each time, on whichever page. */
export const assertListedAgain = (listing: Listing): void => {
  const { answers, before, fields } = listing
  const [first, last] = [answers[0], answers.at(-1)]
  if (first === undefined || last === undefined || answers.some(({ accepted }) => !accepted)) return held()
  const isBegun = ({ request: { url, body } }: ObservedExchange): boolean =>
    url === first.request.url && body?.text === first.request.body?.text
  const begun = answers.filter(isBegun).length
  const counts = countsIn(listing)
  const expected = [...counts.keys(), ...(before === undefined ? [] : countsIn(before).keys())]
  const missing = expected.find((iban) => (counts.get(iban) ?? 0) < begun)
  if (missing === undefined) return held()
  throw new ViolationError({
    subject: fields.accounts,
    expected: `the account ${missing} each time, as in ${(before ?? listing).answers[0]?.id ?? ''}`,
    received: `it in ${counts.get(missing) ?? 0} of ${begun} lists`,
    exchange: last.id,
  })
}

/** For a list that may leave out accounts at other banks: where it has one of them, it has each. */
export const assertAllOrOwnListed = (
  list: ObservedExchange,
  fields: Fields,
  { consented, own }: Consented,
): void => {
  const elsewhere = consented.filter((iban) => !own.includes(iban)).map(electronic)
  const listed = isList(list, fields) ? ibansIn(list, fields) : []
  const isOwnOnly = own.length > 0 && !elsewhere.some((iban) => listed.includes(iban))
  assertEachListed(list, fields, { consented: isOwnOnly ? own : consented })
}

/** @throws NotReached where the profile knows no such account, or no list was answered. */
export const assertNoneListed = (list: ObservedExchange, fields: Fields, closed: readonly string[]): void => {
  if (closed.length === 0) throw new NotReached('the profile knows no account without consent')
  // An empty list is one: it has no account that is closed.
  if (!list.accepted && !isList(list, fields)) throw new NotReached(`${list.id} has no list of accounts`)
  const forbidden = closed.map(electronic)
  const at = ibansIn(list, fields).findIndex((iban) => iban !== undefined && forbidden.includes(iban))
  if (at < 0) return held()
  list.body
    .field(`${fields.accounts}.${at}.${fields.listedIban}`)
    .satisfies(false, 'an account that the customer has consented to')
}

/** Asserts that two lists have the same accounts, in any order. Where no IBAN is shown, they are compared by their ids. */
export const assertSameAccounts = (one: ObservedExchange, other: ObservedExchange, fields: Fields): void => {
  const [expected, received] = [one, other].map((list) =>
    someItemsIn(list, fields)
      .map(
        (item) =>
          ibanUnder(list, `${item}.${fields.listedIban}`, fields) ??
          list.body.field(`${item}.${fields.id}`).value,
      )
      .map((account) => JSON.stringify(account))
      .sort(),
  )
  other.body
    .field(fields.accounts)
    .satisfies(JSON.stringify(expected) === JSON.stringify(received), `the same as in ${one.id}`)
}

interface List {
  readonly list: ObservedExchange
  readonly fields: Fields
}

/**
 * Asserts that every account of one list is in the other, which may have other fields.
 * @param known the IBANs of the accounts that the profile knows, for a list that may leave out those at other banks: where it
 * has one of these, it has each. Left out for a list that has every account.
 * @throws NotReached for a missing account that the profile does not know: it may be at another bank.
 */
export const assertIncludesList = (
  other: List,
  one: List,
  known?: { readonly own: readonly string[]; readonly atOtherBanks: readonly string[] },
): void => {
  someItemsIn(one.list, one.fields)
  const shown = ibansIn(one.list, one.fields)
  const all = shown.flatMap((iban) => iban ?? [])
  if (all.length === 0) throw new Inconclusive(`${one.list.id} shows no IBAN`)
  if (known === undefined) return assertEachListed(other.list, other.fields, { consented: all })
  const [ownKnown, otherKnown] = [known.own.map(electronic), known.atOtherBanks.map(electronic)]
  const own = all.filter((iban) => ownKnown.includes(iban))
  const consented = all.filter((iban) => ownKnown.includes(iban) || otherKnown.includes(iban))
  if (consented.length > 0) assertAllOrOwnListed(other.list, other.fields, { consented, own })
  const listed = ibansIn(other.list, other.fields)
  const missing = all.find((iban) => !consented.includes(iban) && !listed.includes(iban))
  if (missing === undefined) return held()
  throw new NotReached(
    `${other.list.id} does not list ${missing}: it is not known whether this account is at another bank (customers[].accounts[].bank)`,
  )
}

const accountIdsIn = (list: ObservedExchange, fields: Fields) =>
  someItemsIn(list, fields).map((item) => list.body.field(`${item}.accountId`))

/** Asserts that each account of a list has an accountId that is not empty. */
export const assertAccountIds = (list: ObservedExchange, fields: Fields): void => {
  const ids = accountIdsIn(list, fields)
  // The interface says that each account has an accountId, and not how deep in the item it is.
  const isDeeper = list.body.everywhere('accountId').length >= ids.length
  for (const id of ids) {
    if (id.value === undefined && isDeeper)
      throw new Inconclusive(`${list.id} has each accountId deeper than in an item of ${fields.accounts}`)
    const isThere = id.value !== undefined && id.value !== null && id.value !== ''
    id.satisfies(isThere, 'a value that is not empty')
  }
}

/**
 * Asserts that each accountId of a list is a string.
 * @throws NotReached where an account has none.
 */
export const assertAccountIdsAreStrings = (list: ObservedExchange, fields: Fields): void => {
  const ids = accountIdsIn(list, fields)
  for (const id of ids) if (id.value !== undefined) id.satisfies(typeof id.value === 'string', 'a string')
  if (ids.some(({ value }) => value === undefined))
    throw new NotReached(`${list.id} has an account without an accountId in the item of ${fields.accounts}`)
}

/** Asserts that no two accounts of a list have the same id. */
export const assertDistinctIds = (list: ObservedExchange, fields: Fields): void => {
  const seen = new Set<unknown>()
  for (const item of someItemsIn(list, fields)) {
    const id = list.body.field(`${item}.${fields.id}`)
    id.satisfies(id.value === undefined || !seen.has(id.value), 'an id of its own')
    seen.add(id.value)
  }
}

/** The answer to a request for the detail of a listed account. */
interface Detail {
  readonly listed: ListedAccount
  readonly detail: ObservedExchange
}

/** Each account with the answer to the request for its detail. */
export const pairedWith = (
  accounts: readonly ListedAccount[],
  answers: readonly ObservedExchange[],
): readonly Detail[] =>
  answers.flatMap((detail, at) => {
    const listed = accounts[at]
    return listed === undefined ? [] : [{ listed, detail }]
  })

/** Whether a detail shows this IBAN as that of its account. */
export const showsIban = (detail: ObservedExchange, fields: Fields, iban: string): boolean =>
  ibanUnder(detail, fields.iban, fields) === electronic(iban)

/** Asserts that each detail is that of its account. One that has an IBAN neither in the list nor in its detail, such as a card, is left out. */
export const assertDetailsOfTheAccounts = (details: readonly Detail[], fields: Fields): void => {
  const withIban = details.filter(
    ({ listed, detail }) => listed.iban !== undefined || ibanUnder(detail, fields.iban, fields) !== undefined,
  )
  for (const detail of withIban.length > 0 ? withIban : details) assertDetailOfTheAccount(detail, fields)
}

const assertDetailOfTheAccount = ({ listed, detail }: Detail, fields: Fields): void => {
  if (!detail.accepted) throw new NotReached(`the detail of ${listed.accountId} was not answered`)
  const iban = ibanUnder(detail, fields.iban, fields)
  if (iban === undefined || listed.iban === undefined)
    throw new Inconclusive(`${detail.id} or the list shows no IBAN (readAccount.iban, listAccounts.iban)`)
  detail.body.field(fields.iban).satisfies(iban === electronic(listed.iban), `the IBAN ${listed.iban}`)
}

/** Asserts that an account of an earlier list is answered under the id of that list, after another list was read. */
export const assertStillOpen = ({ listed, detail }: Detail, fields: Fields, list: ObservedExchange): void => {
  detail.isAccepted(`${listed.accountId} is the id of an account in an earlier list than ${list.id}`)
  const iban = ibanUnder(detail, fields.iban, fields)
  // That the IBAN is shown is a matter of the profile: what is shown must be that of the account.
  if (iban === undefined || listed.iban === undefined) return
  detail.body.field(fields.iban).satisfies(iban === electronic(listed.iban), `the IBAN ${listed.iban}`)
}

/** Asserts that a detail has balances, and one of them an amount. @throws NotReached where it was not answered. */
export const assertBalances = ({ listed, detail }: Detail, fields: Fields): void => {
  if (!detail.accepted) throw new NotReached(`the detail of ${listed.accountId} was not answered`)
  assertBalancesIn(detail, fields)
}

/** The same for an answer that is known to be for the account, whatever else it has. */
export const assertBalancesIn = (detail: ObservedExchange, { balances, amount }: Fields): void => {
  const list = detail.body.field(balances)
  const paths = balancePaths(list.value, { balances, amount })
  list.satisfies(paths.length > 0, 'a balance: one, a list of them, or one under each name')
  const found = paths.map((path) => detail.body.field(`${path}.${amount}`))
  // A credit line may have a limit and no amount: the fields of balances are not shown.
  const given = found.filter(({ value }) => value !== undefined && value !== null)
  for (const one of given.length > 0 ? given : found)
    one.satisfies(!Number.isNaN(amountOf(one.value)), 'an amount')
}

/** The fields of a JSON value and their types, without a value. */
export const shapeOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0])}]`
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}: ${shapeOf(inner)}`)
    .join(', ')}}`
}

/** Notes the status and the body of the refusals of account operations, which the interface does not show. */
export const noteRefusals = <Record>(
  scenarios: Parameters<typeof noteInEachVariant<Record>>[1],
  cause: string,
  pick: (record: Observed<Record>) => readonly ObservedExchange[],
): void =>
  noteInEachVariant(ACC.errorBodyOfTheAccountOperations, scenarios, (record, variant) => {
    const forms = pick(record)
      .filter(({ accepted }) => !accepted)
      .map(({ status, body }) => {
        const shape = body.kind().value === 'text' ? 'without JSON' : body.shape
        return `${String(status.value)} ${shape}`
      })
    const where = variant === 'first' ? '' : ' in the second variant'
    return forms.length === 0 ? undefined : `${cause}${where}: ${[...new Set(forms)].join(' or ')}`
  })
