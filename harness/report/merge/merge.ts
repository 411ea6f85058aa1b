import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { OUTPUT } from '../../evidence/output.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { openAllureResults } from '../allure/results.ts'
import { staleSentences } from '../waivers.ts'
import { writeDrawings } from '../drawing/model.ts'
import { writeTimeLines } from '../drawing/time-line.ts'
import { digestEvidence } from '../evidence-file.ts'
import { locked, prepareOut } from '../output-folder.ts'
import { writeReports } from '../write.ts'
import { verifyAgreement, verifyEvidence, verifySuite, writeEvidence } from './agreement.ts'
import { joinShards, reportOf, resultsOf } from './combine.ts'
import { readShard, writeShardFile } from './shard-file.ts'
import type { AllureRun, Drawn } from '../allure/results.ts'
import type { CatalogueRow } from '../assemble.ts'
import type { Report } from '../schema.ts'
import type { Handed, ShardFile } from './shard-file.ts'

/** Merges the folders of shards into one folder. */

export interface Merged {
  readonly report: Report
  readonly warnings: readonly string[]
}

/** In the order of their shards, in whatever order they were given. */
const inOrder = (handed: readonly Handed[]): readonly Handed[] => {
  const firstIn = ({ file }: Handed): number => Math.min(...file.parts.map(({ index }) => index))
  return handed.toSorted((one, other) => firstIn(one) - firstIn(other))
}

/** Prepares the output folder, which is locked already. */
const openOut = (out: string, folders: readonly string[]): void => {
  const taken = folders.find((folder) => realpathSync(folder) === realpathSync(out))
  if (taken !== undefined)
    throw new ConfigurationError(
      `--out: ${out} is the folder of a shard (${taken}), which would be overwritten; name another folder`,
    )
  if (existsSync(join(out, OUTPUT.log)))
    throw new ConfigurationError(
      `--out: ${out} holds a run that can be gone on with (${OUTPUT.log}), which would be lost; name another folder`,
    )
  prepareOut(out)
}

/**
 * @param folders the output folders of shards or of earlier merges.
 * @throws ConfigurationError if they do not belong together; then nothing is written.
 */
export const merge = async (folders: readonly string[], out: string, command: string): Promise<Merged> => {
  const handed = inOrder(folders.map(readShard))
  verifyAgreement(handed)
  const [first, ...others] = handed
  if (first === undefined)
    throw new ConfigurationError('there is nothing to merge; name the folders of shards')
  const { requirements, undisclosed, digest } = await loadCatalogue()
  verifySuite(first, { name: manifest.name, version: manifest.version, catalogueDigest: digest })
  verifyEvidence(handed)
  const file = joinShards([first.file, ...others.map((other) => other.file)])
  const report = await locked(out, async () => {
    openOut(out, folders)
    writeEvidence(handed, out)
    const whole = reportOf(file, {
      ...{ id: randomUUID(), command, catalogue: requirements, undisclosed },
      evidence: digestEvidence(out),
    })
    await writeMerged(file, whole, { outDir: out, catalogue: requirements })
    return whole
  })
  return { report, warnings: staleSentences(report.waivers ?? []) }
}

/** Writes all reports of a run. The merged evidence is in the folder already. */

/** The drawings of a scenario are attached to its first check. */
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
  const results = openAllureResults(run)
  results.begin()
  const drawn = drawnOf(file)
  const started = new Map(file.parts.map(({ index, run: { startedAt } }) => [index, Date.parse(startedAt)]))
  const found = resultsOf(file)
  const reported = new Set(found.map(({ id }) => id))
  for (const check of file.plan.checks) {
    // Checks that an interrupted shard did not reach are written at the end.
    if (!reported.has(check.id)) continue
    const own = found.filter(({ id }) => id === check.id)
    results.write(check, own, started.get(check.shard ?? 0), drawn.get(check.id))
  }
  results.end()
}

export const writeMerged = async (
  file: ShardFile,
  report: Report,
  { outDir, catalogue }: { readonly outDir: string; readonly catalogue: readonly CatalogueRow[] },
): Promise<void> => {
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
}
