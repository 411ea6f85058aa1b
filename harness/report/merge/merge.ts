import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { OUTPUT } from '../../evidence/output.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { openAllureResults, type AllureRun, type Drawings } from '../allure/results.ts'
import { assembleReport, type CatalogueRow, type UndisclosedRow } from '../assemble.ts'
import { withUnanswered } from '../unanswered.ts'
import { conclude, reportWaivers, staleSentences, verdicts } from '../conclude.ts'
import { writeDrawings } from '../drawing/model.ts'
import { writeTimeLines } from '../drawing/time-line.ts'
import { readInputs, writeInputs, type Inputs } from '../certificate/inputs-file.ts'
import { digestedLines, digestEvidence, exchangesOf } from '../evidence-file.ts'
import { readShard, writeShardFile, type Handed, type Part, type ShardFile } from './shard-file.ts'
import { locked, prepareOut } from '../output-folder.ts'
import { writeReports } from '../write.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Report } from '../schema.ts'

/** Whether shards are parts of one plan on one target. */

type Fact = readonly [what: string, value: string, advice?: string]

/** A difference is reported by the first fact that differs: facts that explain others come first. */
/** Shards of different revisions do not belong together, so that there is one. */
const revisionsOf = ({ parts }: Pick<ShardFile, 'parts'>): string =>
  [...new Set(parts.map(({ run }) => run.revision))].join(', ')

const factsOf = ({ suite, target, plan, ...file }: ShardFile): readonly Fact[] => [
  ['version of the suite', `${suite.name} ${suite.version}`],
  ['revision of the suite', revisionsOf(file)],
  ['catalogue', suite.catalogueDigest],
  ['base URL', target.baseUrl],
  ['environment', target.environment],
  ['clock', target.clock],
  ['target', target.name],
  ['profile', target.profileDigest],
  ['treatment of certificates', target.certificates ?? 'verified'],
  ['seed', String(plan.seed)],
  ['number of runs of a property', String(plan.runs)],
  ['number of shards', String(file.count)],
  ['--strict', file.strict ? 'on' : 'off'],
  ['list of waivers', JSON.stringify(file.waivers)],
  [
    'number of checks',
    String(plan.checks.length),
    'give each shard the same --scope, --only, --skip and --allow',
  ],
  [
    'plan',
    file.digest,
    'give each shard the same --scope, --only, --skip, --allow, --time and --webhook-url',
  ],
]

const unlike = (first: Handed, other: Handed): string | undefined => {
  const here = factsOf(first.file)
  const there = new Map(factsOf(other.file).map(([what, value]) => [what, value]))
  const [found] = here.filter(([what, value]) => there.get(what) !== value)
  if (found === undefined) return undefined
  const [what, value, advice = 'merge the shards of one plan on one target'] = found
  return `the ${what} is ${value} in ${first.folder}, and ${there.get(what) ?? 'nothing'} in ${other.folder}: ${advice}`
}

const twice = (handed: readonly Handed[]): string | undefined => {
  const seen = new Map<number, string>()
  for (const { folder, file } of handed) {
    for (const { index } of file.parts) {
      const other = seen.get(index)
      if (other !== undefined)
        return `shard ${index} of ${file.count} is in ${other} and in ${folder}: leave one of them out`
      seen.set(index, folder)
    }
  }
  return undefined
}

/** @throws ConfigurationError with the first difference, with both values; or a shard that is given twice. */
export const verifyAgreement = (handed: readonly Handed[]): void => {
  const [first, ...others] = handed
  if (first === undefined) return
  const [problem] = [...others.flatMap((other) => unlike(first, other) ?? []), twice(handed)]
  if (problem !== undefined) throw new ConfigurationError(problem)
}

