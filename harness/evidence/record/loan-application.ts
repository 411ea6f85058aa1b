import { fieldOf, idOf, jsonOf, need, responseOf } from './answer.ts'
import { isNoAnswer, TOO_MANY_REQUESTS } from './answer-kind.ts'
import { stringsIn } from '../redaction/secret-facts.ts'
import type { Exchange, ReceivedResponse } from '../exchange.ts'

/** Reads the answers to loan operations, at the places that the profile names. */

/** The statuses of a loan application, as the interface lists them. */
export const LOAN_STATUSES = [
  'NEW',
  'CUSTOMER_CREATION_IN_PROGRESS',
  'LOAN_APPLICATION_IN_PROGRESS',
  'LOAN_APPLICATION_FINISHED',
  'LOAN_DISBURSED',
  'CANCELED',
  'EXPIRED',
] as const

/** The part of the profile that says where an answer has what. */
export interface LoanWords {
  readonly submission: { readonly id: string }
  readonly status: { readonly status: string; readonly code?: string | undefined }
  /** One place, or those of several operations. */
  readonly errorCode: string | readonly string[]
  readonly precalculation: { readonly positive: Positive }
}

type Positive =
  | { readonly kind: 'status' }
  | {
      readonly kind: 'member'
      readonly member: string
      readonly values: readonly (string | number | boolean)[]
    }
  | { readonly kind: 'list'; readonly list: string }

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const given = (value: unknown): unknown => (isGiven(value) ? value : undefined)

/** @throws NotReached if the answer has no application-id. */
export const applicationIdOf = (answer: Exchange, { submission: { id } }: LoanWords): string =>
  need(answer, idOf(fieldOf(jsonOf(answer), id)), `an application-id (${id})`)

/** The status of an application in an answer; undefined if there is none. */
export const statusOf = (answer: Exchange, { status }: LoanWords): unknown => {
  const value = given(fieldOf(jsonOf(answer), status.status))
  return isHttpStatus(value, answer.response?.status) ? undefined : value
}

/** The member `status` of a problem document, which answers an error, has the HTTP status (RFC 9457 §3.1.2). */
export const isHttpStatus = (value: unknown, status: unknown): boolean =>
  typeof value === 'number' && value >= 400 && value === status

export const refusalCodePaths = ({ errorCode }: Pick<LoanWords, 'errorCode'>): readonly string[] =>
  typeof errorCode === 'string' ? [errorCode] : errorCode

/** The paths of a result code: those of a refusal first. */
export const codePaths = (words: LoanWords): readonly string[] => {
  const { code } = words.status
  const ofRefusals = refusalCodePaths(words)
  return code === undefined || ofRefusals.includes(code) ? ofRefusals : [...ofRefusals, code]
}

const firstAt = (answer: Exchange, paths: readonly string[]): unknown => {
  const json = jsonOf(answer)
  return paths.map((path) => fieldOf(json, path)).find(isGiven)
}

/**
 * The result code OK of an answer. Where the profile names no place for it, it may be the value of any member or of any
 * header, except one about a cache.
 */
export const okIn = ({ headers, body }: ReceivedResponse, { status }: LoanWords): 'OK' | undefined => {
  const ofHeaders = headers.filter(([name]) => !/cache/i.test(name)).map(([, value]) => value.trim())
  return status.code === undefined && [...ofHeaders, ...stringsIn(body.text)].includes('OK')
    ? 'OK'
    : undefined
}

/** The result code of an answer; undefined if there is none. */
export const codeOf = (answer: Exchange, words: LoanWords): unknown =>
  firstAt(answer, codePaths(words)) ?? okIn(responseOf(answer), words)

/** The code with which an answer refuses; undefined if there is none. */
export const refusalCodeOf = (answer: Exchange, words: Pick<LoanWords, 'errorCode'>): unknown =>
  firstAt(answer, refusalCodePaths(words))

export type LoanResult = 'positive' | 'negative'

/** The parts of an answer that show a result: its status, and its JSON. */
interface Reported {
  readonly status: number
  readonly isJson: boolean
  readonly isEmpty: boolean
  readonly field: (path: string) => unknown
}

/** The result of a precalculation; undefined if the answer shows none: a server error, a redirect, no JSON. */
export const resultIn = (
  { status, isJson, isEmpty, field }: Reported,
  { precalculation: { positive } }: LoanWords,
): LoanResult | undefined => {
  if (status >= 500 || status === TOO_MANY_REQUESTS || (status >= 300 && status < 400)) return undefined
  if (status >= 400) return 'negative'
  if (positive.kind === 'status') return isJson || isEmpty ? 'positive' : undefined
  if (!isJson) return undefined
  return isPositive(positive, field) ? 'positive' : 'negative'
}

const isPositive = (positive: Exclude<Positive, { kind: 'status' }>, field: Reported['field']): boolean => {
  if (positive.kind === 'member') return positive.values.some((value) => value === field(positive.member))
  const list = field(positive.list)
  return Array.isArray(list) && list.length > 0
}

export const resultOf = (answer: Exchange, words: LoanWords): LoanResult | undefined => {
  const json = jsonOf(answer)
  const { status, body } = responseOf(answer)
  if (isNoAnswer(answer)) return undefined
  const isEmpty = body.text.trim() === ''
  return resultIn(
    { status, isJson: json !== undefined, isEmpty, field: (path) => fieldOf(json, path) },
    words,
  )
}
