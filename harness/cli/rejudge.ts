import { messageOf } from '../evidence/errors.ts'
import { readInputFile } from '../evidence/input-file.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { printable } from '../report/run-observer.ts'
import { LATEST } from '../report/run-folder.ts'
import { colorsFor, widthOf } from '../report/terminal/text.ts'
import { commandOf, endWithReader, EXIT } from './exit.ts'
import { judgeWithCurrentChecks, rejudgeFolder, renderRejudged } from './rejudge/rejudge-folder.ts'

/**
 * `npm run rejudge -- DIR`: judges the stored evidence of a run again, offline. Exit code 1 if a verdict is another one, or
 * something was changed.
 */

interface Options {
  readonly publicKey?: string
  readonly withCurrentChecks?: boolean
  readonly catalogue?: string
}

const keyIn = (file: string): string => {
  try {
    return readInputFile(file)
  } catch (error) {
    throw new ConfigurationError(`--public-key ${file}: the file ${messageOf(error)}`)
  }
}

const LINE_EVERY_MS = 2_000

/** Prints each step, and how far the judging is every two seconds. */
const startProgress = (): ((what: string, isOften?: boolean) => void) => {
  let last = Number.NEGATIVE_INFINITY
  return (what, isOften = false) => {
    if (isOften && performance.now() - last < LINE_EVERY_MS) return
    last = performance.now()
    console.error(what)
  }
}

const command = commandOf(
  'rejudge',
  'Judges the stored evidence of a run again, and finds what was changed since.',
)
  .argument('[folder]', 'the folder of the run: what was given as --out', LATEST)
  .option('--public-key <file>', 'verify the signature of the certificate with this public key (PEM)')
  .option(
    '--catalogue <dir>',
    'the folder of own checks, if the run judged some; it is never taken from the folder of the run',
  )
  .option('--with-current-checks', 'judge with the checks of this version, and list what would change')

export const main = async (argv: readonly string[]): Promise<number> => {
  endWithReader()
  const [folder = ''] = command.parse([...argv], { from: 'user' }).processedArgs as readonly string[]
  const { publicKey, withCurrentChecks, catalogue } = command.opts<Options>()
  const colors = colorsFor(process.stdout)
  const onStep = startProgress()
  onStep(printable(`reading ${folder}`))
  if (withCurrentChecks === true) {
    if (publicKey !== undefined)
      throw new ConfigurationError(
        '--public-key verifies what the run wrote: leave out --with-current-checks',
      )
    const { text, isWorse } = await judgeWithCurrentChecks(folder, {
      width: widthOf(process.stdout),
      colors,
      catalogue,
      onStep,
    })
    console.log(text)
    return isWorse ? EXIT.nonconforming : EXIT.ok
  }
  const rejudged = await rejudgeFolder(folder, {
    catalogue,
    onStep,
    ...(publicKey !== undefined && { publicKey: keyIn(publicKey) }),
  })
  console.log(renderRejudged(rejudged, colors))
  const isSame = rejudged.problems.length === 0 && rejudged.differences.length === 0
  return isSame ? EXIT.ok : EXIT.nonconforming
}
