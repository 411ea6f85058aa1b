import { Command, CommanderError, Option } from 'commander'
import { prefixOf, typed, type CommandName } from '../evidence/command-names.ts'
import {
  ConfigurationError,
  settleBaseUrl,
  settleHttpUrl,
  type SettledUrl,
} from '../profile/configuration-error.ts'
import { ENVIRONMENTS } from '../profile/environment.ts'
import { nearest } from '../profile/nearest.ts'
import { typedForNpm } from './typed-for-npm.ts'

/**
 * The command lines of `npm test`, `npm run init` and `npm run doctor`: commander splits them, and each option
 * reads its own values, so that everything that is wrong is reported at once.
 */

type AddProblem = (problem: string) => undefined

/** Reads one typed value of an option. @returns undefined after a problem. */
export type Reader<Value = unknown> = (
  typed: string,
  option: string,
  addProblem: AddProblem,
) => Value | undefined

/** An option as `--help` shows it, and what reads its values, unless they are texts. One without a description is not shown. */
export type OptionLine = readonly [flags: string, description: string, read?: Reader | undefined]

/** @param what is expected, for messages: `a file`. */
export const text =
  (what: string): Reader<string> =>
  (typed, option, addProblem) => {
    if (typed.trim() === '') return addProblem(`${option} is empty; give it ${what}, or leave it out`)
    // Commander accepts the next option as the value.
    return typed.startsWith('--')
      ? addProblem(`${option} needs ${what}, but is followed by '${nameOf(typed)}'`)
      : typed
  }

/** What is expected, by the placeholder of the option. */
const EXPECTED: Readonly<Record<string, string>> = { file: 'a file', dir: 'a folder', name: 'a name' }

export const word =
  <Word extends string>(words: readonly Word[]): Reader<Word> =>
  (typed, option, addProblem) => {
    if (text(`one of ${words.join(', ')}`)(typed, option, addProblem) === undefined) return undefined
    const found = words.find((each) => each === typed)
    if (found !== undefined) return found
    const near = nearest(typed, words)
    const advice = near === undefined ? '' : `; did you mean ${near}?`
    return addProblem(`${option}: expected one of ${words.join(', ')}, received '${typed}'${advice}`)
  }

/** The values of an option that takes several: `A B`, `A,B` and a repeated option mean the same. */
export const list =
  <Value = string>(read: Reader = (typed) => typed): Reader<readonly Value[]> =>
  (typed, option, addProblem) => {
    const words = typed.split(',').map((each) => each.trim())
    if (words.includes('')) addProblem(`${option} has an empty value; separate names with spaces or commas`)
    const next = words.find((each) => each.startsWith('-'))
    if (next !== undefined) addProblem(`${option} needs a value, but is followed by '${nameOf(next)}'`)
    return words.flatMap((each) => (read(each, option, addProblem) as Value | undefined) ?? [])
  }

export const integer =
  (min: number, max: number): Reader<number> =>
  (typed, option, addProblem) => {
    // Number() would accept the empty string and decimal fractions.
    const number = /^(0|-?[1-9]\d*)$/.test(typed) ? Number(typed) : Number.NaN
    if (number >= min && number <= max) return number
    return addProblem(
      `${option}: expected a whole number from ${min} to ${max}, without leading zeros; received '${typed}'`,
    )
  }

export const url =
  (settle: (address: string) => SettledUrl): Reader<string> =>
  (typed, option, addProblem) => {
    if (text('a URL')(typed, option, addProblem) === undefined) return undefined
    const settled = settle(typed)
    return 'url' in settled ? settled.url : addProblem(`${option}: ${settled.problem}`)
  }

export interface CommandDefinition {
  readonly command: CommandName
  readonly description: string
  readonly usage: string
  readonly groups: Readonly<Record<string, readonly OptionLine[]>>
  readonly epilogue: string
}

/** The options that locate a target, in addition to its profile. */
export const TARGET_OPTIONS: readonly OptionLine[] = [
  ['--base-url <url>', "the target's base URL, with --profile (default: the profile's)", url(settleBaseUrl)],
  ['--environment <name>', "sandbox or production (default: the profile's)", word(ENVIRONMENTS)],
  [
    '--webhook-url <url>',
    'the URL to which the target sends notifications (default: none)',
    url((address) => settleHttpUrl(address, 'https://me.example:8443/webhook')),
  ],
]

export const HELP: OptionLine = ['-h, --help', 'print this text']

/** The command line asks for a text instead of work: the help, or the version. */
export class TextAskedFor extends Error {
  override readonly name = 'TextAskedFor'

