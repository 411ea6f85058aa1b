import { openConnections } from './connections.ts'
import type { Profile } from '../profile/schema.ts'
import type { Target } from './target.ts'

/** A target at an address: one set of connections, shared by all scenarios. */
export const createRemoteTarget = (profile: Profile, baseUrl: string): Target => {
  const connections = openConnections(profile)
  return {
    profile,
    fresh: false,
    shared: true,
    open: async () => ({
      baseUrl,
      dispatcher: connections.dispatcher,
    }),
    close: () => connections.close(),
  }
}
