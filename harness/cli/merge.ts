import { Command } from 'commander'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { createTerminal, generatePage } from '../report/terminal/terminal.ts'
import { reportFailure } from './exit.ts'
import { quoteArgument } from './run/options.ts'
import { merge } from '../report/merge/merge.ts'

/** `npm run merge -- DIR…`: merges the shards of a plan into one report, with the exit code of a run without shards. */

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
  .description('Merges the shards of a plan into one report, with one conclusion.')
  .argument('<folder...>', 'the output folder of each shard: npm test -- --shard i/n --out <folder>')
  .option('--out <dir>', 'folder of the merged reports', OUT)
  .exitOverride()
  .action(mergeInto)

await command.parseAsync().catch((error: unknown) => {
  process.exitCode = reportFailure(error)
})
