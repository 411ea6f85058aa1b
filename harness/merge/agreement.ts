import { ConfigurationError } from '../profile/configuration-error.ts'
import type { ShardFile } from '../report/shard-file.ts'
import type { Handed } from './read.ts'

/** Whether shards are parts of one plan on one target. */

type Fact = readonly [what: string, value: string, advice?: string]

/** In the order in which they are told: what explains the others comes first. */
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

/** @throws ConfigurationError that names the first difference, with both values; or a shard that is there twice. */
export const verifyAgreement = (handed: readonly Handed[]): void => {
  const [first, ...others] = handed
  if (first === undefined) return
  const [problem] = [...others.flatMap((other) => unlike(first, other) ?? []), twice(handed)]
  if (problem !== undefined) throw new ConfigurationError(problem)
}

/** @throws ConfigurationError where another version of the suite has run the shards than is to put them together. */
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
