import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Translates each source that has changed to JavaScript in `dist`, file by file. If a source is gone, all are translated. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const [DIST, STATE, THIS] = [`${ROOT}dist`, `${ROOT}dist/built.json`, 'harness/build.mjs']

const files = ['harness', 'specs'].flatMap((folder) =>
  readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
)
const sources = files.filter((file) => file === THIS || /(?<!\.test)\.ts$/.test(file))
const times = Object.fromEntries(sources.map((file) => [file, statSync(ROOT + file).mtimeMs]))
/** @type {Record<string, number>} */
let built = existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {}
if (built[THIS] !== times[THIS] || Object.keys(built).some((file) => !(file in times))) {
  rmSync(DIST, { recursive: true, force: true })
  built = {}
}
const entryPoints = sources.filter((file) => file !== THIS && times[file] !== built[file])
if (entryPoints.length > 0) {
  const { build } = await import('esbuild')
  /** @type {import('esbuild').Plugin} */
  const imports = {
    name: 'imports',
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === 'entry-point' ? null : { external: true, path: path.replace(/^(\..*)\.ts$/, '$1.js') },
      ),
  }
  // What npm takes for a run that found violations would be exit code 1.
  await build({
    ...{ absWorkingDir: ROOT, entryPoints, outbase: ROOT, outdir: DIST, plugins: [imports] },
    ...{ bundle: true, treeShaking: false, format: 'esm', platform: 'node', target: 'node20.19' },
    ...{ sourcemap: true, sourcesContent: false },
  }).catch(() => process.exit(5))
  chmodSync(`${DIST}/harness/cli/bin.js`, 0o755)
  writeFileSync(STATE, JSON.stringify(times))
}
