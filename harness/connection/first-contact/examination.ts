import { lookup } from 'node:dns/promises'
import { setMaxListeners } from 'node:events'
import { connect, type Socket } from 'node:net'
import { systemCodeOf } from '../../evidence/errors.ts'
import { within as endsWithin } from '../../profile/within.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import type { Profile } from '../../profile/schema.ts'

export interface ExaminedTarget {
  readonly profile: Profile
  /** Without its last slash. */
  readonly baseUrl: string
  /** They are never shown. */
  readonly secrets: readonly KnownSecret[]
  /** The address at which the target sends notifications to this machine. */
  readonly webhookUrl?: string
  /** The profile as its author wrote it. Without it, a binding that equals its default counts as left out. */
  readonly written?: unknown
}

export interface Examination {
  readonly target: ExaminedTarget
  readonly timeout: Timeout
  readonly network: Network
  /** The environment with the variables of proxies. */
  readonly env: NodeJS.ProcessEnv
}

export interface Timeout {
  /** Of one step, in ms. */
  readonly ms: number
  /** Ends all waiting. */
  readonly signal: AbortSignal
}

export interface Address {
  readonly address: string
  /** 4 or 6. */
  readonly family: number
}

export interface Network {
  /** All addresses of a name, in the order in which the system gives them. */
  resolve(host: string): Promise<readonly Address[]>
  connect(address: string, port: number): Socket
}

export const NETWORK: Network = {
  resolve: (host) => lookup(host, { all: true, order: 'verbatim' }),
  connect: (host, port) => connect({ host, port }),
}

/** No step waits longer than this for one answer, in ms, even where a run would. */
const LONGEST_MS = 10_000

export const timeoutFor = ({ profile }: ExaminedTarget, signal: AbortSignal): Timeout => {
  // All concurrent steps are aborted by it.
  setMaxListeners(0, signal)
  return { ms: Math.min(profile.deadlines.requestMs, LONGEST_MS), signal }
}

/**
 * The result of the work, if it ends in time.
 * @throws TooLate after the time, and the reason of the signal when that is aborted.
 */
export const within = <T>(work: Promise<T>, { ms, signal }: Timeout): Promise<T> =>
  endsWithin(ms, work, signal)

export const codeOf = (error: unknown): string =>
  systemCodeOf(error) ?? (error instanceof Error ? error.name : String(error))

/** The connected socket. It is destroyed if the connection fails. */
export const connected = async (socket: Socket, timeout: Timeout): Promise<Socket> => {
  const connecting = new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  // A later error is reported by the code that uses the socket; without a listener it would end the process.
  socket.on('error', () => undefined)
  try {
    await within(connecting, timeout)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** The host of an address in the form that sockets need: an IPv6 address without brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
