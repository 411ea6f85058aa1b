import { anywhere, fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { LOAN_STATUSES } from '../../evidence/record/loan-application.ts'
import { isObjectOrList } from '../../evidence/json.ts'
import { testHookKey, testHooksIn } from '../test-hooks.ts'
import * as kinds from './kinds.ts'
import { leavesOf, shapeOf } from './kinds.ts'
import { isRefused, type KeyRow } from './mismatch.ts'
import { isOf } from './paths.ts'
import { isSuccess, type Exchange } from '../../evidence/exchange.ts'
import type { Profile } from '../schema.ts'

/**
 * The names of fields in answers that the interface does not show. One does not fit if no answer of the run has a value
 * under it, although the value may be there under another name.
 */

interface Name {
  readonly key: string
  /** The path in the answer, or a list of paths; by default the value of the key. Without a value, there is no such name. */
  readonly path?: unknown
  /** The part of the profile whose answers have it; by default, `when` says it. */
  readonly part?: string
  /** Which of these answers; by default those of a success. */
  readonly when?: (exchange: Exchange) => boolean
  readonly kind: kinds.Kind
  /** The key of the list whose items have it; the answer itself by default. */
  readonly within?: string
  /** The key of a list that is not searched for it. */
  readonly excluded?: string
  readonly isLeaf?: true
}

/** The names that both variants have. A Link header for the next page has none. */
const accountNames = (profile: Profile, variant: 'operations' | 'secondVariant'): readonly Name[] => {
  const { readAccount, listTransactions } = profile[variant] ?? {}
  const list = `${variant}.listAccounts`
  const detail = `${variant}.readAccount`
  const page = `${variant}.listTransactions`
  const [accounts, balances, transactions] = [
    `${list}.accounts`,
    `${detail}.balances`,
    `${page}.transactions`,
  ]
  const nextKind = listTransactions?.paging.kind === 'link' ? kinds.NEXT_LINK : kinds.CURSOR
  const balancesKind = kinds.balancesWith(readAccount?.amount ?? '')
  const paging = { part: page, excluded: transactions }
  return [
    { key: accounts, part: list, kind: kinds.LIST },
    { key: `${list}.iban`, part: list, within: accounts, kind: kinds.IBAN },
    { key: `${list}.id`, part: list, within: accounts, kind: kinds.ID },
    { key: `${detail}.iban`, part: detail, kind: kinds.IBAN, isLeaf: true },
    { key: balances, part: detail, kind: balancesKind },
    { key: `${detail}.amount`, part: detail, within: balances, kind: kinds.AMOUNT },
    { key: transactions, part: page, kind: kinds.LIST },
    { key: `${page}.id`, part: page, within: transactions, kind: kinds.ID },
    { key: `${page}.paging.next`, ...paging, kind: nextKind },
    ...(listTransactions?.paging.end === 'empty-page' ? [] : ['count', 'total']).map((name) => ({
      key: `${page}.paging.${name}`,
      ...paging,
      kind: kinds.COUNT,
    })),
  ]
}

const loanNames = ({ loans }: Profile): readonly Name[] => {
  const [submission, status, calculation] = ['loans.submission', 'loans.status', 'loans.precalculation']
  const cause = loans?.precalculation.cause
  const causes = kinds.wordOf('cause', [cause?.tooLow, cause?.tooHigh, cause?.insufficient])
  const codes = kinds.wordOf('result code', ['NOT_ALLOWED_OPER', 'APP_NOT_FOUND'])
  return [
    { key: `${submission}.id`, part: submission, kind: kinds.applicationId(LOAN_STATUSES) },
    { key: 'loans.scenario.link', part: submission, kind: kinds.ADDRESS },
    { key: 'loans.scenario.methodIn', part: submission, kind: kinds.anyOf('method') },
    { key: `${status}.status`, part: status, kind: kinds.wordOf('status', LOAN_STATUSES) },
    { key: `${status}.code`, part: status, kind: kinds.wordOf('result code', ['OK']) },
    // Each operation on an application by itself: one may have its code at another place than the others.
    ...['loans.scenario', status, 'loans.cancellation'].map((part): Name => ({
      key: 'loans.errorCode',
      part,
      when: isRefused,
      kind: codes,
    })),
    { key: `${calculation}.positive.member`, part: calculation, kind: kinds.anyOf('result') },
    { key: `${calculation}.positive.list`, part: calculation, kind: kinds.OFFERS },
    { key: `${calculation}.cause.member`, part: calculation, when: () => true, kind: causes, isLeaf: true },
  ]
}

/** RFC 6749 §5.2. */
const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]

