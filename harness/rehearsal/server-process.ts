import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { ROOT } from '../plan/catalogue.ts'

/** A server in a process of its own, which is known to answer. */
export interface ServerProcess {
  /** Without a slash at its end. */
  readonly url: string
  /** Resolves once the process is gone. */
  stop(): Promise<void>
}

const DEADLINE_MS = 20_000
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

const addressFrom = async (output: NodeJS.ReadableStream): Promise<string | undefined> => {
  for await (const line of createInterface(output)) {
    const address = /http:\/\/\S+/.exec(line)?.[0]
    if (address === undefined) continue
    // What comes later is of no interest, but must not fill the pipe.
    output.resume()
    return address
  }
  return undefined
}