/** @throws ConfigurationError if another version of the suite ran the shards. */
export const verifySuite = ({ folder, file }: Handed, suite: ShardFile['suite']): void => {
  const ours: readonly Fact[] = [
    ['version of the suite', `${suite.name} ${suite.version}`],
    ['catalogue', suite.catalogueDigest],
  ]
  const theirs = new Map(factsOf(file).map(([what, value]) => [what, value]))
  const found = ours.find(([what, value]) => theirs.get(what) !== value)
  if (found === undefined) return
  const [what, value] = found
  throw new ConfigurationError(
    `the ${what} is ${theirs.get(what) ?? 'nothing'} in ${folder}, and ${value} here: merge with the version that ran the shards`,
  )
}

/** The evidence of all shards in one file: ids stay unique, since each scenario runs in one shard only. */

const fileOf = (folder: string): string => join(folder, OUTPUT.evidence)

/** @throws ConfigurationError if two exchanges have the same id, or an exchange of a verdict is missing. */
export const verifyEvidence = (handed: readonly Handed[]): void => {
  const places = new Map<string, string>()
  for (const { folder } of handed) {
    for (const { id } of exchangesOf(fileOf(folder))) {
      const other = places.get(id)
      if (other !== undefined)
        throw new ConfigurationError(
          `the exchange ${id} is in two folders, ${fileOf(other)} and in ${fileOf(folder)}: they are not different shards`,
        )
      places.set(id, folder)
    }
  }
  for (const { folder, file } of handed) {
    const lost = file.parts
      .flatMap(({ results }) => results.flatMap(({ exchanges }) => exchanges))
      .find((id) => places.get(id) !== folder)
    if (lost !== undefined)
      throw new ConfigurationError(
        `a verdict in ${folder} uses the exchange ${lost}, which is not in ${fileOf(folder)}: copy the whole folder`,
      )
  }
}

/** The chain of each shard stays as it was written. */
export const writeEvidence = (handed: readonly Handed[], outDir: string): void => {
  const append = (name: string, digestOf: (file: ShardFile) => { readonly bytes: number }): void => {
    writeFileSync(join(outDir, name), '')
    for (const { folder, file } of handed)
      appendFileSync(join(outDir, name), digestedLines(join(folder, name), digestOf(file)))
  }
  append(OUTPUT.evidence, ({ evidence }) => evidence)
  append(OUTPUT.records, ({ evidence }) => evidence.records)
}

/** Merges the results of shards and judges them as the results of one run. */

/** All parts in one file, in their order. The files must agree. */
export const joinShards = ([first, ...others]: readonly [ShardFile, ...ShardFile[]]): ShardFile => ({
  ...first,
  parts: [first, ...others].flatMap(({ parts }) => parts).toSorted((one, other) => one.index - other.index),
})

interface Merging {
  readonly id: string
  readonly command: string
  readonly catalogue: readonly CatalogueRow[]
  /** Reads the evidence of all shards. */
  readonly exchanges: () => Iterable<Exchange>
  readonly undisclosed: readonly UndisclosedRow[]
  readonly evidence: Report['evidence']
}

export const missingIn = ({ count, parts }: Pick<ShardFile, 'count' | 'parts'>): readonly number[] => {
  const present = new Set(parts.map(({ index }) => index))
  return Array.from({ length: count }, (_, at) => at + 1).filter((index) => !present.has(index))
}

/** The checks of a missing shard are not reached. */
const notReached = ({ plan, count }: ShardFile, missing: readonly number[]): readonly CheckResult[] =>
  plan.checks
    .filter(({ heldBack, shard = 0 }) => heldBack === undefined && missing.includes(shard))
    .map(({ id, requirement, title, shard = 0 }) => ({
      id,
      requirement,
      title,
      verdict: 'not-reached',
      because: `shard ${shard} of ${count} is missing`,
      durationMs: 0,
      exchanges: [],
    }))

/** The results on the whole plan. Whether an operation never answered is known only where no shard is missing. */
const resultsOf = (
  file: ShardFile,
  { exchanges, catalogue }: Pick<Merging, 'exchanges' | 'catalogue'>,
): readonly CheckResult[] => {
  const results = file.parts.flatMap((part) => part.results)
  const missing = missingIn(file)
  return missing.length === 0
    ? withUnanswered(results, exchanges(), catalogue)
    : [...results, ...notReached(file, missing)]
}

