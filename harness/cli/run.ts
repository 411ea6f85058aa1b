import { EXIT } from './exit.ts'
import { parseRunOptions, refuseRunOptionsConsumedByNpm, type RunCommand } from './run/options.ts'

/** `npm test`: parses the command line. What runs a plan is loaded only if there is one to run. */

/** @param command `plan` shows the plan and sends nothing. */
export const mainOf =
  (command: RunCommand) =>
  async (argv: readonly string[]): Promise<number> => {
    refuseRunOptionsConsumedByNpm(process.env, command)
    const invocation = parseRunOptions(argv, command)
    if ('text' in invocation) {
      process.stdout.write(invocation.text)
      return EXIT.ok
    }
    const { start } = await import('./run/start.ts')
    return start(invocation, argv)
  }

export const main = mainOf('run')
