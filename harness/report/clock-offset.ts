import { clockOffsetOf } from '../evidence/clock-offset.ts'
import { exchangesOf } from './evidence-file.ts'
import type { ClockOffset } from '../evidence/clock-offset.ts'

/** @param evidence the file that a run has written its exchanges into. */
export const clockOffsetIn = (evidence: string): ClockOffset | undefined =>
  clockOffsetOf(exchangesOf(evidence))
