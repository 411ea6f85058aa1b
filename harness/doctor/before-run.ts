import { createRedactor } from '../evidence/redaction.ts'
import { firstLook } from './first-look.ts'
import { NETWORK } from './network.ts'
import { patienceWith } from './patient.ts'
import type { Reach } from '../target/probe.ts'
import type { Finding } from './finding.ts'
import type { Probing } from './first-look.ts'
import type { Patient } from './patient.ts'

/** The short form as the first step of a run: why the target is not reached, and what to be warned of. */

/** With sentences for a person who watches the run. */
export type Looked = Reach & { readonly warnings: readonly string[] }

/** The doubt of the probe says the same in its own words. */
const TOLD_BY_DOUBT = 'TGT-PATH-2'

const sentence = ({ code, title, cause, next }: Finding): string =>
  `${code} ${title}: ${cause} ${next}`.trim()

/**
 * The requests of the probe, beside connections on which nothing is sent.
 * @throws the reason of `ends`, once that is aborted.
 */
export const lookBeforeRun = async (
  patient: Patient,
  { ends, ...probing }: Probing & { readonly ends: AbortSignal },
): Promise<Looked> => {
  const visit = { patient, patience: patienceWith(patient, ends), network: NETWORK, env: process.env }
  const { reach, findings } = await firstLook(visit, probing)
  const redactor = createRedactor(patient.secrets)
  const told = findings.filter(({ code, level }) => level === 'warning' && code !== TOLD_BY_DOUBT)
  const warnings = told.map((finding) => `warning: ${redactor.text(sentence(finding))}`)
  if (reach.reached) return { ...reach, warnings }
  const error = findings.find(({ level }) => level === 'error')
  const why = error === undefined ? '' : `; ${redactor.text(sentence(error))}`
  return { ...reach, because: reach.because + why, warnings }
}
