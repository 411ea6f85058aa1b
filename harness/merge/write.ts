import { join } from 'node:path'
import { FileSystemWriter } from 'allure-js-commons/sdk/reporter'
import { environmentOf, openCaseBook } from '../report/allure/case-book.ts'
import { categoryDefinitions } from '../report/allure/categories.ts'
import { startGenerator } from '../report/allure/generate.ts'
import { writeDrawings, writeTimeLines } from '../report/drawing/write.ts'
import { OUTPUT } from '../report/output.ts'
import { writeShardFile } from '../report/shard-file.ts'
import { wordOf } from '../report/word.ts'
import { discardOld, writeReports } from '../report/write.ts'
import { resultsOf } from './combine.ts'
import type { AllureRun, Drawn } from '../report/allure/case-book.ts'
import type { CatalogueRow } from '../report/assemble.ts'
import type { Report } from '../report/schema.ts'
import type { ShardFile } from '../report/shard-file.ts'

/** Writes all that a run leaves, of shards that were put together. Their evidence stands in the folder already. */

/** The first check of a scenario shows what was drawn of it. */
const drawnOf = ({ plan, parts }: ShardFile): ReadonlyMap<string, Drawn> => {
  const [visits, timeLines] = [parts.flatMap((part) => part.visits), parts.flatMap((part) => part.timeLines)]
  const drawn = new Map<string, Drawn>()
  const shown = new Set<string>()
  for (const { id, scenario } of plan.checks) {
    if (shown.has(scenario)) continue
    shown.add(scenario)
    drawn.set(id, {
      visits: visits.filter((one) => one.scenario === scenario),
      timeLines: timeLines.filter((one) => one.scenario === scenario),
    })
  }
  return drawn
}

const writeResults = (file: ShardFile, run: AllureRun): void => {
  const resultsDir = join(run.outDir, OUTPUT.allureResults)
  const book = openCaseBook(run)
  const files = new FileSystemWriter({ resultsDir })
  files.writeEnvironmentInfo(environmentOf(run))
  files.writeCategoriesDefinitions(categoryDefinitions())
  book.begin()
  const drawn = drawnOf(file)
  const started = new Map(file.parts.map(({ index, run: { startedAt } }) => [index, Date.parse(startedAt)]))
  const found = resultsOf(file)
  const reported = new Set(found.map(({ id }) => id))
  for (const check of file.plan.checks) {
    // What an interrupted shard did not come to is written at the end.
    if (!reported.has(check.id)) continue
    const own = found.filter(({ id }) => id === check.id)
    book.write(check, own, started.get(check.shard ?? 0), drawn.get(check.id))
  }
  book.end()
}

/** Resolves to a warning where the Allure report could not be made: it changes no verdict. */
export const writeMerged = async (
  file: ShardFile,
  report: Report,
  { outDir, catalogue }: { readonly outDir: string; readonly catalogue: readonly CatalogueRow[] },
): Promise<string | undefined> => {
  const generator = startGenerator(outDir)
  const { suite, target, plan, parts, reproduceBase } = file
  await writeReports(report, outDir)
  writeShardFile(outDir, file)
  writeDrawings(
    parts.flatMap(({ visits }) => visits),
    outDir,
  )
  writeTimeLines(
    parts.flatMap(({ timeLines }) => timeLines),
    outDir,
  )
  writeResults(file, { outDir, suite, target, plan, catalogue, reproduceBase })
  const generating = generator.generate(`${target.name}: ${wordOf(report)}`)
  discardOld(outDir)
  const warning = await generating
  generator.stop()
  return warning
}
