import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { ROOT } from '../plan/root.ts'
import { program } from '../testing/program.ts'

/** Processes that are measured, started in the project's root. */

const PROXIES = ['http_proxy', 'https_proxy', 'all_proxy']

/** No other machine is contacted: no proxy, and no check for a newer npm. */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !PROXIES.includes(name.toLowerCase())),
  ),
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  FORCE_COLOR: '0',
}

const OPTIONS = { cwd: ROOT, env: ENVIRONMENT, extendEnv: false, stdin: 'ignore' } as const

/** The shell's `times` ends with the times of its children, and of theirs: `1m2.500s 0m0.250s`, user and system. */
const cpuSecondsIn = (stderr: string): number =>
  [...stderr.matchAll(/(\d+)m([\d.]+)s/g)]
    .slice(-2)
    .reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0)

/**
 * Runs a command to its end. @returns its wall time in ms, its CPU time (user and system) in seconds, and its standard output.
 * @throws if it ends with another code than the expected one.
 */
export const timed = async (command: readonly string[], expectedCode = 0) => {
  const startedAt = performance.now()
  const script = '"$@"; [ $? = "$0" ] || exit; times >&2'
  const { stdout, stderr } = await execa('sh', ['-c', script, String(expectedCode), ...command], OPTIONS)
  return { ms: performance.now() - startedAt, cpuSeconds: cpuSecondsIn(stderr), stdout }
}

/** A process that prints lines. */
export interface PrintingProcess {
  /** @throws if the process ends first. */
  nextLine(): Promise<string>
  stop(): Promise<void>
}

export const startProcess = (file: string, ...args: readonly string[]): PrintingProcess => {
  const child = execa(process.execPath, program(file, ...args), {
    ...OPTIONS,
    stderr: 'inherit',
    reject: false,
    forceKillAfterDelay: 2_000,
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    async nextLine() {
      const line = await lines.next()
      if (line.done === true) throw new Error(`${file} ended before it printed what was expected`)
      return line.value
    },
    async stop() {
      child.kill()
      await child
    },
  }
}

/** A server whose first line contains its address. */
export const startServer = async (file: string, ...args: readonly string[]) => {
  const server = startProcess(file, ...args)
  const url = /http:\/\/\S+/.exec(await server.nextLine())?.[0]
  if (url === undefined) throw new Error(`${file} did not print its address`)
  return { url, stop: () => server.stop() }
}
