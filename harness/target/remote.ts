import { Agent } from 'undici'
import { recorder } from '../evidence/recorder.ts'
import type { Profile } from '../profile/schema.ts'
import type { Target } from './target.ts'

/** A target at an address: one set of connections, shared by all scenarios. */
export const createRemoteTarget = (profile: Profile, baseUrl: string): Target => {
  const agent = new Agent({ connect: { timeout: profile.deadlines.requestMs } })
  const dispatcher = agent.compose(recorder)
  return {
    profile,
    fresh: false,
    open: async () => ({ baseUrl, dispatcher, close: async () => undefined }),
    close: () => agent.destroy(),
  }
}
