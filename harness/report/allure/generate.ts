import { fork } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { moduleFile, nodeArguments } from '../../modules.ts'
import type { ChildProcess } from 'node:child_process'

export interface Generator {
  /** Has the results read that are there by now, beside whatever else goes on. */
  read(): void
  /**
   * Writes `allure-report/index.html` from the results, which are all there by now. Resolves to a warning if that failed: it
   * never changes a verdict.
   * @param title what the report is called: the target and the conclusion.
   */
  generate(title?: string): Promise<string | undefined>
  /** Ends the process without a report. */
  stop(): void
}

/** What the process is told: that there is more to read, and in the end what the report is called. */
export type Word = { readonly read: true } | { readonly title: string }

const answerSchema = z.object({ done: z.boolean(), because: z.string().optional() })

const warning = (because: string): string =>
  `The Allure report was not generated: ${because}. The verdicts are not affected; report.json has them all.`

const TIMEOUT_MS = 60_000

const start = (program: string, outDir: string): ChildProcess =>
  fork(program, [outDir], {
    execArgv: [...nodeArguments()],
    // The options of the process that starts it are for that process alone.
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })

/** The first thing that the process has to say: that it is done, or why it cannot be. */
const listen = (child: ChildProcess): Promise<string | undefined> =>
  new Promise((resolve) => {
    let complaint = ''
    child.stderr?.on('data', (text: Buffer) => (complaint = `${complaint}${text.toString()}`.slice(-500)))
    child.on('message', (message) => {
      const { done, because } = answerSchema.parse(message)
      resolve(done ? undefined : warning(because ?? 'no reason was given'))
    })
    child.on('error', (error) => resolve(warning(error.message)))
    child.on('exit', (code, signal) =>
      resolve(warning(`its process ended (${signal ?? code ?? 'unknown'}) ${complaint}`.trim())),
    )
  })

const PROGRAM = moduleFile(fileURLToPath(new URL('./generator-process.ts', import.meta.url)))

/** Starts the generator's process, which loads its modules while the tests run. */
export const startGenerator = (outDir: string, program = PROGRAM, timeoutMs = TIMEOUT_MS): Generator => {
  const child = start(program, outDir)
  const answer = listen(child)
  // While it only waits, it must not keep the run alive.
  child.unref()
  child.channel?.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()

  // A process that is gone has already said why.
  const tell = (word: Word): void => {
    if (child.connected) child.send(word, () => undefined)
  }
  return {
    read: () => tell({ read: true }),
    generate: async (title = 'Conformance') => {
      child.channel?.ref()
      let timer: NodeJS.Timeout | undefined
      const tooLong = new Promise<string>((resolve) => {
        timer = setTimeout(() => resolve(warning(`it took longer than ${timeoutMs} ms`)), timeoutMs)
      })
      tell({ title })
      const outcome = await Promise.race([answer, tooLong])
      clearTimeout(timer)
      child.kill('SIGKILL')
      return outcome
    },
    stop: () => void child.kill('SIGKILL'),
  }
}
