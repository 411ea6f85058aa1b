import { initialize } from './init/initialize.ts'
import { Cancelled } from './init/questions.ts'
import { parseInitOptions, refuseSwallowedInitOptions } from './init/options.ts'
import { EXIT, interruptions, reportFailure } from './exit.ts'
import type { Surroundings } from './init/initialize.ts'

/** `npm run init`: asks for what it needs, tries it, and writes the profile of a target. */

const surroundings = async (): Promise<Surroundings> => {
  const around = { env: process.env, ends: interruptions(new Cancelled('nothing was written')) }
  if (!process.stdin.isTTY || !process.stdout.isTTY) return { ...around, say: (line) => console.log(line) }
  const { terminalInterviewer } = await import('./init/questions.ts')
  return { ...around, interviewer: terminalInterviewer, say: (line) => console.log(line) }
}

const main = async (argv: readonly string[]): Promise<number> => {
  refuseSwallowedInitOptions(process.env)
  const invocation = parseInitOptions(argv)
  if (invocation.kind === 'help') {
    process.stdout.write(invocation.text)
    return EXIT.ok
  }
  return initialize(invocation, await surroundings())
}

const failed = (error: unknown): number => {
  if (!(error instanceof Cancelled)) return reportFailure(error)
  console.error(`Interrupted: ${error.message}.`)
  return EXIT.interrupted
}

process.exit(await main(process.argv.slice(2)).catch(failed))
