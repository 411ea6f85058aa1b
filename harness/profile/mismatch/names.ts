import { anywhere, fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { balancePaths } from '../../evidence/record/balances.ts'
import { refusalCodePaths } from '../../evidence/record/loan-application.ts'
import { isRefused, statusOf } from './mismatch.ts'
import { placeOf } from './paths.ts'
import { isObject } from '../../evidence/json.ts'
import { testHookKey, testHooksIn } from '../test-hooks.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Profile } from '../schema.ts'
import type { LoansProfile } from '../schema/loans.ts'
import type { PaymentsProfile } from '../schema/payments.ts'
import type { Paging } from '../schema/operations.ts'

/** Describes an answer by its keys and types, never by values. */

/** A key may be a value, such as an IBAN: a key that does not have the form of a name is not shown. */
const NAME = /^[A-Za-z_$][A-Za-z_$-]{0,39}$/
const MOST = 8

const keysOf = (value: object): string => {
  const keys = Object.keys(value)
  const shown = keys.slice(0, MOST).map((key) => (NAME.test(key) ? key : '…'))
  return `the ${keys.length === 1 ? 'key' : 'keys'} ${shown.join(', ')}${keys.length > MOST ? ' …' : ''}`
}

const sizeOf = (items: readonly unknown[]): string =>
  items.length === 0 ? 'is an empty array' : `is an array of ${items.length}`

/** Behind the name of a value: `has the keys account, transactions, _links`. */
export const shapeOf = (value: unknown): string => {
  if (Array.isArray(value)) return sizeOf(value)
  if (!isObject(value)) return value === null ? 'is null' : `is a ${typeof value}`
  const [only, ...others] = Object.values(value)
  if (only === undefined && others.length === 0) return 'is an empty object'
  // The outermost object of an answer, with its keys, has no value of interest.
  const inner =
    others.length === 0 && (isObject(only) || Array.isArray(only)) ? `, which ${shapeOf(only)}` : ''
  return `has ${keysOf(value)}${inner}`
}

/** One value of a JSON, and its path: `account.balances.0.amount`. */
export interface Leaf {
  readonly path: readonly string[]
  readonly value: unknown
}

/** Of an answer of many megabytes only the beginning is searched, which is sufficient. */
const MOST_LEAVES = 2_000

/** Every value of a JSON, beginning with itself, without the excluded ones and their members. */
export const leavesOf = (
  json: unknown,
  isLeftOut: (path: string) => boolean = () => false,
): readonly Leaf[] => {
  const found: Leaf[] = [{ path: [], value: json }]
  // The loop also visits values that are appended during it.
  for (const { path, value } of found) {
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (found.length >= MOST_LEAVES) return found
      const below = [...path, key]
      if (!isLeftOut(below.join('.'))) found.push({ path: below, value: inner })
    }
  }
  return found
}

/**
 * The form of a value that the interface requires under a name that is not shown. If no value of an answer has
 * this form, the target has left it out; otherwise it may be under another name.
 */
interface Kind {
  /** The words after "no": "array". */
  readonly expected: string
  fits(value: unknown): boolean
  /** Whether a value elsewhere in the answer may be the required one. */
  resembles(leaf: Leaf, exchange: Exchange): boolean
}

/** Its type is judged by the checks, not here. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isScalar = (value: unknown): boolean => isText(value) || typeof value === 'number'

const nameOf = ({ path }: Leaf): string => path.at(-1) ?? ''

const LIST: Kind = {
  expected: 'array',
  fits: Array.isArray,
  resembles: ({ value }) => Array.isArray(value) && value.some(isObject),
}

const IBAN = /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/

const isIban = (value: unknown): boolean =>
  isText(value) && IBAN.test(value.replaceAll(/\s/g, '').toUpperCase())

const AN_IBAN: Kind = {
  expected: 'IBAN',
  fits: isText,
  resembles: ({ value }) => isIban(value),
}

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' || (isText(value) && /^[+-]?\d+[.,]\d+$/.test(value))

/** A whole number may have any meaning. */
const isAmountWithParts = (value: unknown): boolean => isAmount(value) && !Number.isSafeInteger(value)

const AMOUNT: Kind = { expected: 'amount', fits: isScalar, resembles: ({ value }) => isAmount(value) }

/** A list or an object whose members have an amount, or an object with an amount. */
const balancesWith = (amount: string): Kind => ({
  expected: 'balances',
  fits: (value) =>
    Array.isArray(value) ||
    balancePaths(value, { balances: '$', amount }).some(
      (path) => fieldOf(value, path === '$' ? amount : `${path.slice(2)}.${amount}`) !== undefined,
    ),
  resembles: (leaf, exchange) => LIST.resembles(leaf, exchange) || isAmountWithParts(leaf.value),
})