type Run = Report['run']

const unique = (words: readonly string[]): readonly string[] => [...new Set(words)]

const runOf = (file: ShardFile, { id, command }: Merging): Run => {
  const startedAt = file.parts.map(({ run }) => run.startedAt).sort()[0] ?? ''
  const finishedAt =
    file.parts
      .map(({ run }) => run.finishedAt)
      .sort()
      .at(-1) ?? ''
  const durationMs = Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt))
  const operators = unique(file.parts.flatMap(({ run }) => run.operator ?? []))
  return {
    id,
    startedAt,
    finishedAt,
    durationMs,
    seed: file.plan.seed,
    command,
    revision: revisionsOf(file),
    strict: file.strict,
    ...(operators.length > 0 && { operator: operators.join(', ') }),
  }
}

/** The offset was measured on the machine of each shard: the range that covers all of them. */
const offsetOf = (parts: readonly Part[]): Pick<Report['target'], 'clockOffsetMs'> => {
  const offsets = parts.flatMap(({ clockOffsetMs }) => clockOffsetMs ?? [])
  if (offsets.length === 0) return {}
  const least = Math.min(...offsets.map((offset) => offset.least))
  return { clockOffsetMs: { least, most: Math.max(...offsets.map(({ most }) => most)) } }
}

const mergedOf = (file: ShardFile): NonNullable<Report['merged']> => ({
  count: file.count,
  plan: file.digest,
  shards: file.parts.map(({ index, run, conclusion }) => {
    const { id, startedAt, finishedAt, durationMs, command } = run
    return { index, run: id, conclusion, startedAt, finishedAt, durationMs, command }
  }),
  missing: [...missingIn(file)],
})

const levelsOf = (catalogue: readonly CatalogueRow[]): ReadonlyMap<string, CatalogueRow['level']> =>
  new Map(catalogue.map(({ id, level }) => [id, level]))

const concluded = (file: ShardFile, merging: Merging) => {
  const { plan, parts, strict } = file
  const [levels, results] = [levelsOf(merging.catalogue), resultsOf(file, merging)]
  const waivers = reportWaivers(file.waivers, verdicts(plan, levels, results))
  const flags = {
    strict,
    interrupted: parts.some(({ interrupted }) => interrupted),
    unreachable: parts.some(({ unreachable }) => unreachable),
    staleWaiver: waivers.some(({ state }) => state === 'stale'),
    hole: missingIn(file).length > 0,
  }
  return { results, waivers, ...conclude(plan, levels, results, flags) }
}

/** The report on the whole plan. */
export const reportOf = (file: ShardFile, merging: Merging): Report => {
  const { suite, target, parts, reproduceBase } = file
  const plan: Plan = file.plan
  return assembleReport({
    suite,
    target: { ...target, ...offsetOf(parts) },
    run: runOf(file, merging),
    plan,
    catalogue: merging.catalogue,
    undisclosed: merging.undisclosed,
    evidence: merging.evidence,
    ...concluded(file, merging),
    observations: parts.flatMap(({ observations }) => observations),
    visits: parts.flatMap(({ visits }) => visits),
    timeLines: parts.flatMap(({ timeLines }) => timeLines),
    payments: parts.flatMap(({ payments = [] }) => payments),
    applications: parts.flatMap(({ applications = [] }) => applications),
    created: parts.flatMap(({ created = [] }) => created),
    strays: parts.flatMap(({ strays = [] }) => strays),
    merged: mergedOf(file),
    reproduceBase,
  })
}

/** Merges the folders of shards into one folder. */

interface Merged {
  readonly report: Report
  readonly warnings: readonly string[]
}

/** Sorted by shard. */
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
      `--out: ${out} contains a run that can be resumed (${OUTPUT.log}), which would be lost; name another folder`,
    )
  prepareOut(out)
}

