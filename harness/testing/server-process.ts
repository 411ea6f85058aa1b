import { execa } from 'execa'
import { ROOT } from '../plan/root.ts'
import { pace } from './pace.ts'
import { program } from './program.ts'
import type { Readable } from 'node:stream'

/** A server that listens, in its own process. */
export interface ServerProcess {
  /** Without a trailing slash. */
  readonly url: string
  /** Resolves when the process has ended. */
  readonly stop: () => Promise<void>
}

const DEADLINE_MS = Math.round(60_000 * pace)
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

/** A working day of the reference bank, at a time within its payment hours. */
const NOON = '2026-01-05T12:00:00Z'

/**
 * The reference bank, at a free port. Its time at the start is a noon, whatever the hour of the machine: late in the evening
 * it rejects payments. @param args further options; a `--start-at` among them has precedence.
 */
export const startBankProcess = (...args: readonly string[]): Promise<ServerProcess> =>
  startServerProcess('harness/cli/main.ts', ['bank', '--port', '0', '--start-at', NOON, ...args])

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
