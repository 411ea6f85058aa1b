import * as fc from 'fast-check'

/**
 * The seed of the project's own properties: one and the same, so that a release is never held up by luck.
 * `SEED=7 npx vitest run` tries other values; a failure prints its seed and path.
 */
const seed = Number(process.env['SEED'] ?? 42)
if (!Number.isInteger(seed)) throw new Error(`SEED: expected an integer; received ${process.env['SEED']}`)
fc.configureGlobal({ seed })
