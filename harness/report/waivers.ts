import type { Waiver } from '../plan/waivers.ts'
import type { Judgement } from './conclude.ts'
import type { Report } from './schema.ts'

/** The state of each accepted exception after a run. */

export type WaiverReport = NonNullable<Report['waivers']>[number]

/** A waiver of a requirement that the run did not judge is idle. */
const stateOf = (judgement: Judgement | undefined): WaiverReport['state'] => {
  if (judgement?.verdict === 'waived') return 'needed'
  return judgement?.verdict === 'pass' ? 'stale' : 'idle'
}

export const reportWaivers = (
  waivers: readonly Waiver[],
  verdicts: ReadonlyMap<string, Judgement>,
): readonly WaiverReport[] =>
  waivers.map((waiver) => ({ ...waiver, state: stateOf(verdicts.get(waiver.requirement)) }))

/** A waiver that is no longer needed would hide the next fault. */
export const staleSentence = ({ requirement, owner }: WaiverReport): string =>
  `${requirement} passes now: remove its accepted exception (${owner}) from the file`

export const staleSentences = (reported: readonly WaiverReport[]): readonly string[] =>
  reported.filter(({ state }) => state === 'stale').map(staleSentence)

const STATE_WORDS: Readonly<Record<WaiverReport['state'], string>> = {
  needed: '',
  stale: 'no longer needed; ',
  idle: 'not judged in this run; ',
}

export const waiverSentence = ({ reason, owner, expires, state }: WaiverReport): string =>
  `${STATE_WORDS[state]}until ${expires}, ${owner}: ${reason}`
