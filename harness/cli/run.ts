import { refuseFewFiles } from './run/open-files.ts'
import { parseRunOptions, refuseRunOptionsConsumedByNpm, type RunCommand } from './run/options.ts'

/** `npm test`: parses the command line. What runs a plan is loaded only if there is one to run. */

/** @param command `plan` shows the plan and sends nothing. */
export const mainOf =
  (command: RunCommand) =>
  async (argv: readonly string[]): Promise<number> => {
    refuseRunOptionsConsumedByNpm(process.env, command)
    const asked = parseRunOptions(argv, command)
    refuseFewFiles()
    const { makeReady } = await import('./run/before.ts')
    const ready = await makeReady(asked, argv)
    if (typeof ready === 'number') return ready
    const { run } = await import('../engine/run.ts')
    try {
      const { exitCode } = await run(ready.prepared, ready.around)
      return exitCode
    } finally {
      await ready.close()
    }
  }

export const main = mainOf('run')