const ID: Kind = { expected: 'id', fits: isScalar, resembles: ({ value }) => isScalar(value) }

/** The documented fields of a token response, and other fields that are not a refresh token. */
const OF_TOKENS: ReadonlySet<string> = new Set([
  'access_token',
  'token_type',
  'expires_in',
  'scope',
  'id_token',
])

const SHORTEST_TOKEN = 16

const REFRESH_TOKEN: Kind = {
  expected: 'text',
  fits: isGiven,
  resembles: (leaf) =>
    isText(leaf.value) &&
    leaf.value.length >= SHORTEST_TOKEN &&
    !/\s/.test(leaf.value) &&
    !OF_TOKENS.has(nameOf(leaf)),
}

/** A string that is one of these words. */
const wordOf = (expected: string, words: readonly string[]): Kind => ({
  expected,
  fits: isScalar,
  resembles: ({ value }) => isText(value) && words.includes(value),
})

const isAddress = (value: unknown, { request }: Exchange): value is string =>
  isText(value) && /^(https?:|\.{0,2}\/|\?)/.test(value) && URL.canParse(value, request.url)

const ADDRESS: Kind = {
  expected: 'address',
  fits: isText,
  resembles: ({ value }, exchange) => isAddress(value, exchange),
}

/** Links to other pages, by their relation (IANA link relations). */
const OTHER_RELATIONS: ReadonlySet<string> = new Set(['self', 'first', 'last', 'prev', 'previous', 'up'])

const isNextLink = ({ path, value }: Leaf, exchange: Exchange): boolean => {
  if (!isAddress(value, exchange) || path.some((key) => OTHER_RELATIONS.has(key.toLowerCase()))) return false
  const [asked, linked] = [new URL(exchange.request.url), new URL(value, exchange.request.url)]
  return linked.pathname === asked.pathname && linked.search !== asked.search
}

const NEXT_NAMES = /next|after|behind|more|cursor|offset|continu|scroll/i

/** The name of a member says that another page follows. */
const isNamedNext = ({ path, value }: Leaf): boolean => isScalar(value) && NEXT_NAMES.test(path.join('.'))

const PAGES = /page.?count|total.?pages|^pages$/i

const hasNextPage = (leaf: Leaf): boolean =>
  Number.isSafeInteger(leaf.value) && Number(leaf.value) > 1 && PAGES.test(nameOf(leaf))

/** There are three kinds of paging; the profile may have the wrong one. */
const NEXT_LINK: Kind = {
  expected: 'link to a next page',
  fits: isText,
  resembles: (leaf, exchange) => isNextLink(leaf, exchange) || hasNextPage(leaf),
}

const CURSOR: Kind = {
  expected: 'cursor of a next page',
  fits: isScalar,
  resembles: (leaf) => isNamedNext(leaf) || hasNextPage(leaf),
}

const COUNT: Kind = {
  expected: 'number of pages',
  fits: Number.isSafeInteger,
  resembles: (leaf) => Number.isSafeInteger(leaf.value) || isNamedNext(leaf),
}

/** An id of letters and digits that is neither an address nor a word of the interface. */
const applicationId = (words: readonly string[]): Kind => ({
  expected: 'application-id',
  fits: isGiven,
  resembles: ({ value }, exchange) =>
    typeof value === 'number' ||
    (isText(value) && /\d/.test(value) && !words.includes(value) && !isAddress(value, exchange)),
})

/** Without an answer that has the name, it is not required. */
const anyOf = (expected: string): Kind => ({
  expected,
  fits: (value) => value !== undefined,
  resembles: () => true,
})

const OFFERS: Kind = {
  expected: 'array',
  fits: Array.isArray,
  // The answer itself may be the list.
  resembles: ({ path, value }) =>
    Array.isArray(value) || (path.length === 1 && /^\d+$/.test(path[0] ?? '') && isObject(value)),
}

/** The names of fields that the interface does not show and the profile configures, each with its place and the expected form. */
export interface Name {
  /** `operations.listTransactions.transactions` */
  readonly key: string
  /** The dotted path in the profile. */
  readonly path: string
  /** Other paths of the same key: in some answers the value stands there. */
  readonly otherPaths?: readonly string[]
  readonly kind: Kind
  /** Whether the answer of this exchange should have it. */
  isOf(exchange: Exchange): boolean
  /** The list whose items have it; the answer itself by default. */
  readonly within?: string
  /** A list that is not searched for it. */
  readonly excludedList?: string
  /** Whether it is only judged: no later request depends on it. */
  readonly isLeaf?: boolean
}

