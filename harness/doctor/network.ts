import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** The network, as far as an examination needs it, and what is given up when its time has passed. */

export interface Address {
  readonly address: string
  /** 4 or 6. */
  readonly family: number
}

export interface Network {
  /** All addresses of a name, in the order in which the system gives them. */
  resolve(host: string): Promise<readonly Address[]>
  /** A socket that is about to be connected. */
  connect(address: string, port: number): Socket
}

export const NETWORK: Network = {
  resolve: (host) => lookup(host, { all: true, order: 'verbatim' }),
  connect: (host, port) => connect({ host, port }),
}

/** What was not there when its time had passed. */
export class Late extends Error {
  override readonly name = 'Late'
  readonly code = 'DEADLINE'
}

/** How long somebody waits, and what ends all waiting. */
export interface Patience {
  /** For one step, in ms. */
  readonly ms: number
  readonly ends: AbortSignal
}

/**
 * What comes of the work, if it comes in time.
 * @throws Late once the time has passed, and the reason of `ends` once that is aborted.
 */
export const within = <T>(work: Promise<T>, { ms, ends }: Patience): Promise<T> =>
  new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(deadline)
      ends.removeEventListener('abort', end)
      act()
    }
    const end = (): void => settle(() => reject(ends.reason as Error))
    const deadline = setTimeout(() => settle(() => reject(new Late(`nothing came within ${ms} ms`))), ms)
    ends.addEventListener('abort', end, { once: true })
    if (ends.aborted) end()
    work.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error instanceof Error ? error : new Error(String(error)))),
    )
  })

/** The code of the system for what went wrong, such as ECONNREFUSED. */
export const codeOf = (error: unknown): string => {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : String(name)
}

/** The socket once it is connected; destroyed where it is not. */
export const connected = async (socket: Socket, patience: Patience): Promise<Socket> => {
  const connecting = new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  try {
    await within(connecting, patience)
    // What becomes of it later is told by who uses it.
    socket.on('error', () => undefined)
    return socket
  } catch (error) {
    socket.on('error', () => undefined)
    socket.destroy()
    throw error
  }
}
