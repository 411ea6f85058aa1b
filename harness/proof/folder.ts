import { join } from 'node:path'

/** The folder of all proofs, relative to the project's root. */
export const PROOFS = join('reports', 'proof')
