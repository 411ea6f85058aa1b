import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AllureReport, resolveConfig } from '@allurereport/core'
import AwesomePlugin from '@allurereport/plugin-awesome'
import { writeWhole } from '../json.ts'
import { OUTPUT } from '../output.ts'
import { categoryRules } from './categories.ts'
import { takeOffline } from './offline.ts'
import type { FullConfig } from '@allurereport/core'
import type { AllureStore, PluginContext } from '@allurereport/plugin-api'

/**
 * The process that turns allure-results into one HTML file. It loads the generator while the tests still run, which
 * takes longer than generating, and then waits to be told.
 */

const NAME = 'Conformance'

/** The report's page, without the name of the machine or the server that made it. */
const page = () => {
  const awesome = new AwesomePlugin({
    reportName: NAME,
    singleFile: true,
    reportLanguage: 'en',
    groupBy: ['epic', 'feature', 'story'],
    sections: [],
  })
  const unnamed = ({ ci: _, ...context }: PluginContext): PluginContext => context
  return {
    start: (context: PluginContext) => awesome.start(unnamed(context)),
    done: (context: PluginContext, store: AllureStore) => awesome.done(unnamed(context), store),
  }
}

/** Keeps the page alone of all that the generator writes, and never writes it as it came. */
const files = (directory: string): FullConfig['reportFiles'] => ({
  addFile: async (path, data) => {
    const file = join(directory, 'index.html')
    if (!path.endsWith('index.html')) return path
    mkdirSync(directory, { recursive: true })
    writeWhole(file, takeOffline(data.toString('utf8')))
    return file
  },
})

const prepare = async (outDir: string): Promise<AllureReport> => {
  const directory = join(outDir, OUTPUT.allureReport)
  const config = await resolveConfig(
    { name: NAME, output: directory, categories: [...categoryRules()] },
    { plugins: {} },
  )
  const report = new AllureReport({
    ...config,
    reportFiles: files(directory),
    plugins: [{ id: 'awesome', enabled: true, options: {}, plugin: page() }],
  })
  await report.start()
  return report
}

const serve = (outDir: string): void => {
  const prepared = prepare(outDir)
  const tell = (answer: { readonly done: boolean; readonly because?: string }): void => {
    process.send?.(answer)
  }
  const generate = async (): Promise<void> => {
    const report = await prepared
    await report.readDirectory(join(outDir, OUTPUT.allureResults))
    await report.done()
  }
  // An interrupted run still gets the report of what it had; the process ends with the one that started it.
  process.on('SIGINT', () => undefined)
  process.once('disconnect', () => process.exit())
  process.once('message', () => {
    generate().then(
      () => tell({ done: true }),
      (error: unknown) =>
        tell({ done: false, because: error instanceof Error ? error.message : String(error) }),
    )
  })
}

serve(process.argv[2] ?? '.')
