import { EXIT } from './exit.ts'
import { parseRunOptions, refuseRunOptionsConsumedByNpm, type RunCommand } from './run/options.ts'

/** `npm test`: parses the command line. What runs a plan is loaded only if there is one to run. */

/** @param command `plan` shows the plan and sends nothing. */
export const mainOf =
  (command: RunCommand) =>
  async (argv: readonly string[]): Promise<number> => {
    refuseRunOptionsConsumedByNpm(process.env, command)
    const invocation = parseRunOptions(argv, command)
    if (invocation.kind === 'run') return (await import('./run.ts')).run(invocation, argv)
    if (invocation.kind === 'resume') return (await import('./run.ts')).resume(invocation, argv)
    process.stdout.write(invocation.text)
    return EXIT.ok
  }

export const main = mainOf('run')
