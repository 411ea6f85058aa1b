import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import * as z from 'zod'
import { OUTPUT } from '../evidence/output.ts'
import { compare, hasRegressed, renderComparison } from '../report/diff.ts'
import { reportSchema } from '../report/schema.ts'
import { colorsFor } from '../report/terminal/text.ts'
import { endWithReader, EXIT } from './exit.ts'
import type { Report } from '../report/schema.ts'

/** `npm run diff -- A B`: prints the changes from run A to run B. Exit code 1 if a verdict got worse. */

class Unreadable extends Error {}

const fileOf = (given: string): string => {
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder ? join(given, OUTPUT.report) : given
}

const textOf = (given: string): string => {
  const file = fileOf(given)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = (error as Error).message
    throw new Unreadable(
      `${given}: the report cannot be read (${reason}); pass the folder that was given as --out`,
    )
  }
}

const jsonIn = (given: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new Unreadable(`${given}: not a report.json (${(error as Error).message})`)
  }
}

const readReport = (given: string): Report => {
  const parsed = reportSchema.safeParse(jsonIn(given, textOf(given)))
  if (parsed.success) return parsed.data
  throw new Unreadable(`${given}: not a report.json of this version\n${z.prettifyError(parsed.error)}`)
}

const printDifference = (before: string, after: string): void => {
  const comparison = compare(readReport(before), readReport(after))
  console.log(renderComparison(comparison, colorsFor(process.stdout)))
  process.exitCode = hasRegressed(comparison) ? EXIT.nonconforming : EXIT.ok
}

endWithReader()

const command = new Command('diff')
  .description('Shows what changed between two runs, requirement by requirement.')
  .argument('<before>', 'the earlier run: the folder given as --out, or its report.json')
  .argument('<after>', 'the later run')
  .allowExcessArguments(false)
  .exitOverride()
  .action(printDifference)

try {
  command.parse()
} catch (error) {
  if (error instanceof Unreadable) console.error(error.message)
  else if (!(error instanceof CommanderError)) throw error
  const isHelp = error instanceof CommanderError && error.exitCode === 0
  if (!isHelp) process.exitCode = EXIT.configuration
}
