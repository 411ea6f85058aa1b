import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { prefixOf, typed, type CommandName } from '../evidence/command-names.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { nearest } from '../profile/nearest.ts'
import { guardOutput } from '../report/terminal/output.ts'
import { endWith, EXIT, reportFailure } from './exit.ts'

/** The program: `bank-conformance COMMAND`. The scripts of package.json call it too: `npm run doctor` is its `doctor`. */

interface ListedCommand {
  readonly summary: string
  /** A command is loaded when it is called. @returns its module; `main` takes what is typed after the command's name. */
  readonly load: () => Promise<{ readonly main: (argv: readonly string[]) => Promise<number> }>
}

const COMMANDS: Readonly<Record<CommandName, ListedCommand>> = {
  run: { summary: 'check a target, or the embedded reference bank', load: () => import('./run.ts') },
  plan: { summary: 'show what a run would send, and send nothing', load: () => import('./plan.ts') },
  init: { summary: 'write the profile of a target', load: () => import('./init.ts') },
  doctor: { summary: 'find problems of a target before a run', load: () => import('./doctor.ts') },
  explain: { summary: 'show a requirement and its checks', load: () => import('./explain.ts') },
  catalogue: { summary: 'write all requirements as a page', load: () => import('./catalogue.ts') },
  bank: { summary: 'start the reference bank as a sandbox', load: () => import('./bank.ts') },
  diff: { summary: 'compare two runs', load: () => import('./diff.ts') },
  rejudge: { summary: 'judge the stored evidence of a run again', load: () => import('./rejudge.ts') },
  show: { summary: 'print an exchange, a scenario or a failure', load: () => import('./show.ts') },
  report: { summary: 'open the report of a run', load: () => import('./report.ts') },
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)

const help = (): string => {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => [prefixOf(name as CommandName), summary])
  const width = Math.max(...rows.map(([line = '']) => line.length))
  return [
    `${manifest.name} ${manifest.version}: ${manifest.description}`,
    '',
    'Commands:',
    ...rows.map(([line = '', summary = '']) => `  ${line.padEnd(width)}  ${summary}`),
    '',
    `The options of a command: ${typed('run', '--help')}`,
    '',
  ].join('\n')
}

const unknownCommand = (name: string): ConfigurationError => {
  const near = nearest(name, Object.keys(COMMANDS))
  const advice =
    near === undefined ? `the commands are ${Object.keys(COMMANDS).join(', ')}` : `did you mean ${near}?`
  return new ConfigurationError(`'${name}' is not a command; ${advice}`)
}

const inform = async (name: string): Promise<number> => {
  const isVersion = ['--version', '-V'].includes(name)
  if (!isVersion && !['--help', '-h', 'help'].includes(name)) throw unknownCommand(name)
  process.stdout.write(isVersion ? `${manifest.name} ${manifest.version}\n` : help())
  return EXIT.ok
}

for (const stream of [process.stdout, process.stderr]) guardOutput(stream)
// Node exits with 1 after an uncaught error, which would mean that the target does not conform.
process.on('uncaughtException', (error) => process.exit(reportFailure(error)))
const [name = '--help', ...argv] = process.argv.slice(2)
const ended = isCommand(name) ? COMMANDS[name].load().then(({ main }) => main(argv)) : inform(name)
await endWith(ended.catch(reportFailure), () =>
  reportFailure(new Error('the event loop is empty, but the command has not ended')),
)
