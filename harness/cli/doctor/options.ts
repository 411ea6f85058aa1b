import { typed } from '../../evidence/command-names.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { HELP, readCommandLine, TARGET_OPTIONS, type CommandDefinition } from '../options.ts'
import type { TargetOptions } from '../../engine/run/options.ts'

export interface DoctorOptions {
  readonly target: TargetOptions & { readonly profile: string }
  readonly json: boolean
  /** Whether each binding is tried once, with a login of a customer. */
  readonly day: boolean
  /** Whether customers log in, once each. */
  readonly login: boolean
}

const DOCTOR_COMMAND: CommandDefinition = {
  command: 'doctor',
  description: 'Examines a target before a run, and reports each problem with its cause and the next step.',
  usage: '--profile FILE [options]',
  groups: {
    Options: [
      ['--profile <file>', 'the file that describes the target'],
      ...TARGET_OPTIONS,
      [
        '--day',
        "walk through a customer's day: log in and agree, and try each operation of the profile once",
      ],
      ['--no-login', 'log no customer in'],
      ['--json', 'print only the findings, as JSON'],
      HELP,
    ],
  },
  epilogue: `
It sends only requests that read, unless the profile allows the effect consent.
Then it creates a consent for each TPP, opens authorization pages without a
login, sends a code that was never issued to the token endpoint, and logs each
customer in once, to list the accounts. It calls a --webhook-url once, as the
target would.

With --day the first customer logs in and agrees, and each operation is sent
once, in the order of a day: the accounts, and in a sandbox whose effects are
allowed one payment of the smallest amount and one loan application. A table
says which keys of the profile fit the answers. It judges nothing.

Exit codes:
  0    no error was found; there may be warnings
  3    the options or the profile are wrong, or a run would judge nothing
  4    the network has an error, or no answer comes
  5    the suite itself failed
  130  interrupted

The codes of the findings: docs/doctor.md
`,
}

/** @throws ConfigurationError with every problem. */
export const parseDoctorOptions = (argv: readonly string[]): DoctorOptions => {
  const line = readCommandLine<TargetOptions & DoctorOptions>(DOCTOR_COMMAND, argv)
  const { profile, day = false, json = false, login = true, ...others } = line.values
  if (day && !login) line.addProblem('--day needs the login of a customer: leave out --no-login')
  line.verify()
  if (profile === undefined)
    throw new ConfigurationError(
      `--profile is missing; pass the file that describes the target: ${typed('doctor', '--profile bank.yaml')}`,
    )
  return { target: { ...others, profile }, json, day, login }
}
