/**
 * `node harness/launch.mjs harness/cli.ts …`: starts a program of the project. Its TypeScript becomes JavaScript in one
 * go, which takes a tenth of a second, where a loader would be asked for each of two hundred modules in each thread.
 * What comes of it is kept under the digest of its content, so that nothing stale is ever run.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = dirname(import.meta.dirname)
const CACHE = join(ROOT, 'node_modules', '.cache', 'conformance')
const DAY_MS = 24 * 60 * 60 * 1000

/** What a program loads by its path: its children, its workers, and the shelves. */
const LOADED_BY_PATH = [
  'harness/run/worker.ts',
  'harness/report/allure/generator-process.ts',
  'harness/proof/worker.ts',
  ...readdirSync(join(ROOT, 'specs'), { recursive: true })
    .map((name) => `specs/${String(name)}`)
    .filter((name) => /\.spec\.ts$|[/\\]defects\.ts$/.test(name)),
]

/** A module asks for files that stand beside its source, wherever its JavaScript may be. */
const keepPlace = {
  name: 'keep-place',
  /** @param {import('esbuild').PluginBuild} step */
  setup: (step) =>
    step.onLoad({ filter: /[/\\]harness[/\\].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    })),
}

/** @param {string} program */
const translate = (program) =>
  build({
    absWorkingDir: ROOT,
    entryPoints: [program, ...LOADED_BY_PATH],
    outbase: ROOT,
    outdir: ROOT,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    bundle: true,
    splitting: true,
    packages: 'external',
    sourcemap: 'linked',
    sourcesContent: false,
    write: false,
    logLevel: 'error',
    plugins: [keepPlace],
  })

/** @param {readonly import('esbuild').OutputFile[]} files */
const digestOf = (files) => {
  const hash = createHash('sha256')
  for (const { path, contents } of files) hash.update(relative(ROOT, path)).update(contents)
  return hash.digest('hex').slice(0, 16)
}

/**
 * Two programs that start at once keep the same files: whoever is first moves them into place as a whole.
 * @param {readonly import('esbuild').OutputFile[]} files
 */
const keep = (files) => {
  const folder = join(CACHE, digestOf(files))
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  const draft = `${folder}.${process.pid}`
  for (const { path, contents } of files) {
    const file = join(draft, relative(ROOT, path))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, contents)
  }
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(draft, { recursive: true })
  }
  forget(folder)
  return folder
}

/**
 * What nobody has started for a day goes.
 * @param {string} current
 */
const forget = (current) => {
  for (const name of readdirSync(CACHE)) {
    const folder = join(CACHE, name)
    const isOld = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > DAY_MS
    if (folder !== current && isOld) rmSync(folder, { recursive: true, force: true })
  }
}

const [, , program, ...argv] = process.argv
if (program === undefined || !existsSync(join(ROOT, program))) {
  console.error(
    `launch: expected a program such as harness/cli.ts; received ${JSON.stringify(program ?? '')}`,
  )
  process.exit(3)
}
const { outputFiles } = await translate(program)
const modules = keep(outputFiles)
process.env['CONFORMANCE_MODULES'] = modules
process.setSourceMapsEnabled(true)
process.argv = [process.execPath, fileURLToPath(new URL(`../${program}`, import.meta.url)), ...argv]
await import(pathToFileURL(join(modules, program.replace(/\.ts$/, '.mjs'))).href)
