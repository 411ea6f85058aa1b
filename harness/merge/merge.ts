import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { loadCatalogue } from '../plan/catalogue.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { digestEvidence } from '../report/evidence-digest.ts'
import { locked } from '../report/lock.ts'
import { OUTPUT } from '../report/output.ts'
import { staleSentences } from '../report/waivers.ts'
import { prepareOut } from '../report/write.ts'
import { verifyAgreement, verifySuite } from './agreement.ts'
import { joinShards, reportOf } from './combine.ts'
import { verifyEvidence, writeEvidence } from './evidence.ts'
import { readShard } from './read.ts'
import { writeMerged } from './write.ts'
import type { Report } from '../report/schema.ts'
import type { Handed } from './read.ts'

/** Puts the folders of shards together into one. */

export interface Merged {
  readonly report: Report
  readonly warnings: readonly string[]
}

/** In the order of their shards, whatever the order in which they were named. */
const inOrder = (handed: readonly Handed[]): readonly Handed[] => {
  const firstIn = ({ file }: Handed): number => Math.min(...file.parts.map(({ index }) => index))
  return handed.toSorted((one, other) => firstIn(one) - firstIn(other))
}

/** Of a folder that is locked already. */
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
 * @param folders those that the shards' `--out` named, or that earlier merges wrote.
 * @throws ConfigurationError where they do not belong together; then nothing is written.
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
  const { report, warning } = await locked(out, async () => {
    openOut(out, folders)
    writeEvidence(handed, out)
    const whole = reportOf(file, {
      ...{ id: randomUUID(), command, catalogue: requirements, undisclosed },
      evidence: digestEvidence(out),
    })
    return {
      report: whole,
      warning: await writeMerged(file, whole, { outDir: out, catalogue: requirements }),
    }
  })
  return {
    report,
    warnings: [...staleSentences(report.waivers ?? []), ...(warning === undefined ? [] : [warning])],
  }
}