type IsOf = (exchange: Exchange) => boolean

const answersOf =
  (profile: Profile, part: string): IsOf =>
  (exchange) =>
    placeOf(profile, exchange)?.part.key === part

const granted =
  (isOf: IsOf): IsOf =>
  (exchange) =>
    statusOf(exchange) < 300 && isOf(exchange)

const refused =
  (isOf: IsOf): IsOf =>
  (exchange) =>
    isRefused(exchange) && isOf(exchange)

/** RFC 6749 §5.2. */
const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]

const tokenNames = (profile: Profile): readonly Name[] => {
  const { refreshToken, errorCode } = profile.operations.token
  const isOf = answersOf(profile, 'operations.token')
  const key = 'operations.token'
  // If the documented name is missing, the profile is not the cause.
  const isAnswer = granted(
    (exchange) => isOf(exchange) && fieldOf(jsonOf(exchange), 'access_token') !== undefined,
  )
  return [
    { key: `${key}.refreshToken`, path: refreshToken, kind: REFRESH_TOKEN, isOf: isAnswer, isLeaf: true },
    // A name of the RFC is not a matter of the profile.
    ...(errorCode === 'error'
      ? []
      : [
          {
            key: `${key}.errorCode`,
            path: errorCode,
            kind: wordOf('error code', OAUTH_ERRORS),
            isOf: refused(isOf),
            isLeaf: true,
          },
        ]),
  ]
}

/** The names for the next page in the JSON of the answer; a Link header has none. */
const pagingNames = (
  key: string,
  paging: Paging,
  place: Pick<Name, 'isOf' | 'excludedList'>,
): readonly Name[] => {
  if (paging.kind === 'link-header') return []
  if (paging.kind === 'number') return [{ key: `${key}.count`, path: paging.count, kind: COUNT, ...place }]
  if (paging.kind === 'offset') return [{ key: `${key}.total`, path: paging.total, kind: COUNT, ...place }]
  const kind = paging.kind === 'link' ? NEXT_LINK : CURSOR
  return [{ key: `${key}.next`, path: paging.next, kind, ...place }]
}

/** The names that both variants have. */
interface AccountBindings {
  readonly listAccounts: { readonly accounts: string; readonly iban: string; readonly id?: string }
  readonly readAccount: { readonly iban: string; readonly balances: string; readonly amount: string }
  readonly listTransactions: { readonly transactions: string; readonly id: string; readonly paging: Paging }
}

const accountNames = (profile: Profile, variant: string, bindings: AccountBindings): readonly Name[] => {
  const { listAccounts, readAccount, listTransactions } = bindings
  const of = (operation: keyof AccountBindings) => ({
    key: `${variant}.${operation}`,
    isOf: granted(answersOf(profile, `${variant}.${operation}`)),
  })
  const [list, detail, page] = [of('listAccounts'), of('readAccount'), of('listTransactions')]
  const { accounts, id } = listAccounts
  const { transactions, paging } = listTransactions
  const { balances } = readAccount
  const [listed, read, paged] = [{ isOf: list.isOf }, { isOf: detail.isOf }, { isOf: page.isOf }]
  return [
    { key: `${list.key}.accounts`, path: accounts, kind: LIST, ...listed },
    { key: `${list.key}.iban`, path: listAccounts.iban, kind: AN_IBAN, within: accounts, ...listed },
    ...(id === undefined ? [] : [{ key: `${list.key}.id`, path: id, kind: ID, within: accounts, ...listed }]),
    { key: `${detail.key}.iban`, path: readAccount.iban, kind: AN_IBAN, isLeaf: true, ...read },
    { key: `${detail.key}.balances`, path: balances, kind: balancesWith(readAccount.amount), ...read },
    { key: `${detail.key}.amount`, path: readAccount.amount, kind: AMOUNT, within: balances, ...read },
    { key: `${page.key}.transactions`, path: transactions, kind: LIST, ...paged },
    { key: `${page.key}.id`, path: listTransactions.id, kind: ID, within: transactions, ...paged },
    ...pagingNames(`${page.key}.paging`, paging, { excludedList: transactions, ...paged }),
  ]
}

const STATUSES = [
  'NEW',
  'CUSTOMER_CREATION_IN_PROGRESS',
  'LOAN_APPLICATION_IN_PROGRESS',
  'LOAN_APPLICATION_FINISHED',
  'LOAN_DISBURSED',
  'CANCELED',
  'EXPIRED',
]

