import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from '../modules.ts'
import { ENVIRONMENT, NODE } from './child.ts'

/** The reference bank in a process of its own: what it takes to answer is nobody else's processor time. */

export interface BankProcess {
  /** Without a slash at its end. */
  readonly url: string
  stop(): Promise<void>
}

const [FILE, ...FLAGS] = NODE
const BANK = join(ROOT, 'harness', 'bank', 'main.ts')

/** Its clock stands still, so that no token expires however long the bench takes. */
export const startBankProcess = async (): Promise<BankProcess> => {
  const child = spawn(FILE, [...FLAGS, BANK, '--port', '0', '--speed', '0'], {
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
  if (url === undefined) throw new Error('the reference bank did not start')
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
