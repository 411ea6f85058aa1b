import { typed, quoteArgument, prefixOf } from '../../evidence/command-names.ts'

/** Renders command lines that can be copied. */

export const commandOf = (argv: readonly string[]): string => typed('run', argv.map(quoteArgument).join(' '))

const SELECTING = new Set([
  '--scope',
  '--only',
  '--skip',
  '--seed',
  '--dry-run',
  '--operator',
  '--out',
  '--yes',
  ...['--no-pages', '--pdf', '--compare', '--history'],
])

/** The command without the options that select checks; those that identify the target remain. */
export const baseOf = (argv: readonly string[]): string => {
  const kept: string[] = []
  let dropping = false
  for (const argument of argv) {
    if (argument.startsWith('--')) dropping = SELECTING.has(argument.replace(/=.*$/, ''))
    if (!dropping) kept.push(argument)
  }
  return `${prefixOf('run')} ${kept.map(quoteArgument).join(' ')}`.trimEnd()
}
