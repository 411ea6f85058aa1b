import { fieldOf, jsonOf, need, responseOf, TOO_MANY_REQUESTS } from './answer.ts'
import type { Exchange } from '../exchange.ts'

/** Reads the answers to loan operations, at the places that the profile names. */

/** The part of the profile that says where an answer has what. */
export interface LoanWords {
  readonly submission: { readonly id: string }
  readonly status: { readonly status: string; readonly code?: string | undefined }
  readonly errorCode: string
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
export const applicationIdOf = (answer: Exchange, { submission: { id } }: LoanWords): string => {
  const value = fieldOf(jsonOf(answer), id)
  return need(answer, typeof value === 'number' ? String(value) : value, `an application-id (${id})`)
}

/** The status of an application in an answer; undefined if there is none. */
export const statusOf = (answer: Exchange, { status }: LoanWords): unknown =>
  given(fieldOf(jsonOf(answer), status.status))

/** The paths of a result code: the one of a refusal first. */
export const codePaths = ({ errorCode, status: { code } }: LoanWords): readonly string[] =>
  code === undefined || code === errorCode ? [errorCode] : [errorCode, code]

/** The result code of an answer; undefined if there is none. */
export const codeOf = (answer: Exchange, words: LoanWords): unknown => {
  const json = jsonOf(answer)
  return codePaths(words)
    .map((path) => fieldOf(json, path))
    .find(isGiven)
}

export type LoanResult = 'positive' | 'negative'

/** The parts of an answer that show a result: its status, and its JSON. */
interface Told {
  readonly status: number
  readonly isJson: boolean
  readonly field: (path: string) => unknown
}

/** The result of a precalculation; undefined if the answer shows none: a server error, a redirect, no JSON. */
export const resultIn = (
  { status, isJson, field }: Told,
  { precalculation: { positive } }: LoanWords,
): LoanResult | undefined => {
  if (status >= 500 || status === TOO_MANY_REQUESTS || (status >= 300 && status < 400)) return undefined
  if (status >= 400) return 'negative'
  if (positive.kind === 'status') return 'positive'
  if (!isJson) return undefined
  return isPositive(positive, field) ? 'positive' : 'negative'
}

const isPositive = (positive: Exclude<Positive, { kind: 'status' }>, field: Told['field']): boolean => {
  if (positive.kind === 'member') return positive.values.some((value) => value === field(positive.member))
  const list = field(positive.list)
  return Array.isArray(list) && list.length > 0
}

export const resultOf = (answer: Exchange, words: LoanWords): LoanResult | undefined => {
  const json = jsonOf(answer)
  const { status } = responseOf(answer)
  return resultIn({ status, isJson: json !== undefined, field: (path) => fieldOf(json, path) }, words)
}
