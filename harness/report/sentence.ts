import { renderViolation } from '../check/violation.ts'
import type { CheckReport } from './schema.ts'

const NO_REASON = 'no reason was recorded'

/** What a check has to say, in one sentence: its violation, or why it judged nothing. */
export const sentenceOf = ({ verdict, violation, because }: CheckReport): string => {
  if (violation === undefined) return verdict === 'pass' ? 'conforms' : (because ?? NO_REASON)
  const { counterexample, ...seen } = violation
  return renderViolation({ ...seen, ...(counterexample !== undefined && { counterexample }) })
}
