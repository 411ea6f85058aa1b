import { noJournal } from '../evidence/journal.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { tlsOf } from '../target/connections.ts'
import { openChart } from './chart.ts'
import { find } from './finding.ts'
import { firstLook } from './first-look.ts'
import { NETWORK } from './network.ts'
import { patienceWith } from './patient.ts'
import type { Journal } from '../evidence/journal.ts'
import type { Finding } from './finding.ts'
import type { Network } from './network.ts'
import type { Findings, Patient, Visit } from './patient.ts'

export type { Finding } from './finding.ts'
export type { Patient } from './patient.ts'

/** An examination of a target before a run: what would go wrong, why, and what to do about it. */

export interface Examination {
  /** `short`: the line to the target, and one request without a token. `whole`: all that can be told without a customer. */
  readonly depth: 'short' | 'whole'
  /** Ends it: what is under way is given up. */
  readonly ends: AbortSignal
  /** Is told each finding as it comes. */
  readonly onFinding?: (finding: Finding) => void
  /** Where its exchanges are kept; nowhere, if it is left out. */
  readonly journal?: Journal
  /** Where HTTPS_PROXY and its like are looked up; this process's, if it is left out. */
  readonly env?: NodeJS.ProcessEnv
  readonly network?: Network
}

const SCENARIO = 'doctor'

/**
 * Reads alone, unless the profile allows the effect `consent`: then consents are created, authorization pages opened and
 * grants asked for that nobody has. Each step waits for ten seconds at most, and less where `deadlines.requestMs` says so.
 * @throws the reason of `ends`, once that is aborted.
 */
export const examine = async (patient: Patient, examination: Examination): Promise<Findings> => {
  const { depth, ends, onFinding, journal = noJournal, env = process.env, network = NETWORK } = examination
  const chart = openChart(patient, ends, onFinding)
  const visit = visitOf(patient, { ends, env, network })
  const unusable = unusableFiles(patient)
  if (unusable.length > 0) {
    chart.note([...unusable, find('OWN-LEFT-1', { cause: 'All requests: left out, because of CFG-CONN-1.' })])
    return chart.findings
  }
  await chart.step('first look', async () => {
    const first = await firstLook(visit, { journal, scenario: `${SCENARIO}:probe` })
    if (depth === 'short') return first.findings
    chart.note(first.findings)
    const { wholeLook } = await import('./whole-look.ts')
    await wholeLook({ visit, chart, journal, first, scenario: SCENARIO })
    return []
  })
  return chart.findings
}

const visitOf = (
  patient: Patient,
  given: Pick<Visit, 'env' | 'network'> & { readonly ends: AbortSignal },
): Visit => {
  const patience = patienceWith(patient, given.ends)
  const { profile } = patient
  const deadlines = { ...profile.deadlines, requestMs: patience.ms }
  return {
    patient: { ...patient, profile: { ...profile, deadlines } },
    patience,
    env: given.env,
    network: given.network,
  }
}

const unusableFiles = ({ profile }: Patient): Findings => {
  try {
    tlsOf(profile.connection)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return [find('CFG-CONN-1', { cause: error.message })]
    throw error
  }
}
