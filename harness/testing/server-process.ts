import { execa } from 'execa'
import { ROOT } from '../plan/root.ts'
import { program } from './program.ts'
import type { Readable } from 'node:stream'

/** A server that listens, in its own process. */
export interface ServerProcess {
  /** Without a trailing slash. */
  readonly url: string
  /** Resolves when the process has ended. */
  readonly stop: () => Promise<void>
}

const DEADLINE_MS = 60_000
const FORCE_KILL_MS = 2_000

/**
 * Starts a program that writes its address to its standard output, and waits for that.
 * @param source the program's source, relative to the root.
 * @throws with the standard error of the program, if it ends or does not write an address before the deadline.
 */
export const startServerProcess = async (
  source: string,
  args: readonly string[] = [],
): Promise<ServerProcess> => {
  const child = execa(process.execPath, program(source, ...args), {
    cwd: ROOT,
    reject: false,
    forceKillAfterDelay: FORCE_KILL_MS,
  })
  const stop = async (): Promise<void> => {
    child.kill()
    await child
  }
  const deadline = setTimeout(() => child.kill(), DEADLINE_MS)
  const url = await addressFrom(child.stdout)
  clearTimeout(deadline)
  if (url !== undefined) return { url, stop }
  const { stderr } = await child
  throw new Error(`${source} did not say where it listens: ${stderr}`)
}

/** The first complete address in the output; undefined if the output ends without one. */
const addressFrom = (output: Readable): Promise<string | undefined> =>
  new Promise((resolve) => {
    let text = ''
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /http:\/\/\S+(?=\s)/.exec(text)?.[0]
      if (address !== undefined) resolve(address)
    })
    output.once('end', () => resolve(undefined))
  })
