import type { Waiver } from '../plan/waivers.ts'
import type { Judgement } from './conclude.ts'
import type { Report } from './schema.ts'

/** The state of each accepted exception after a run. */

export type WaiverReport = NonNullable<Report['waivers']>[number]

const STATES = { waived: 'needed', pass: 'stale' } as const

/** A waiver of a requirement that the run did not judge is idle. */
const stateOf = (judgement: Judgement | undefined): WaiverReport['state'] => {
  const verdict = judgement?.verdict
  return verdict === 'waived' || verdict === 'pass' ? STATES[verdict] : 'idle'
}

export const reportWaivers = (
  waivers: readonly Waiver[],
  verdicts: ReadonlyMap<string, Judgement>,
): readonly WaiverReport[] =>
  waivers.map((waiver) => ({ ...waiver, state: stateOf(verdicts.get(waiver.requirement)) }))

/** A requirement that passes in one shard may be broken in another: only the merged report says whether a waiver is stale. */
export const reportWaiversOfPart = (...given: Parameters<typeof reportWaivers>): readonly WaiverReport[] =>
  reportWaivers(...given).map((one) => (one.state === 'stale' ? { ...one, state: 'idle' } : one))

/** A waiver that is no longer needed would hide the next fault. */
export const staleSentences = (reported: readonly WaiverReport[]): readonly string[] =>
  reported
    .filter(({ state }) => state === 'stale')
    .map(
      ({ requirement, owner }) => `${requirement} passes again: take its waiver (${owner}) out of the file`,
    )
