import { fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { isRefused, statusOf } from './misfit.ts'
import { placeOf } from './paths.ts'
import {
  ADDRESS,
  AMOUNT,
  AN_IBAN,
  anyOf,
  balancesWith,
  applicationId,
  COUNT,
  CURSOR,
  ID,
  LIST,
  NEXT_LINK,
  OFFERS,
  REFRESH_TOKEN,
  wordOf,
} from './resemblance.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { LoansProfile } from '../schema/loans.ts'
import type { Profile } from '../schema.ts'
import type { Paging } from '../schema/operations.ts'
import type { Kind } from './resemblance.ts'

/** The names of fields that the interface does not show, and the profile binds: where each is looked for, and for what. */
export interface Name {
  /** `operations.listTransactions.transactions` */
  readonly key: string
  /** What the profile has there: a dotted path. */
  readonly path: string
  readonly kind: Kind
  /** Whether it is looked for in the answer of this exchange. */
  isOf(exchange: Exchange): boolean
  /** The list whose items have it; left out, it stands in the answer itself. */
  readonly within?: string
  /** The list in which it is not. */
  readonly beside?: string
  /** It is only looked at: nothing that is asked later depends on it. */
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
  // Where the documented name is not at its place, it is not the profile that has the other one wrong.
  const isAnswer = granted(
    (exchange) => isOf(exchange) && fieldOf(jsonOf(exchange), 'access_token') !== undefined,
  )
  return [
    { key: `${key}.refreshToken`, path: refreshToken, kind: REFRESH_TOKEN, isOf: isAnswer, isLeaf: true },
    // The name of the RFC is no name of the profile.
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

/** What tells the next page within the answer: a header is no name of its JSON. */
const pagingNames = (key: string, paging: Paging, place: Pick<Name, 'isOf' | 'beside'>): readonly Name[] => {
  if (paging.kind === 'link-header') return []
  if (paging.kind === 'number') return [{ key: `${key}.count`, path: paging.count, kind: COUNT, ...place }]
  if (paging.kind === 'offset') return [{ key: `${key}.total`, path: paging.total, kind: COUNT, ...place }]
  const kind = paging.kind === 'link' ? NEXT_LINK : CURSOR
  return [{ key: `${key}.next`, path: paging.next, kind, ...place }]
}

/** What the operations of either variant have. */
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
    ...pagingNames(`${page.key}.paging`, paging, { beside: transactions, ...paged }),
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
  const told = { isOf: granted(isOf) }
  return [
    ...(positive.kind === 'member'
      ? [{ key: `${key}.positive.member`, path: positive.member, kind: anyOf('result'), ...told }]
      : []),
    ...(positive.kind === 'list'
      ? [{ key: `${key}.positive.list`, path: positive.list, kind: OFFERS, ...told }]
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

const loanNames = (profile: Profile, loans: LoansProfile): readonly Name[] => {
  const { submission, scenario, status, errorCode } = loans
  const submitted = granted(answersOf(profile, 'loans.submission'))
  const polled = granted(answersOf(profile, 'loans.status'))
  const isRefusal = refused((exchange) => placeOf(profile, exchange)?.part.key.startsWith('loans.') === true)
  const codes = ['NOT_ALLOWED_OPER', 'APP_NOT_FOUND']
  return [
    { key: 'loans.submission.id', path: submission.id, kind: applicationId(STATUSES), isOf: submitted },
    ...(scenario.kind === 'page'
      ? [{ key: 'loans.scenario.link', path: scenario.link, kind: ADDRESS, isOf: submitted }]
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
    { key: 'loans.errorCode', path: errorCode, kind: wordOf('result code', codes), isOf: isRefusal },
    ...calculationNames(profile, loans),
  ]
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

const TIME: Kind = {
  expected: 'time',
  fits: (value) => typeof value === 'string' && INSTANT.test(value),
  resembles: ({ value }) => typeof value === 'string' && INSTANT.test(value),
}

const testHookNames = ({ testHooks: { readClock } }: Profile): readonly Name[] => {
  if (readClock?.result === undefined) return []
  const [address = ''] = readClock.url.split('{')
  return [
    {
      key: 'testHooks.readClock.result',
      path: readClock.result,
      kind: TIME,
      isOf: granted(
        ({ operation, request }) =>
          operation === 'testHook' && request.method === readClock.method && request.url.includes(address),
      ),
    },
  ]
}

/** Those that the profile binds. */
export const namesOf = (profile: Profile): readonly Name[] => {
  const { operations, secondVariant, loans } = profile
  return [
    ...tokenNames(profile),
    ...accountNames(profile, 'operations', operations),
    ...(secondVariant === undefined ? [] : accountNames(profile, 'secondVariant', secondVariant)),
    ...(loans === undefined ? [] : loanNames(profile, loans)),
    ...testHookNames(profile),
  ]
}
