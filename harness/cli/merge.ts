import { Command } from 'commander'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { prefixOf, quoteArgument, typed } from '../evidence/command-names.ts'
import { createTerminal } from '../report/terminal/terminal.ts'
import { signingKeyOf } from '../report/certificate/certificate.ts'
import { sealOutput } from './run/seal-output.ts'
import { generatePages, preparePages, type PageOptions } from './run/pages.ts'
import { merge } from '../report/merge/merge.ts'

/** `npm run merge -- DIR…`: merges the shards of a plan into one report, with the exit code of a run without shards. */

const OUT = 'reports/merged'

const commandOf = (argv: readonly string[]): string =>
  `${prefixOf('merge')} ${argv.map(quoteArgument).join(' ')}`

interface MergeOptions {
  readonly out: string
  readonly pdf?: true
  readonly catalogue?: string
  readonly compare?: string
  readonly history?: string
}

const pageOptionsIn = ({ pdf, compare, history }: MergeOptions): PageOptions => ({
  pdf: pdf === true,
  compare,
  history,
})

const command = new Command(prefixOf('merge'))
  .description('Merges the shards of a plan into one report, with one conclusion.')
  .argument('<folder...>', `the output folder of each shard: ${typed('run', '--shard i/n --out <folder>')}`)
  .option('--out <dir>', 'folder of the merged reports', OUT)
  .option(
    '--catalogue <dir>',
    'the folder of the own checks of the shards, if it was moved (--catalogue of the runs)',
  )
  .option('--pdf', 'also write the compliance report as PDF, with an installed Chromium')
  .option('--compare <dir>', 'the folder of an earlier run, for the comparison in the compliance report')
  .option('--history <file>', 'the file in which the Allure page keeps the results of earlier runs')
  .exitOverride()

export const main = async (argv: readonly string[]): Promise<number> => {
  command.parse([...argv], { from: 'user' })
  const options = command.opts<MergeOptions>()
  const { out } = options
  if (out.trim() === '') throw new ConfigurationError('--out is empty; give it a folder, or leave it out')
  // A wrong key is reported before anything is written.
  signingKeyOf(process.env)
  const pages = preparePages(pageOptionsIn(options))
  const { report, warnings } = await merge(command.args, out, commandOf(argv), options.catalogue)
  const terminal = createTerminal(out)
  for (const warning of warnings) terminal.onWarning(warning)
  terminal.showReport(report)
  await generatePages(report, out, pages)
  sealOutput(report, out, terminal)
  return report.exitCode
}
