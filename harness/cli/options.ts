import { Command, CommanderError, Option } from 'commander'
import { prefixOf, type CommandName } from '../evidence/command-names.ts'
import { ConfigurationError, type SettledUrl } from '../profile/configuration-error.ts'
import { nearest } from '../profile/nearest.ts'
import { typedForNpm } from './typed-for-npm.ts'

/**
 * The command lines of `npm test`, `npm run init` and `npm run doctor`: commander splits them, and the values are
 * checked here, so that everything that is wrong is reported at once.
 */

/** An option as `--help` shows it. One without a description is not shown. */
export type OptionLine = readonly [flags: string, description: string]

export interface CommandDefinition {
  readonly command: CommandName
  readonly description?: string
  readonly usage: string
  /** The options under their headings. */
  readonly groups: Readonly<Record<string, readonly OptionLine[]>>
  /** What `--help` prints after the options. */
  readonly epilogue: string
}

/** The options that locate a target, in addition to its profile. */
export const TARGET_OPTIONS: readonly OptionLine[] = [
  ['--base-url <url>', "the target's base URL, with --profile (default: the profile's)"],
  ['--environment <name>', "sandbox or production (default: the profile's)"],
  ['--webhook-url <url>', 'the URL to which the target sends notifications (default: none)'],
]

/** A parsed command line. Options are named as they are typed: `--base-url`. */
export interface CommandLine {
  /** Words that do not belong to an option. */
  readonly operands: readonly string[]
  readonly help: string
  /** The options that were given. */
  readonly given: readonly string[]
  isGiven(option: string): boolean
  /** The value of an option with a `--no-…` form; undefined if neither is given. */
  toggle(option: string): boolean | undefined
  /** @param what is expected, for messages: `a file`. */
  text(option: string, what: string): string | undefined
  word<Word extends string>(option: string, words: readonly Word[]): Word | undefined
  /** The values of an option that takes several: `A B`, `A,B` and a repeated option mean the same. */
  list(option: string): readonly string[]
  words<Word extends string>(option: string, words: readonly Word[]): readonly Word[]
  integer(option: string, range: Range): number | undefined
  url(option: string, settle: (address: string) => SettledUrl): string | undefined
  addProblem(problem: string): undefined
  /** @throws ConfigurationError with every problem. */
  verify(): void
}

interface Range {
  readonly min: number
  readonly max: number
}

/** Where options get their values from, and put what is wrong with them. */
interface Typed {
  readonly valueOf: (option: string) => unknown
  readonly addProblem: CommandLine['addProblem']
}

const readText = ({ valueOf, addProblem }: Typed, option: string, what: string): string | undefined => {
  const value = valueOf(option)
  if (typeof value !== 'string') return undefined
  if (value.trim() === '') return addProblem(`${option} is empty; give it ${what}, or leave it out`)
  // Commander accepts the next option as the value.
  if (value.startsWith('--'))
    return addProblem(`${option} needs ${what}, but is followed by '${nameOf(value)}'`)
  return value
}

const readWord = <Word extends string>(
  { addProblem }: Typed,
  option: string,
  typed: string,
  words: readonly Word[],
): Word | undefined => {
  const found = words.find((word) => word === typed)
  if (found !== undefined) return found
  const near = nearest(typed, words)
  const advice = near === undefined ? '' : `; did you mean ${near}?`
  return addProblem(`${option}: expected one of ${words.join(', ')}, received '${typed}'${advice}`)
}

const readList = ({ valueOf, addProblem }: Typed, option: string): readonly string[] => {
  const value = valueOf(option)
  const typed = Array.isArray(value) ? value.map(String) : []
  const words = typed.flatMap((word) => word.split(',')).map((word) => word.trim())
  if (words.includes('')) addProblem(`${option} has an empty value; separate names with spaces or commas`)
  const next = words.find((word) => word.startsWith('-'))
  if (next !== undefined) addProblem(`${option} needs a value, but is followed by '${nameOf(next)}'`)
  return words
}

const readInteger = (
  { valueOf, addProblem }: Typed,
  option: string,
  { min, max }: Range,
): number | undefined => {
  const value = valueOf(option)
  if (typeof value !== 'string') return undefined
  // Number() would accept the empty string and decimal fractions.
  const number = /^(0|-?[1-9]\d*)$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  return addProblem(
    `${option}: expected a whole number from ${min} to ${max}, without leading zeros; received '${value}'`,
  )
}

/**
 * Reads a command line, without the program's own name.
 * @throws ConfigurationError if an option lacks its value.
 */
export const readCommandLine = (definition: CommandDefinition, argv: readonly string[]): CommandLine => {
  const command = createCommand(definition)
  const { operands, unknown } = parse(command, argv)
  const values: Readonly<Record<string, unknown>> = command.opts()
  const problems: string[] = []
  const addProblem = (problem: string): undefined => void problems.push(problem)
  for (const option of unknown.filter((word) => word.startsWith('-')))
    addProblem(unknownOption(option, command))

  const keyOf = (option: string): string => {
    const known = command.options.find(({ long }) => long === option)
    if (known === undefined) throw new Error(`${definition.command} has no option ${option}`)
    return known.attributeName()
  }
  const isGiven = (option: string): boolean => command.getOptionValueSource(keyOf(option)) === 'cli'
  const typed: Typed = { valueOf: (option) => values[keyOf(option)], addProblem }

  return {
    operands,
    help: `${command.helpInformation()}${definition.epilogue}`,
    given: command.options.map(({ long }) => long ?? '').filter(isGiven),
    isGiven,
    toggle(option) {
      const value = typed.valueOf(option)
      return typeof value === 'boolean' ? value : undefined
    },
    text: (option, what) => readText(typed, option, what),
    word(option, words) {
      const word = readText(typed, option, `one of ${words.join(', ')}`)
      return word === undefined ? undefined : readWord(typed, option, word, words)
    },
    list: (option) => readList(typed, option),
    words: (option, words) =>
      readList(typed, option).flatMap((word) => readWord(typed, option, word, words) ?? []),
    integer: (option, bounds) => readInteger(typed, option, bounds),
    url(option, settle) {
      const address = readText(typed, option, 'a URL')
      if (address === undefined) return undefined
      const settled = settle(address)
      return 'url' in settled ? settled.url : addProblem(`${option}: ${settled.problem}`)
    },
    addProblem,
    verify() {
      if (problems.length > 0) throw new ConfigurationError(problems)
    },
  }
}

const createCommand = ({ command: named, description, usage, groups }: CommandDefinition): Command => {
  const command = new Command(prefixOf(named))
    .usage(usage)
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .configureHelp({ helpWidth: 80 })
  if (description !== undefined) command.description(description)
  for (const [heading, options] of Object.entries(groups)) {
    for (const [flags, text] of options) {
      const option = new Option(flags, text).helpGroup(`${heading}:`)
      command.addOption(text === '' ? option.hideHelp() : option)
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
  const known = command.options.map(({ long }) => long ?? '')
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
  const typed = typedForNpm(env).map(nameOf)
  const isInVariables = (long: string): boolean =>
    !SETTINGS_OF_NPM.includes(long) && env[`npm_config_${long.slice(2).replaceAll('-', '_')}`] !== undefined
  const consumed = createCommand(definition)
    .options.map(({ long }) => long ?? '')
    .filter((long) => typed.includes(long) || isInVariables(long))
  if (consumed.length === 0) return
  throw new ConfigurationError(
    `npm has consumed ${consumed.join(', ')}; write a bare -- before the options: ${prefixOf(definition.command)} ${consumed[0] ?? ''} …`,
  )
}
