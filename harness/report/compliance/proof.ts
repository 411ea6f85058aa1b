import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

/** What `npm run prove` has written about the checks, as far as the compliance report shows it. */

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
  metConditions: z.int().default(0),
  caughtUnderConditions: z.int().default(0),
})

const proofSchema = z.object({
  suite: z.object({ version: z.string(), catalogueDigest: z.string() }),
  finishedAt: z.iso.datetime(),
  score: proofScore,
})

export type ProofSummary = z.output<typeof proofSchema> & { readonly file: string }

const read = (folder: string, name: string): readonly ProofSummary[] => {
  try {
    const proof = proofSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))
    return [{ ...proof, file: name }]
  } catch {
    // The proof of an earlier version does not say which checks it was about.
    return []
  }
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The proofs of the whole catalogue; a proof of a part (`--only`, `--id`) says too little. @param folder reports/proof. */
export const readProofs = (folder: string): readonly ProofSummary[] =>
  namesIn(folder)
    .filter((name) => /^proof[\w-]*\.json$/.test(name) && !name.includes('-part'))
    .sort()
    .flatMap((name) => read(folder, name))
