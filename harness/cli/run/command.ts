/** A command line as a person would type it again. */

const isPlain = /^[\w@%+=:,./-]+$/

/** Quotes for a POSIX shell what a shell would read otherwise. */
export const quoteArgument = (argument: string): string =>
  isPlain.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`

export const commandOf = (argv: readonly string[]): string =>
  argv.length === 0 ? 'npm test' : `npm test -- ${argv.map(quoteArgument).join(' ')}`

const CHOOSING = new Set(['--only', '--skip', '--seed', '--dry-run', '--out', '--shard', '--yes'])

/** The command without what chooses its checks: the options that name the target are what is left. */
export const baseOf = (argv: readonly string[]): string => {
  const kept: string[] = []
  let dropping = false
  for (const argument of argv) {
    if (argument.startsWith('--')) dropping = CHOOSING.has(argument.replace(/=.*$/, ''))
    if (!dropping) kept.push(argument)
  }
  return `npm test -- ${kept.map(quoteArgument).join(' ')}`.trimEnd()
}
