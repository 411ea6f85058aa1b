import { Command, CommanderError } from 'commander'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { createTerminal, generatePage } from '../report/terminal/terminal.ts'
import { quoteArgument } from './run/options.ts'
import { merge } from '../report/merge/merge.ts'

/** `npm run merge -- DIR…`: shards of a plan as one report. Its exit code is the gate: that of a run that was never split. */

const CONFIGURATION_ERROR = 3
const HARNESS_ERROR = 5
const OUT = 'reports/merged'

const commandOf = (argv: readonly string[]): string => `npm run merge -- ${argv.map(quoteArgument).join(' ')}`

const mergeInto = async (folders: readonly string[], { out }: { readonly out: string }): Promise<void> => {
  if (out.trim() === '') throw new ConfigurationError('--out is empty; give it a folder, or leave it out')
  const { report, warnings } = await merge(folders, out, commandOf(process.argv.slice(2)))
  const terminal = createTerminal(out)
  for (const warning of warnings) terminal.onWarning(warning)
  terminal.showReport(report)
  await generatePage(report, out)
  process.exitCode = report.exitCode
}

const command = new Command('npm run merge --')
  .description('Puts the shards of a plan together into one report, and says what all of them come to.')
  .argument('<folder...>', 'what npm test -- --shard i/n --out <folder> has written, of each shard')
  .option('--out <dir>', 'folder of the merged reports', OUT)
  .exitOverride()
  .action(mergeInto)

try {
  await command.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said what is wrong.
    if (error.exitCode !== 0) process.exitCode = CONFIGURATION_ERROR
  } else if (error instanceof ConfigurationError) {
    console.error(error.message)
    process.exitCode = CONFIGURATION_ERROR
  } else {
    console.error('The harness failed; this is no verdict on the target.')
    console.error(error)
    process.exitCode = HARNESS_ERROR
  }
}
