import { mkdirSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { CommanderError } from 'commander'
import { writeWhole } from '../report/output-folder.ts'
import { measure } from './measure.ts'
import { parseBenchOptions } from './options.ts'
import { renderBench } from './render.ts'
import type { BenchOptions } from './options.ts'

/** `npm run bench`: how fast the suite is, to bare undici and to newman. It is no test: figures fail nothing. */

const EXIT_CONFIGURATION = 3
const EXIT_HARNESS_ERROR = 5

const tell = (what: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${what}`)
}

/** Whatever is measured here, a millionth of it is noise. */
const toThousandths = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1000) / 1000 : value

const bench = async (options: BenchOptions): Promise<void> => {
  const figures = await measure(options, tell)
  tell('')
  const file = resolve(options.json)
  mkdirSync(dirname(file), { recursive: true })
  writeWhole(file, `${JSON.stringify(figures, toThousandths, 2)}\n`)
  console.log(`${renderBench(figures)}, ${relative(process.cwd(), file)}`)
}

const exitCodeOf = (error: unknown): number => {
  // Commander has printed its own complaint, and its help is none.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CONFIGURATION
  console.error('The bench could not be carried out.')
  console.error(error)
  return EXIT_HARNESS_ERROR
}

try {
  await bench(parseBenchOptions(process.argv.slice(2)))
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
