import { ConfigurationError } from '../profile/configuration-error.ts'

/** The exit codes of the commands. Other people's scripts rely on them. */
export const EXIT = {
  ok: 0,
  nonconforming: 1,
  incomplete: 2,
  configuration: 3,
  unreachable: 4,
  harness: 5,
  interrupted: 130,
} as const

/** Tells the user why a command failed. @returns the exit code. */
export const reportFailure = (error: unknown): number => {
  if (error instanceof ConfigurationError) {
    console.error(error.message)
    return EXIT.configuration
  }
  console.error('The harness failed; this is no verdict on the target.')
  console.error(error)
  return EXIT.harness
}
