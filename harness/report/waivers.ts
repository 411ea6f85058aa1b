import type { Waiver } from '../plan/waivers.ts'
import type { Judgement } from './conclude.ts'
import type { Report } from './schema.ts'

/** What became of each declared exception in a run. */

export type WaiverReport = NonNullable<Report['waivers']>[number]

const STATES = { waived: 'needed', pass: 'stale' } as const

/** A requirement that the run did not come to says nothing about its waiver. */
const stateOf = (judgement: Judgement | undefined): WaiverReport['state'] => {
  const verdict = judgement?.verdict
  return verdict === 'waived' || verdict === 'pass' ? STATES[verdict] : 'idle'
}

export const reportWaivers = (
  waivers: readonly Waiver[],
  verdicts: ReadonlyMap<string, Judgement>,
): readonly WaiverReport[] =>
  waivers.map((waiver) => ({ ...waiver, state: stateOf(verdicts.get(waiver.requirement)) }))

/** What passes in one part of a plan may be broken in another: whether a waiver is stale, the whole says. */
export const reportWaiversOfPart = (...given: Parameters<typeof reportWaivers>): readonly WaiverReport[] =>
  reportWaivers(...given).map((one) => (one.state === 'stale' ? { ...one, state: 'idle' } : one))

/** A waiver that is needed no more would hide the next break. */
export const staleSentences = (reported: readonly WaiverReport[]): readonly string[] =>
  reported
    .filter(({ state }) => state === 'stale')
    .map(
      ({ requirement, owner }) => `${requirement} passes again: take its waiver (${owner}) out of the file`,
    )
