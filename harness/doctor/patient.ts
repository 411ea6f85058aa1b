import { setMaxListeners } from 'node:events'
import type { KnownSecret } from '../evidence/redaction.ts'
import type { Profile } from '../profile/schema.ts'
import type { Finding } from './finding.ts'
import type { Network, Patience } from './network.ts'

/** Who is examined. */
export interface Patient {
  readonly profile: Profile
  /** Without its last slash. */
  readonly baseUrl: string
  /** None of them is shown. */
  readonly secrets: readonly KnownSecret[]
  /** Where the target reaches this machine with notifications. */
  readonly webhookUrl?: string
  /** The profile as its author wrote it; without it, a binding that equals its default counts as left out. */
  readonly written?: unknown
}

/** What a step of an examination has at hand. */
export interface Visit {
  readonly patient: Patient
  readonly patience: Patience
  readonly network: Network
  /** Where the variables of proxies are looked up. */
  readonly env: NodeJS.ProcessEnv
}

export type Findings = readonly Finding[]

/** No step waits longer than this for one answer, in ms, however patient a run would be. */
const LONGEST_MS = 10_000

export const patienceWith = ({ profile }: Patient, ends: AbortSignal): Patience => {
  // All that is asked at the same time listens to it.
  setMaxListeners(0, ends)
  return { ms: Math.min(profile.deadlines.requestMs, LONGEST_MS), ends }
}

/** The host of an address as sockets want it: an IPv6 address has no brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
