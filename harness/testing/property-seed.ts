import * as fc from 'fast-check'

/**
 * The seed of the project's own property tests. It is fixed, so that they give the same result each time.
 * `SEED=7 npx vitest run` tries other values; a failure prints its seed and path.
 */
const seed = Number(process.env['SEED'] ?? 42)
if (!Number.isInteger(seed)) throw new Error(`SEED: expected an integer; received ${process.env['SEED']}`)
fc.configureGlobal({ seed })
