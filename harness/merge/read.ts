import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { digestOf } from '../plan/shard.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { OUTPUT } from '../report/output.ts'
import { shardFileSchema } from '../report/shard-file.ts'
import type { ShardFile } from '../report/shard-file.ts'

/** What a shard has left in the folder that its `--out` named. */
export interface Handed {
  /** As the user named it. */
  readonly folder: string
  readonly file: ShardFile
}

const ADVICE = 'leave it out, and what it was to judge is not reached'

const textIn = (folder: string): string => {
  try {
    return readFileSync(join(folder, OUTPUT.shard), 'utf8')
  } catch (error) {
    if (existsSync(join(folder, OUTPUT.report)))
      throw new ConfigurationError(
        `${folder} holds a whole run, and no part of one: merge what npm test -- --shard i/n has written`,
      )
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new ConfigurationError(
      `${folder}: no shard can be read there (${OUTPUT.shard}: ${code}); name the folder that --out named, or ${ADVICE}`,
    )
  }
}

const damaged = (folder: string, what: string): ConfigurationError =>
  new ConfigurationError(
    `${join(folder, OUTPUT.shard)} is damaged, or of another version: ${what}; run the shard again, or ${ADVICE}`,
  )

const jsonIn = (folder: string): unknown => {
  const text = textIn(folder)
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw damaged(folder, (error as Error).message)
  }
}

/** @throws ConfigurationError where there is no shard, or not all of it. */
export const readShard = (folder: string): Handed => {
  const parsed = shardFileSchema.safeParse(jsonIn(folder))
  if (!parsed.success) throw damaged(folder, z.prettifyError(parsed.error))
  const { plan, count, digest, parts } = parsed.data
  if (digestOf(plan, count) !== digest)
    throw damaged(folder, 'its plan is not the one that it was written with')
  const beyond = parts.find(({ index }) => index > count)
  if (beyond !== undefined) throw damaged(folder, `it has a shard ${beyond.index} of ${count}`)
  if (!existsSync(join(folder, OUTPUT.evidence)))
    throw new ConfigurationError(
      `${folder}: ${OUTPUT.evidence} is missing there, and without it no verdict rests on anything; copy the whole folder`,
    )
  return { folder, file: parsed.data }
}
