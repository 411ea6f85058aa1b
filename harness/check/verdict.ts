/**
 * The words of a verdict, worst first: what several checks say of one requirement is the first word of this list
 * that any of them says.
 */
export const VERDICTS = [
  'fail',
  'harness-error',
  'inconclusive',
  'not-reached',
  'warn',
  'waived',
  'pass',
  'not-applicable',
] as const

export type Verdict = (typeof VERDICTS)[number]

/** The verdict on a requirement from the verdicts of its checks; a requirement without any was not reached. */
export const combine = (verdicts: readonly Verdict[]): Verdict =>
  VERDICTS.find((word) => verdicts.includes(word)) ?? 'not-reached'