const namesOf = (profile: Profile): readonly Name[] => {
  const { errorCode } = profile.operations.token
  const { readClock } = testHooksIn(profile)
  const token = 'operations.token'
  return [
    {
      key: `${token}.refreshToken`,
      part: token,
      // If the documented name is missing, the profile is not the cause.
      when: (exchange) => isSuccess(exchange) && fieldOf(jsonOf(exchange), 'access_token') !== undefined,
      kind: kinds.REFRESH_TOKEN,
      isLeaf: true,
    },
    {
      key: `${token}.errorCode`,
      // A name of the RFC is not a matter of the profile.
      path: errorCode === 'error' ? null : errorCode,
      part: token,
      when: isRefused,
      kind: kinds.wordOf('error code', OAUTH_ERRORS),
      isLeaf: true,
    },
    ...accountNames(profile, 'operations'),
    ...accountNames(profile, 'secondVariant'),
    {
      key: 'payments.approval.link',
      part: 'payments.initiations',
      // Accepted payments have the address at which the customer approves them; rejected ones need none.
      when: (exchange) => isSuccess(exchange) && anywhere(jsonOf(exchange), 'status').includes('ACTC'),
      kind: kinds.anyOf('address'),
    },
    ...loanNames(profile),
    {
      key: `${testHookKey(profile, 'readClock')}.result`,
      path: readClock?.result,
      when: (exchange) =>
        isSuccess(exchange) &&
        exchange.operation === 'testHook' &&
        exchange.request.method === readClock?.method &&
        exchange.request.url.includes(readClock.url.split('{')[0] ?? ''),
      kind: kinds.TIME,
    },
  ]
}

const textAt = (profile: Profile, key: string | undefined): string | undefined => {
  const text = key === undefined ? undefined : fieldOf(profile, key)
  return typeof text === 'string' ? text : undefined
}

/** The items of a list, or the members of an object; the object itself if it has the path. */
const itemsOf = (value: unknown, path: string): readonly unknown[] => {
  if (Array.isArray(value)) return value
  if (!isObjectOrList(value)) return []
  return fieldOf(value, path) === undefined ? Object.values(value).filter(isObjectOrList) : [value]
}

/** Of a page with many items, the first ones are sufficient. */
const MOST_ITEMS = 20

const rowOf = (profile: Profile, name: Name): readonly KeyRow[] => {
  const { key, path = fieldOf(profile, key), part, when = isSuccess, kind, isLeaf = false } = name
  const paths = [path].flat().filter((one) => typeof one === 'string')
  const [first] = paths
  if (first === undefined) return []
  const [within, excluded] = [textAt(profile, name.within), textAt(profile, name.excluded)]
  const isPart = part === undefined ? () => true : isOf(profile, part)
  const placesIn = (exchange: Exchange): readonly unknown[] => {
    const json = jsonOf(exchange)
    if (json === undefined) return []
    return within === undefined ? [json] : itemsOf(fieldOf(json, within), first)
  }
  const fits = (exchange: Exchange): boolean =>
    placesIn(exchange).some((place) => paths.some((one) => kind.fits(fieldOf(place, one))))
  return [
    {
      key,
      bound: paths.join(', '),
      expected: kind.expected,
      uses: (exchange) => isPart(exchange) && when(exchange),
      fits,
      contradicts: (exchange) =>
        !fits(exchange) &&
        placesIn(exchange)
          .slice(0, MOST_ITEMS)
          .some((place) =>
            leavesOf(place, excluded).some(({ value, path: at }) => kind.resembles(value, at, exchange)),
          ),
      shown: (exchange) =>
        `${within === undefined ? 'the answer' : `an item of ${within}`} ${shapeOf(placesIn(exchange)[0])}`,
      isLeaf,
    },
  ]
}

export const answerKeys = (profile: Profile): readonly KeyRow[] =>
  namesOf(profile).flatMap((name) => rowOf(profile, name))
