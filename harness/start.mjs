import './build.mjs'

/** Builds what has changed, and runs a program of `dist/harness`: `node harness/start.mjs cli/main.js run`. */

const [program] = process.argv.splice(2, 1)
process.setSourceMapsEnabled(true)
await import(`../dist/harness/${program ?? ''}`)
