import '../../brief.mjs'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AllureReport, resolveConfig } from '@allurereport/core'
import AwesomePlugin from '@allurereport/plugin-awesome'
import { writeWhole } from '../json.ts'
import { OUTPUT } from '../output.ts'
import { categoryRules } from './categories.ts'
import { CHARTS } from './charts.ts'
import { takeOffline } from './offline.ts'
import { openResultFiles, shareFiles } from './result-file.ts'
import type { FullConfig } from '@allurereport/core'
import type { AllureStore, PluginContext } from '@allurereport/plugin-api'
import type { Word } from './generate.ts'

/**
 * The process that turns allure-results into one HTML file. It loads the generator while the tests still run, which
 * takes longer than generating, and then waits to be told.
 */

const NAME = 'Conformance'

/** The report's page, without the name of the machine or of the server that made it. */
const createPage = () => {
  const awesome = new AwesomePlugin({
    singleFile: true,
    reportLanguage: 'en',
    // The target is in the title: the chapters are what one opens the report for.
    groupBy: ['feature', 'story'],
    sections: ['charts'],
    charts: CHARTS,
  })
  let title = NAME
  let finished = Promise.resolve()
  const ours = (context: PluginContext): PluginContext => {
    const copy = { ...context, reportName: title }
    delete copy.ci
    return copy
  }
  return {
    rename: (name: string) => void (title = name),
    /** What came of the page. The generator itself only logs what its plugins throw. */
    outcome: () => finished,
    plugin: {
      start: (context: PluginContext) => awesome.start(ours(context)),
      done: (context: PluginContext, store: AllureStore) => {
        finished = awesome.done(ours(context), store)
        return finished
      },
    },
  }
}

/** Keeps the page alone of all that the generator writes, and never writes it as it came. */
const createFiles = (directory: string): FullConfig['reportFiles'] => ({
  addFile: async (path, data) => {
    if (!path.endsWith('index.html')) return path
    mkdirSync(directory, { recursive: true })
    const file = join(directory, 'index.html')
    writeWhole(file, ...takeOffline(data))
    return file
  },
})

/** A report in the making: its results are read while they come. */
interface Making {
  /** Those that are there by now. */
  read(): Promise<void>
  finish(title: string): Promise<void>
}

/** Everything that can be done before the results are there. */
const prepare = async (outDir: string): Promise<Making> => {
  const directory = join(outDir, OUTPUT.allureReport)
  const settings = { name: NAME, output: directory, categories: [...categoryRules()] }
  const page = createPage()
  const report = new AllureReport({
    ...(await resolveConfig(settings, { plugins: {} })),
    reportFiles: createFiles(directory),
    plugins: [{ id: 'awesome', enabled: true, options: {}, plugin: page.plugin }],
  })
  await report.start()
  const results = openResultFiles(join(outDir, OUTPUT.allureResults))
  let reading = Promise.resolve()
  const readNew = async (): Promise<void> => {
    for (const file of results.next()) await report.readResult(file)
  }
  const read = (): Promise<void> => (reading = reading.then(readNew))
  return {
    read,
    async finish(title) {
      await read()
      await shareFiles(report.store, results.copies)
      page.rename(title)
      await report.done()
      await page.outcome()
    },
  }
}

const serve = (outDir: string): void => {
  const prepared = prepare(outDir)
  const tell = (answer: { readonly done: boolean; readonly because?: string }): void => {
    process.send?.(answer)
  }
  const refuse = (error: unknown): void =>
    tell({ done: false, because: error instanceof Error ? error.message : String(error) })
  // An interrupted run still gets the report of what it had; the process ends with the one that started it.
  process.on('SIGINT', () => undefined)
  process.once('disconnect', () => process.exit())
  const follow = async (word: Word): Promise<void> => {
    const making = await prepared
    if ('read' in word) return making.read()
    await making.finish(word.title)
    tell({ done: true })
  }
  process.on('message', (word: Word) => void follow(word).catch(refuse))
  prepared.catch(refuse)
}

serve(process.argv[2] ?? '.')
