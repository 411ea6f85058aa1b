import { Command, CommanderError } from 'commander'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { compare, hasRegressed, renderComparison } from '../report/diff.ts'
import { readReport } from '../report/read-report.ts'
import { colorsFor } from '../report/terminal/text.ts'
import { endWithReader, EXIT } from './exit.ts'

/** `npm run diff -- A B`: prints the changes from run A to run B. Exit code 1 if a verdict got worse. */

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
  if (error instanceof ConfigurationError) console.error(error.message)
  else if (!(error instanceof CommanderError)) throw error
  const isHelp = error instanceof CommanderError && error.exitCode === 0
  if (!isHelp) process.exitCode = EXIT.configuration
}