const calculationNames = (profile: Profile, { precalculation }: LoansProfile): readonly Name[] => {
  const { positive, cause } = precalculation
  const key = 'loans.precalculation'
  const isOf = answersOf(profile, key)
  const words = cause === undefined ? [] : [cause.tooLow, cause.tooHigh, cause.insufficient]
  const resultPaths = { isOf: granted(isOf) }
  return [
    ...(positive.kind === 'member'
      ? [{ key: `${key}.positive.member`, path: positive.member, kind: anyOf('result'), ...resultPaths }]
      : []),
    ...(positive.kind === 'list'
      ? [{ key: `${key}.positive.list`, path: positive.list, kind: OFFERS, ...resultPaths }]
      : []),
    ...(cause === undefined
      ? []
      : [
          {
            key: `${key}.cause.member`,
            path: cause.member,
            kind: wordOf('cause', words),
            isOf,
            isLeaf: true,
          },
        ]),
  ]
}

/** The operations on an application that exists or not. */
const LOAN_PARTS = ['loans.scenario', 'loans.status', 'loans.cancellation']

const loanNames = (profile: Profile, loans: LoansProfile): readonly Name[] => {
  const { submission, scenario, status } = loans
  const [path = '', ...otherPaths] = refusalCodePaths(loans)
  const submitted = granted(answersOf(profile, 'loans.submission'))
  const polled = granted(answersOf(profile, 'loans.status'))
  const codes = ['NOT_ALLOWED_OPER', 'APP_NOT_FOUND']
  return [
    { key: 'loans.submission.id', path: submission.id, kind: applicationId(STATUSES), isOf: submitted },
    ...(scenario.kind !== 'parameter' && scenario.link !== undefined
      ? [{ key: 'loans.scenario.link', path: scenario.link, kind: ADDRESS, isOf: submitted }]
      : []),
    ...(scenario.kind === 'call' && scenario.methodIn !== undefined
      ? [{ key: 'loans.scenario.methodIn', path: scenario.methodIn, kind: anyOf('method'), isOf: submitted }]
      : []),
    { key: 'loans.status.status', path: status.status, kind: wordOf('status', STATUSES), isOf: polled },
    ...(status.code === undefined
      ? []
      : [
          {
            key: 'loans.status.code',
            path: status.code,
            kind: wordOf('result code', ['OK']),
            isOf: polled,
          },
        ]),
    // Each operation by itself: one may have its code at another place than the others.
    ...LOAN_PARTS.map((part) => ({
      key: 'loans.errorCode',
      path,
      otherPaths,
      kind: wordOf('result code', codes),
      isOf: refused(answersOf(profile, part)),
    })),
    ...calculationNames(profile, loans),
  ]
}

/** Accepted payments have the address at which the customer approves them; rejected ones need none. */
const paymentNames = (profile: Profile, { approval }: PaymentsProfile): readonly Name[] => {
  if (approval === undefined) return []
  const isOf = granted(
    (exchange) =>
      placeOf(profile, exchange)?.part.key.startsWith('payments.initiations.') === true &&
      anywhere(jsonOf(exchange), 'status').includes('ACTC'),
  )
  return [{ key: 'payments.approval.link', path: approval.link, kind: anyOf('address'), isOf }]
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

const TIME: Kind = {
  expected: 'time',
  fits: (value) => typeof value === 'number' || (typeof value === 'string' && INSTANT.test(value)),
  resembles: ({ value }) => typeof value === 'string' && INSTANT.test(value),
}

const testHookNames = (profile: Profile): readonly Name[] => {
  const { readClock } = testHooksIn(profile)
  if (readClock?.result === undefined) return []
  const [address = ''] = readClock.url.split('{')
  return [
    {
      key: `${testHookKey(profile, 'readClock')}.result`,
      path: readClock.result,
      kind: TIME,
      isOf: granted(
        ({ operation, request }) =>
          operation === 'testHook' && request.method === readClock.method && request.url.includes(address),
      ),
    },
  ]
}

/** All names that the profile configures. */
export const namesOf = (profile: Profile): readonly Name[] => {
  const { operations, secondVariant, payments, loans } = profile
  return [
    ...tokenNames(profile),
    ...accountNames(profile, 'operations', operations),
    ...(secondVariant === undefined ? [] : accountNames(profile, 'secondVariant', secondVariant)),
    ...(payments === undefined ? [] : paymentNames(profile, payments)),
    ...(loans === undefined ? [] : loanNames(profile, loans)),
    ...testHookNames(profile),
  ]
}
