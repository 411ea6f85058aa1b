import { join } from 'node:path'
import type { Wanted } from './orders.ts'

/** The folder of all proofs, seen from the project's root. */
export const PROOFS = join('reports', 'proof')

/** The proof of a part stands beside that of the whole, and never in its place. */
export const proofFileFor = ({ only, suspect, dialect }: Wanted): string => {
  const isPart = only.length > 0 || suspect.length > 0
  return `${['proof', ...(dialect === undefined ? [] : [dialect]), ...(isPart ? ['part'] : [])].join('-')}.json`
}
