import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll } from 'vitest'
import { OUTPUT } from '../../evidence/output.ts'
import { ROOT } from '../../plan/root.ts'
import { suite } from '../program.ts'
import { reportSchema, type Report, type RequirementReport } from '../../report/schema.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { pace } from '../pace.ts'
import { userEnvironment } from '../user-environment.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** Runs the real command as a user does, and reads the files that it wrote. */

/** Called once in a test file. Returns a function that creates a folder; all folders are removed after the tests. */
export const scratchFolders = (): (() => string) => {
  const root = mkdtempSync(join(tmpdir(), 'faults-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  return () => mkdtempSync(join(root, 'run-'))
}

/** Writes a profile of the reference bank. It has no test hooks, so that the first request is that of a scenario. */
export const writeProfile = (folder: string, changes: Partial<ProfileInput> = {}): string => {
  const file = join(folder, 'profile.json')
  writeFileSync(file, JSON.stringify({ ...referenceProfile(), testHooks: {}, ...changes }))
  return file
}

/** The report and the evidence that a run wrote. */
export interface RunFiles {
  /** Undefined if the run wrote none. */
  readonly report: Report | undefined
  readonly evidence: readonly Exchange[]
}

export interface Ended extends RunFiles {
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
  /** The highest memory use of the process. */
  readonly memoryMib: number
}

const textOf = (file: string): string =>
  existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : ''

export const readRunFiles = (out: string): RunFiles => {
  const report = textOf(join(out, OUTPUT.report))
  return {
    report: report === '' ? undefined : reportSchema.parse(JSON.parse(report)),
    evidence: textOf(join(out, OUTPUT.evidence))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Exchange),
  }
}

/** Longer than any of these runs may take, also on a busy machine. */
export const RUN_DEADLINE_MS = Math.round(280_000 * pace)

/** A module that writes the highest memory use of its process to a file at the end. */
const meter = (file: string): string =>
  `data:text/javascript,${encodeURIComponent(
    `import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(${JSON.stringify(file)},String(process.resourceUsage().maxRSS/1024)))`,
  )}`

export interface Started {
  readonly out: string
  /** Ctrl-C. */
  interrupt(): void
  /** Sends signals, all at once. */
  signal(...signals: readonly NodeJS.Signals[]): void
  /** The terminal is closed: nobody reads the output any more. */
  closeTerminal(): void
  /** Calls the function for each piece of output. */
  onOutput(listen: () => void): void
  ended(): Promise<Ended>
}

/**
 * Starts the command.
 * @param folder where the reports go; `--out` is added.
 * @param pages whether the HTML pages are written too.
 */
export const start = (
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  pages: readonly '--no-pages'[] = ['--no-pages'],
): Started => {
  const [out, memory] = [join(folder, 'out'), join(folder, 'memory')]
  const child = execa(
    process.execPath,
    ['--import', meter(memory), ...suite('run', ...args, ...pages, '--out', out)],
    {
      cwd: ROOT,
      env: userEnvironment(env),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      timeout: RUN_DEADLINE_MS,
      killSignal: 'SIGKILL',
    },
  )
  return {
    out,
    interrupt: () => void child.kill('SIGINT'),
    signal: (...signals) => signals.forEach((signal) => void child.kill(signal)),
    closeTerminal() {
      child.stdout.destroy()
      child.stderr.destroy()
      child.kill('SIGHUP')
    },
    onOutput(listen) {
      for (const stream of [child.stdout, child.stderr]) stream.on('data', listen)
    },
    async ended() {
      const { exitCode, stdout, stderr } = await child
      return { exitCode, stdout, stderr, memoryMib: Number(textOf(memory)), ...readRunFiles(out) }
    },
  }
}

export const run = (folder: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> =>
  start(folder, args, env).ended()

/** The requirements that had checks to run. */
export const judgedIn = ({ report }: RunFiles): readonly RequirementReport[] =>
  report?.requirements.filter(
    ({ verdict, checks }) => checks.length > 0 && verdict !== 'not-applicable' && verdict !== 'not-tested',
  ) ?? []

/** The verdicts on the requirements that had checks to run, each once, sorted. */
export const verdictsIn = (files: RunFiles): readonly string[] =>
  [...new Set(judgedIn(files).map(({ verdict }) => verdict))].sort()

/** Every reason that the report gives, each once. */
export const reasonsIn = (files: RunFiles): readonly string[] => [
  ...new Set(judgedIn(files).flatMap(({ checks }) => checks.flatMap(({ because }) => because ?? []))),
]
