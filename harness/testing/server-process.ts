import { execa } from 'execa'
import { ROOT } from '../plan/root.ts'
import type { Readable } from 'node:stream'

/** A server in a process of its own, which is known to listen. */
export interface ServerProcess {
  /** Without a slash at its end. */
  readonly url: string
  /** Resolves once the process is gone. */
  readonly stop: () => Promise<void>
}

const DEADLINE_MS = 60_000
const STUBBORN_MS = 2_000

/**
 * Starts a program that writes the address where it listens to its standard output, and waits for that.
 * @param program its path from the project's root.
 * @throws with what the program wrote to its standard error, where it ends or stays silent instead.
 */
export const startServerProcess = async (
  program: string,
  args: readonly string[] = [],
): Promise<ServerProcess> => {
  const child = execa(process.execPath, ['--import', 'tsx', program, ...args], {
    cwd: ROOT,
    reject: false,
    forceKillAfterDelay: STUBBORN_MS,
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
  throw new Error(`${program} did not say where it listens: ${stderr}`)
}

/** The first address that stands there whole; nothing, where the output ends before. */
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
