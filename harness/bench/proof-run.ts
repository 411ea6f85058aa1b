import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { ROOT } from '../plan/root.ts'
import { PROOFS } from '../proof/selection.ts'
import { timed } from './child.ts'
import type { ProofFigures } from './figures.ts'

/** `npm run prove`: every check on every defect and every variation. */

const FILE = join(ROOT, PROOFS, 'proof.json')
const proofSchema = z.object({ score: z.object({ defects: z.int(), variations: z.int() }) })

export const measureProof = async (): Promise<ProofFigures> => {
  rmSync(FILE, { force: true })
  const { ms, exitCode, stderr } = await timed(['npm', 'run', '--silent', 'prove'])
  if (!existsSync(FILE)) throw new Error(`npm run prove ended with ${exitCode} and no proof\n${stderr}`)
  const { score } = proofSchema.parse(JSON.parse(readFileSync(FILE, 'utf8')))
  const { defects, variations } = score
  const trials = defects + variations
  return { ms, trials, defects, variations, trialsPerSecond: (trials * 1000) / ms }
}
