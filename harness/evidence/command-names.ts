/** The commands of the suite as its reader types them: through the scripts of a checkout, or as the installed program. */

export type CommandName =
  | 'run'
  | 'plan'
  | 'init'
  | 'doctor'
  | 'explain'
  | 'catalogue'
  | 'bank'
  | 'diff'
  | 'rejudge'
  | 'show'
  | 'report'

/** The installed program sets this variable; its threads inherit it. */
const INSTALLED = 'BANK_CONFORMANCE_INSTALLED'

const isPlain = /^[\w@%+=:,./-][\w@%+=:,./~-]*$/

/** Quotes an argument for a POSIX shell, if necessary. */
export const quoteArgument = (argument: string): string =>
  isPlain.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`

/** The installed program, called by npx or by its own name. npm says in these variables whether and how it was called. */
const programOf = ({ npm_command: npm, npm_config_package: from = '' }: NodeJS.ProcessEnv): string => {
  if (npm === undefined) return 'bank-conformance'
  return from === '' ? 'npx bank-conformance' : `npx --package ${quoteArgument(from)} bank-conformance`
}

/** What is typed before the options of a command: `npm run doctor --`, or `npx bank-conformance doctor`. */
export const prefixOf = (command: CommandName, env: NodeJS.ProcessEnv = process.env): string => {
  if (env[INSTALLED] !== undefined) return `${programOf(env)} ${command}`
  return command === 'run' ? 'npm test --' : `npm run ${command} --`
}

/** A whole command line. @param options as they are typed; none if left out. */
export const typed = (command: CommandName, options = ''): string => {
  const prefix = prefixOf(command)
  return options === '' ? prefix.replace(/ --$/, '') : `${prefix} ${options}`
}
