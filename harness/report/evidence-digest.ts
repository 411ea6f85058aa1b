import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf, readEvidence } from './evidence-lines.ts'
import { OUTPUT } from './output.ts'
import { reportSchema } from './schema.ts'
import type { Report } from './schema.ts'

/**
 * What ties a report to the evidence that its verdicts rest on: whoever reads both later can tell that they belong
 * together.
 */

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Of the lines that were written whole.
 * @param outDir the folder of the run.
 */
export const digestEvidence = (outDir: string): Report['evidence'] => {
  const bytes = readEvidence(join(outDir, OUTPUT.evidence))
  const lines = [...linesOf(bytes)]
  const whole = bytes.subarray(
    0,
    lines.reduce((sum, { length }) => sum + length + 1, 0),
  )
  return { exchanges: lines.length, bytes: whole.length, sha256: hashOf(whole) }
}

export interface EvidenceState {
  readonly isUnchanged: boolean
  readonly sentence: string
}

const unchanged = ({ exchanges }: Report['evidence']): string =>
  `${OUTPUT.evidence} has the ${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'} that the report was written with.`

const CHANGED = `${OUTPUT.evidence} is not what ${OUTPUT.report} was written with: one of them was changed since, or is of another run.`

const reportedIn = (outDir: string): Report['evidence'] | undefined => {
  try {
    return reportSchema.parse(JSON.parse(readFileSync(join(outDir, OUTPUT.report), 'utf8'))).evidence
  } catch {
    return undefined
  }
}

/**
 * Whether the evidence in a folder is still that of the report beside it. What an interrupted run wrote behind its
 * report changes nothing of what the report rests on.
 */
export const lookAtEvidence = (outDir: string): EvidenceState => {
  const reported = reportedIn(outDir)
  if (reported === undefined)
    return { isUnchanged: false, sentence: `There is no ${OUTPUT.report} of this version in ${outDir}.` }
  const found = readEvidence(join(outDir, OUTPUT.evidence)).subarray(0, reported.bytes)
  const isUnchanged = found.length === reported.bytes && hashOf(found) === reported.sha256
  return { isUnchanged, sentence: isUnchanged ? unchanged(reported) : CHANGED }
}
