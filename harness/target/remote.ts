import { Agent } from 'undici'
import { recorder } from '../evidence/recorder.ts'
import type { Dispatcher } from 'undici'
import type { Profile } from '../profile/schema.ts'
import type { Target } from './target.ts'

/** The connections to an address. */
export interface Connections {
  /** Composed with the recorder. */
  readonly dispatcher: Dispatcher
  close(): Promise<void>
}

/**
 * A request that may be repeated goes over connections that are kept; any other one goes over a connection of its own,
 * which no server has idled out: whether it was carried out must never be left open by that.
 */
const apart =
  (own: Dispatcher): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    options.idempotent === false ? own.dispatch(options, handler) : dispatch(options, handler)

export const openConnections = ({ deadlines }: Profile): Connections => {
  // The deadline of a request ends whatever takes too long: no other clock of the client may come before it.
  const settings = { connect: { timeout: deadlines.requestMs }, headersTimeout: 0, bodyTimeout: 0 }
  const kept = new Agent(settings)
  const own = new Agent({ ...settings, pipelining: 0 })
  return {
    dispatcher: kept.compose(apart(own), recorder),
    async close() {
      await Promise.all([kept.destroy(), own.destroy()])
    },
  }
}

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
