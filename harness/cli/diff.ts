import { compare, hasRegressed, renderComparison } from '../report/diff.ts'
import { readReport } from '../report/read-report.ts'
import { colorsFor, widthOf } from '../report/terminal/text.ts'
import { commandOf, endWithReader, EXIT } from './exit.ts'

/** `npm run diff -- A B`: prints the changes from run A to run B. Exit code 1 if a verdict got worse. */

const command = commandOf('diff', 'Shows what changed between two runs, requirement by requirement.')
  .argument('<before>', 'the earlier run: the folder given as --out, or its report.json')
  .argument('<after>', 'the later run')

export const main = async (argv: readonly string[]): Promise<number> => {
  endWithReader()
  const [before = '', after = ''] = command.parse([...argv], { from: 'user' }).args
  const comparison = compare(readReport(before), readReport(after))
  console.log(
    renderComparison(comparison, { width: widthOf(process.stdout), colors: colorsFor(process.stdout) }),
  )
  return hasRegressed(comparison) ? EXIT.nonconforming : EXIT.ok
}