  constructor(readonly text: string) {
    super('the command line asks for a text')
  }
}

/** A parsed command line. Options are named as they are typed: `--base-url`. */
interface CommandLine<Values> {
  /** The values of the options that were given, and true for a switch with `no` that was not: `--base-url` is baseUrl. */
  readonly values: Partial<Values>
  readonly given: readonly string[]
  readonly addProblem: AddProblem
  /** @throws ConfigurationError with every problem. */
  verify(): void
}

/**
 * Reads a command line, without the program's own name.
 * @param describeOperand what is wrong with a word that does not belong to an option.
 * @throws ConfigurationError if an option lacks its value, and TextAskedFor with --help.
 */
export const readCommandLine = <Values extends object>(
  definition: CommandDefinition,
  argv: readonly string[],
  describeOperand = (operand: string): string =>
    `'${operand}' does not belong to an option; see ${typed(definition.command, '--help')}`,
): CommandLine<Values> => {
  const problems: string[] = []
  const addProblem = (problem: string): undefined => void problems.push(problem)
  const command = createCommand(definition, addProblem)
  const { operands, unknown } = parse(command, argv)
  for (const option of unknown.filter((word) => word.startsWith('-')))
    addProblem(unknownOption(option, command))
  for (const operand of operands) addProblem(describeOperand(operand))
  const given = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map(longOf)
  if (given.includes('--help')) throw new TextAskedFor(`${command.helpInformation()}${definition.epilogue}`)
  return {
    values: command.opts(),
    given,
    addProblem,
    verify() {
      if (problems.length > 0) throw new ConfigurationError(problems)
    },
  }
}

const longOf = ({ long }: Option): string => long ?? ''

const createCommand = (
  { command: named, description, usage, groups }: CommandDefinition,
  addProblem: AddProblem,
): Command => {
  const command = new Command(prefixOf(named))
    .usage(usage)
    .description(description)
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .configureHelp({ helpWidth: 80 })
  for (const [heading, options] of Object.entries(groups)) {
    for (const [flags, about, reader] of options) {
      const option = new Option(flags, about).helpGroup(`${heading}:`).hideHelp(about === '')
      const [, placeholder = ''] = /<(.*)>/.exec(flags) ?? []
      const read = reader ?? (option.variadic ? list() : text(EXPECTED[placeholder] ?? 'a value'))
      if (option.required)
        option.argParser<unknown>((typed, before) => {
          const value = read(typed, longOf(option), addProblem)
          return option.variadic ? [before ?? [], value].flat() : value
        })
      command.addOption(option)
    }
  }
  return command
}

const parse = (command: Command, argv: readonly string[]): ReturnType<Command['parseOptions']> => {
  try {
    return command.parseOptions([...argv])
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander says "error: option '--base-url <url>' argument missing".
    const name = /'(?:-\w, )?(--[\w-]+)/.exec(error.message)?.[1]
    throw new ConfigurationError(name === undefined ? error.message : `${name} needs a value`)
  }
}

const nameOf = (option: string): string => option.replace(/=.*$/s, '')

const unknownOption = (typed: string, command: Command): string => {
  const name = nameOf(typed)
  const known = command.options.map(longOf)
  if (known.includes(name)) return `${name} takes no value; write it without one`
  const near = nearest(name, known)
  return `unknown option '${name}'; ${near === undefined ? `see ${command.name()} --help` : `did you mean '${near}'?`}`
}

/** npm has settings with these names, so that they may be in the environment although they were not typed. */
const SETTINGS_OF_NPM: readonly (string | undefined)[] = ['--only', '--yes', '--force', '--json', '--version']

/**
 * npm consumes options before a bare `--`, so that a run would certify another target than the given one.
 * @throws ConfigurationError if npm's environment variables or its command line contain such options.
 */
export const refuseOptionsConsumedByNpm = (definition: CommandDefinition, env: NodeJS.ProcessEnv): void => {
  const words = typedForNpm(env).map(nameOf)
  const isInVariables = (long: string): boolean =>
    !SETTINGS_OF_NPM.includes(long) && env[`npm_config_${long.slice(2).replaceAll('-', '_')}`] !== undefined
  const consumed = createCommand(definition, () => undefined)
    .options.map(longOf)
    .filter((long) => words.includes(long) || isInVariables(long))
  if (consumed.length === 0) return
  throw new ConfigurationError(
    `npm has consumed ${consumed.join(', ')}; write a bare -- before the options: ${prefixOf(definition.command)} ${consumed[0] ?? ''} …`,
  )
}
