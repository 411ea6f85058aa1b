import { interruptions } from '../interruptions.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { initialize } from './initialization.ts'
import { Cancelled } from './interviewer.ts'
import { parseOptions, refuseSwallowedOptions } from './options.ts'
import type { Surroundings } from './initialization.ts'

/** `npm run init`: asks for what it needs, tries it, and writes the profile of a target. */

const EXIT = { told: 0, configuration: 3, harness: 5, interrupted: 130 } as const

const surroundings = async (): Promise<Surroundings> => {
  const around = { env: process.env, ends: interruptions(new Cancelled('nothing was written')) }
  if (!process.stdin.isTTY || !process.stdout.isTTY) return { ...around, say: (line) => console.log(line) }
  const { terminalInterviewer } = await import('./terminal-interviewer.ts')
  return { ...around, interviewer: terminalInterviewer, say: (line) => console.log(line) }
}

const main = async (argv: readonly string[]): Promise<number> => {
  refuseSwallowedOptions(process.env)
  const invocation = parseOptions(argv)
  if (invocation.kind === 'help') {
    process.stdout.write(invocation.text)
    return EXIT.told
  }
  return initialize(invocation, await surroundings())
}

const failed = (error: unknown): number => {
  if (error instanceof Cancelled) {
    console.error(`Interrupted: ${error.message}.`)
    return EXIT.interrupted
  }
  if (error instanceof ConfigurationError) {
    console.error(error.message)
    return EXIT.configuration
  }
  console.error('The harness failed; this is no verdict on the target.')
  console.error(error)
  return EXIT.harness
}

process.exit(await main(process.argv.slice(2)).catch(failed))
