import { initialize, type InitContext } from './init/initialize.ts'
import { Cancelled } from './init/prompter.ts'
import { parseInitOptions, refuseInitOptionsConsumedByNpm } from './init/options.ts'
import { EXIT, interruptions } from './exit.ts'

/** `npm run init`: asks for the data of a target, probes the target, and writes its profile. */

const initContext = async (): Promise<InitContext> => {
  const base = { env: process.env, ends: interruptions(new Cancelled('nothing was written')) }
  if (!process.stdin.isTTY || !process.stdout.isTTY) return { ...base, say: (line) => console.log(line) }
  const { terminalPrompter } = await import('./init/prompter.ts')
  return { ...base, prompter: terminalPrompter, say: (line) => console.log(line) }
}

export const main = async (argv: readonly string[]): Promise<number> => {
  refuseInitOptionsConsumedByNpm(process.env)
  return initialize(parseInitOptions(argv), await initContext()).catch(exitCodeAfter)
}

const exitCodeAfter = (error: unknown): number => {
  if (!(error instanceof Cancelled)) throw error
  console.error(`Interrupted: ${error.message}.`)
  return EXIT.interrupted
}