/**
 * @param folders the output folders of shards or of earlier merges.
 * @param ownChecks the folder of own checks, if it is not where the shards found it.
 * @throws ConfigurationError if they do not belong together; then nothing is written.
 */
export const merge = async (
  folders: readonly string[],
  out: string,
  command: string,
  ownChecks?: string,
): Promise<Merged> => {
  const handed = inOrder(folders.map(readShard))
  verifyAgreement(handed)
  const [first, ...others] = handed
  if (first === undefined)
    throw new ConfigurationError('there is nothing to merge; name the folders of shards')
  const folderOfChecks = ownChecks ?? readInputs(first.folder).options.catalogue
  const { requirements, undisclosed, digest } = await loadCatalogue(folderOfChecks)
  verifySuite(first, { name: manifest.name, version: manifest.version, catalogueDigest: digest })
  verifyEvidence(handed)
  const file = joinShards([first.file, ...others.map((other) => other.file)])
  const faults: string[] = []
  const report = await locked(out, async () => {
    openOut(out, folders)
    writeEvidence(handed, out)
    writeInputs(out, inputsOf(first, file, folderOfChecks))
    const merging: Merging = {
      id: randomUUID(),
      command,
      catalogue: requirements,
      undisclosed,
      evidence: digestEvidence(out),
      exchanges: () => exchangesOf(fileOf(out)),
    }
    const whole = reportOf(file, merging)
    const target = { ...merging, outDir: out, onFault: (sentence: string) => void faults.push(sentence) }
    return writeMerged({ ...file, evidence: whole.evidence }, whole, target)
  })
  return { report, warnings: [...faults, ...staleSentences(report.waivers ?? [])] }
}

/** The shards were given the same, except the number of the shard. */
const inputsOf = ({ folder }: Handed, { parts }: ShardFile, catalogue: string | undefined): Inputs => {
  const { options, ending, ...rest } = readInputs(folder)
  const interrupted = parts.some((part) => part.interrupted)
  return {
    ...rest,
    options: { ...options, shard: undefined, catalogue },
    ending: { interrupted, unkept: ending.unkept },
  }
}

/** Writes all reports of a run. The merged evidence is in the folder already. */

/** The drawings of a scenario are attached to its first check. */
const drawingsOf = ({ plan, parts }: ShardFile): ReadonlyMap<string, Drawings> => {
  const [visits, timeLines] = [parts.flatMap((part) => part.visits), parts.flatMap((part) => part.timeLines)]
  const drawn = new Map<string, Drawings>()
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

const writeResults = (file: ShardFile, found: readonly CheckResult[], run: AllureRun): void => {
  const results = openAllureResults(run)
  results.begin()
  const drawn = drawingsOf(file)
  const started = new Map(file.parts.map(({ index, run: { startedAt } }) => [index, Date.parse(startedAt)]))
  const reported = new Set(found.map(({ id }) => id))
  for (const check of file.plan.checks) {
    // Checks that an interrupted shard did not reach are written at the end.
    if (!reported.has(check.id)) continue
    const own = found.filter(({ id }) => id === check.id)
    results.write(check, own, started.get(check.shard ?? 0), drawn.get(check.id))
  }
  results.end()
}

const writeMerged = async (
  file: ShardFile,
  report: Report,
  {
    outDir,
    onFault,
    ...merging
  }: Merging & { readonly outDir: string; readonly onFault: (sentence: string) => void },
): Promise<Report> => {
  const { catalogue } = merging
  const { suite, target, plan, parts, reproduceBase } = file
  const written = await writeReports(report, outDir, onFault)
  writeShardFile(outDir, file)
  writeDrawings(
    parts.flatMap(({ visits }) => visits),
    report,
    outDir,
  )
  writeTimeLines(
    parts.flatMap(({ timeLines }) => timeLines),
    outDir,
  )
  writeResults(file, resultsOf(file, merging), {
    outDir,
    suite,
    target,
    plan,
    catalogue,
    reproduceBase,
    run: report.run,
  })
  return written
}
