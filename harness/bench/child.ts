import { execa } from 'execa'
import { ROOT } from '../plan/root.ts'

/** Starts what is measured as a user would: a command, in the project's root. */

export interface Ended {
  readonly exitCode: number
  readonly ms: number
  readonly stdout: string
  readonly stderr: string
}

const PROXIES = ['http_proxy', 'https_proxy', 'all_proxy']

/** Nothing that is measured may ask anybody but this machine: no proxy, and no question for a newer npm. */
export const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !PROXIES.includes(name.toLowerCase())),
  ),
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  FORCE_COLOR: '0',
}

/** Starts a program of the project as its users do. */
export const LAUNCH = [process.execPath, '--import', 'tsx'] as const

/** The wall time of a process from its start to its exit. */
export const timed = async (command: readonly string[]): Promise<Ended> => {
  const [file = '', ...args] = command
  const startedAt = performance.now()
  const { exitCode, stdout, stderr } = await execa(file, args, {
    cwd: ROOT,
    env: ENVIRONMENT,
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
  })
  return { exitCode: exitCode ?? -1, ms: performance.now() - startedAt, stdout, stderr }
}
