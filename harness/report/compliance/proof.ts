import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { ROOT } from '../../plan/root.ts'

/** What `npm run prove` has written about the checks, as far as the compliance report shows it. */

export const PROOFS = join('reports', 'proof')

/** The figures of the last proof of the whole catalogue. They are released with the suite. */
export const RELEASED_PROOF = join('harness', 'proof', 'released.json')

/** How many banks were tried, and with which result. */
export const proofScore = z.object({
  defects: z.int(),
  caught: z.int(),
  variations: z.int(),
  alarms: z.int(),
  banks: z.int(),
  bankAlarms: z.int(),
  defectsInBanks: z.int(),
  caughtInBanks: z.int(),
  /** A proof of an earlier version has none. */
  exercisedConditions: z.int().default(0),
  caughtUnderConditions: z.int().default(0),
  notExercised: z.int().default(0),
})

const proofSchema = z.object({
  suite: z.object({ version: z.string(), catalogueDigest: z.string() }),
  finishedAt: z.iso.datetime(),
  score: proofScore,
})

const releasedSchema = proofSchema.extend({
  revision: z.string(),
  /** Draws the composed banks and the conditions. */
  seed: z.int().optional(),
  chapters: z.record(z.string(), z.int()),
})

export type ReleasedProof = z.output<typeof releasedSchema>
export type ProofSummary = z.output<typeof proofSchema> & { readonly file: string }

const read = <Schema extends z.ZodType>(schema: Schema, file: string): z.output<Schema> | undefined => {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // The proof of an earlier version does not say which checks it was about.
    return undefined
  }
}

/** Undefined if none is released with this revision of the suite. */
export const readReleasedProof = (root = ROOT): ReleasedProof | undefined =>
  read(releasedSchema, join(root, RELEASED_PROOF))

/** The proofs that were made here of the whole catalogue; a proof of a part (`--only`, `--id`) says too little. */
export const readLocalProofs = (root = ROOT): readonly ProofSummary[] => {
  const folder = join(root, PROOFS)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => /^proof[\w-]*\.json$/.test(name) && !name.includes('-part'))
    .sort()
    .flatMap((file) => {
      const proof = read(proofSchema, join(folder, file))
      return proof === undefined ? [] : [{ ...proof, file }]
    })
}
