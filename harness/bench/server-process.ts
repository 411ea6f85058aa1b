import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { ROOT } from '../plan/root.ts'
import { ENVIRONMENT, LAUNCH } from './child.ts'

/** A server in a process of its own: what it takes to answer is nobody else's processor time. */

export interface ServerProcess {
  /** Without a slash at its end. */
  readonly url: string
  stop(): Promise<void>
}

const [FILE, ...FLAGS] = LAUNCH

/** @param program from the project's root; the first line that it prints has its address. */
export const startServerProcess = async (
  program: string,
  args: readonly string[] = [],
): Promise<ServerProcess> => {
  const child = spawn(FILE, [...FLAGS, program, ...args], {
    cwd: ROOT,
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const [greeting] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => ['']),
  ])) as [string]
  const url = /http:\/\/\S+/.exec(greeting)?.[0]
  if (url === undefined) throw new Error(`${program} did not start`)
  return {
    url,
    async stop() {
      process.off('exit', kill)
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** Its clock stands still, so that no token expires however long the bench takes. */
export const startBankProcess = (): Promise<ServerProcess> =>
  startServerProcess('harness/cli/bank.ts', ['--port', '0', '--speed', '0'])
