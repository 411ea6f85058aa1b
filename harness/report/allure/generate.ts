import { fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

export interface Generator {
  /** Writes `allure-report/index.html`. Resolves to a warning if that failed: it never changes a verdict. */
  generate(): Promise<string | undefined>
  /** Ends the process without a report. */
  stop(): void
}

const answerSchema = z.object({ done: z.boolean(), because: z.string().optional() })

const warning = (because: string): string =>
  `The Allure report was not generated: ${because}. The verdicts are not affected; report.json has them all.`

const TIMEOUT_MS = 60_000

/** Starts the generator's process, which loads its modules while the tests run. */
export const startGenerator = (outDir: string): Generator => {
  const child = fork(fileURLToPath(new URL('./generator-process.ts', import.meta.url)), [outDir], {
    execArgv: ['--import', createRequire(import.meta.url).resolve('tsx')],
    // The options of the process that starts it are for that process; a report has no use for them.
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let complaint = ''
  child.stderr?.on('data', (text: Buffer) => (complaint = `${complaint}${text.toString()}`.slice(-500)))
  // A process that only waits must not keep the run alive.
  child.unref()

  const answer = new Promise<string | undefined>((resolve) => {
    child.on('message', (message) => {
      const { done, because } = answerSchema.parse(message)
      resolve(done ? undefined : warning(because ?? 'no reason was given'))
    })
    child.on('error', (error) => resolve(warning(error.message)))
    child.on('exit', (code, signal) =>
      resolve(warning(`its process ended with ${code ?? signal}. ${complaint}`)),
    )
  })

  return {
    generate: async () => {
      const patience = AbortSignal.timeout(TIMEOUT_MS)
      const tooLong = new Promise<string>((resolve) => {
        patience.addEventListener('abort', () =>
          resolve(warning(`it took longer than ${TIMEOUT_MS / 1000} s`)),
        )
      })
      child.ref()
      child.send('generate', (error) => error && child.kill())
      const result = await Promise.race([answer, tooLong])
      child.kill()
      return result
    },
    stop: () => void child.kill(),
  }
}
