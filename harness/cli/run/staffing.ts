import { openGrantStore } from '../../session/authorization/grant-store.ts'
import { estimate } from '../../plan/render-plan.ts'
import type { Desk } from '../person/desk.ts'
import type { RunObserver } from '../../report/run-observer.ts'
import type { Preparation } from './prepare.ts'

/** What of an earlier run serves this one. */
export type Kept = NonNullable<Awaited<ReturnType<typeof openGrantStore>>>

/** @throws ConfigurationError where what is kept cannot be opened. */
export const openKeepingFor = async (
  { subject }: Preparation,
  env: NodeJS.ProcessEnv,
): Promise<Kept | undefined> =>
  subject.baseUrl === undefined ? undefined : openGrantStore(subject.profile, subject.baseUrl, env)

/** Who is there for a run that cannot authorize by itself. */

/** How often a person is asked at most, and how much longer the run may last for it, in ms. */
const demandOf = ({ plan, subject }: Preparation): { readonly times: number; readonly ms: number } => {
  const { authorization } = subject.profile
  const times = authorization.kind === 'person' ? estimate(plan).authorizations : 0
  return { times, ms: authorization.kind === 'person' ? times * authorization.deadlineMs : 0 }
}

/** How long a run may wait for a person, in ms; none of it is taken from its own deadline. */
export const askingMs = (preparation: Preparation): number => demandOf(preparation).ms

/**
 * Where a person is asked, if one is to be.
 * @throws ConfigurationError where nobody could answer, or nothing can listen for the redirect.
 */
export const openDeskFor = async (
  preparation: Preparation,
  observer: RunObserver,
  interruption: AbortSignal,
): Promise<Desk | undefined> => {
  const { plan, subject } = preparation
  const { profile } = subject
  const { times } = demandOf(preparation)
  if (profile.authorization.kind !== 'person' || times === 0) return undefined
  // Loaded only where somebody is asked.
  const { openDesk } = await import('../person/desk.ts')
  return openDesk({
    ...{ profile, way: profile.authorization, plan, expected: times, interruption },
    ...{ input: process.stdin, output: process.stderr },
    pause: () => observer.pauseOutput?.() ?? (() => undefined),
    // As if it had been pressed where nobody asks: the command ends the run in good order.
    interrupt: () => void process.kill(process.pid, 'SIGINT'),
  })
}
