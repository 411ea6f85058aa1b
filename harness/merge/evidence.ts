import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { exchangesOf } from '../report/evidence-lines.ts'
import { OUTPUT } from '../report/output.ts'
import type { Handed } from './read.ts'

/** The evidence of shards as one: an exchange has the same id as in its shard, since each scenario is done in one alone. */

const fileOf = (folder: string): string => join(folder, OUTPUT.evidence)

/** A last line without its end was not written whole. */
const wholeLinesOf = (folder: string): Buffer => {
  const bytes = readFileSync(fileOf(folder))
  return bytes.subarray(0, bytes.lastIndexOf('\n') + 1)
}

/** @throws ConfigurationError where two exchanges would have one id, or a verdict rests on one that is not there. */
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
