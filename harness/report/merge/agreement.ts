import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OUTPUT } from '../../evidence/output.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { exchangesOf } from '../evidence-file.ts'
import type { Handed, ShardFile } from './shard-file.ts'

/** Whether shards are parts of one plan on one target. */

type Fact = readonly [what: string, value: string, advice?: string]

/** A difference is reported by the first fact that differs: facts that explain others come first. */
const factsOf = ({ suite, target, plan, ...file }: ShardFile): readonly Fact[] => [
  ['version of the suite', `${suite.name} ${suite.version}`],
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
  ['number of checks', String(plan.checks.length), 'give each shard the same --only, --skip and --allow'],
  ['plan', file.digest, 'give each shard the same --only, --skip, --allow, --time and --webhook-url'],
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
        return `shard ${index} of ${file.count} stands in ${other} and in ${folder}: leave one of them out`
      seen.set(index, folder)
    }
  }
  return undefined
}

/** @throws ConfigurationError that names the first difference, with both values; or a shard that is given twice. */
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

/** A last line without its end is incomplete. */
const wholeLinesOf = (folder: string): Buffer => {
  const bytes = readFileSync(fileOf(folder))
  return bytes.subarray(0, bytes.lastIndexOf('\n') + 1)
}

/** @throws ConfigurationError if two exchanges have the same id, or a verdict rests on a missing exchange. */
export const verifyEvidence = (handed: readonly Handed[]): void => {
  const places = new Map<string, string>()
  for (const { folder } of handed) {
    for (const { id } of exchangesOf(fileOf(folder))) {
      const other = places.get(id)
      if (other !== undefined)
        throw new ConfigurationError(
          `the exchange ${id} stands twice, in ${fileOf(other)} and in ${fileOf(folder)}: they are not of different shards`,
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
        `a verdict in ${folder} rests on the exchange ${lost}, which is not in ${fileOf(folder)}: copy the whole folder`,
      )
  }
}

export const writeEvidence = (handed: readonly Handed[], outDir: string): void => {
  writeFileSync(fileOf(outDir), '')
  for (const { folder } of handed) appendFileSync(fileOf(outDir), wholeLinesOf(folder))
}
