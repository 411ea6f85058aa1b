import { ConfigurationError } from '../../profile/configuration-error.ts'
import { readCommandLine, TARGET_OPTIONS } from '../options.ts'
import { targetOptionsIn, type TargetOptions } from '../run/options.ts'
import type { CommandDefinition } from '../options.ts'

/** The options of `npm run doctor`. */

export interface DoctorOptions {
  readonly target: TargetOptions
  readonly json: boolean
}

export type DoctorInvocation =
  ({ readonly kind: 'examine' } & DoctorOptions) | { readonly kind: 'help'; readonly text: string }

const DOCTOR_COMMAND: CommandDefinition = {
  name: 'npm run doctor --',
  description: 'Looks at a target before a run: what would go wrong, why, and what to do.',
  usage: '--profile FILE [options]',
  groups: {
    Options: [
      ['--profile <file>', 'what the owner of the target has to tell'],
      ...TARGET_OPTIONS,
      ['--json', 'print the findings as JSON, and nothing else'],
      ['-h, --help', 'print this text'],
    ],
  },
  epilogue: `
It sends nothing but requests that read, unless the profile allows the effect
consent: then a consent is created for each TPP, authorization pages are opened
on which nobody logs in, and the token endpoint is asked with a code that nobody
was given. A --webhook-url is called once, as the target would call it.

Exit codes:
  0    no error was found; there may be warnings
  3    the options or the profile are wrong
  4    the network or the target stands in the way
  5    the suite itself failed
  130  interrupted

The codes of the findings: docs/doctor.md
`,
}

/** @throws ConfigurationError with all that is wrong with it. */
export const parseDoctorOptions = (argv: readonly string[]): DoctorInvocation => {
  const line = readCommandLine(DOCTOR_COMMAND, argv)
  if (line.isGiven('--help')) return { kind: 'help', text: line.help }
  for (const typed of line.operands)
    line.complain(`'${typed}' belongs to no option; see ${DOCTOR_COMMAND.name} --help`)
  line.verify()
  if (!line.isGiven('--profile'))
    throw new ConfigurationError(
      '--profile is missing; pass the file that describes the target: npm run doctor -- --profile bank.yaml',
    )
  const target = targetOptionsIn(line)
  line.verify()
  return { kind: 'examine', target, json: line.isGiven('--json') }
}
