import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** Translates each source that has changed to JavaScript in `dist`, file by file. A source that is gone clears `dist`. */
process.chdir(`${import.meta.dirname}/..`)
const [STATE, SETTINGS] = ['dist/built.json', ['harness/build.mjs', 'package.json']]
const files = ['harness', 'specs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
)
const sources = files.filter((file) => /(?<!\.test)\.ts$/.test(file))
const times = Object.fromEntries([...SETTINGS, ...sources].map((file) => [file, statSync(file).mtimeMs]))
const built = /** @type {typeof times} */ (existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {})
const changed = Object.keys({ ...times, ...built }).filter((file) => times[file] !== built[file])
if (changed.length > 0) {
  const clears = changed.some((file) => !sources.includes(file))
  // The catalogue is written when the package is prepared.
  rmSync(clears ? 'dist' : 'dist/catalogue', { recursive: true, force: true })
  const { build } = await import('esbuild')
  const imports = /** @type {import('esbuild').Plugin['setup']} */ (esbuild) =>
    esbuild.onResolve({ filter: /^/ }, ({ kind, path }) =>
      kind === 'entry-point' ? null : { path: path.replace(/^(\..*)\.ts$/, '$1.js'), external: true },
    )
  const plugins = [{ name: 'imports', setup: imports }]
  const output = { outdir: 'dist', outbase: '.', sourcemap: true, sourcesContent: false }
  const entryPoints = clears ? sources : changed
  await build({ entryPoints, ...output, plugins, bundle: true, platform: 'neutral' }).catch(() =>
    process.exit(5),
  )
  chmodSync('dist/harness/cli/bin.js', 0o755)
  writeFileSync(STATE, JSON.stringify(times))
}
