/**
 * `node harness/launch.mjs harness/cli.ts …`: starts a program of the project. Its TypeScript becomes JavaScript in one
 * go, and most of its packages with it, where a loader would be asked for each of a thousand modules in each thread.
 * What comes of it is kept for as long as no source is touched.
 */
import './brief.mjs'
import './trace.mjs'
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
import { pathToFileURL } from 'node:url'
import { inKnownShapes } from './shapes.mjs'

const ROOT = dirname(import.meta.dirname)
const CACHE = join(ROOT, 'node_modules', '.cache', 'conformance')
const DAY_MS = 24 * 60 * 60 * 1000

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))

const SOURCES = [
  ...[...filesIn('harness'), ...filesIn('specs')].filter((file) => !file.endsWith('.test.ts')),
  ...['package.json', 'package-lock.json'],
]

/** What a program loads by its path: its children, its threads, and what a bank can get wrong. */
const LOADED_BY_PATH = [
  'harness/run/thread.ts',
  'harness/run/check-runner.ts',
  'harness/report/allure/generator-process.ts',
  'harness/proof/worker.ts',
  ...SOURCES.filter((file) => /^specs[/\\]\w+[/\\]defects\.ts$/.test(file)),
]

/** Packages that load files of their own, or that a program starts; all others become part of the modules. */
const LOADED_AS_THEY_ARE = [
  ...['vitest', '@vitest/*', 'allure-vitest', 'playwright-core'],
  ...['esbuild', 'tsx'],
]

/** What a package that is no module asks for by `require`: the built-in ones are not there without it. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

/** From the root on, since folders above the project may have any name. @param {string} path */
const placeOf = (path) => relative(ROOT, path).replaceAll('\\', '/')

/** @param {string} path */
const sourceOf = (path) => inKnownShapes(readFileSync(path, 'utf8'))

/** @param {string} path */
const inPlace = (path) =>
  sourceOf(path).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))

/** A module asks for files that stand beside its source, wherever its JavaScript may be. */
const keepPlace = {
  name: 'keep-place',
  /** @param {import('esbuild').PluginBuild} step */
  setup: (step) => {
    step.onLoad({ filter: /\.ts$/ }, ({ path }) =>
      placeOf(path).startsWith('harness/') ? { contents: inPlace(path), loader: 'ts' } : undefined,
    )
    step.onLoad({ filter: /[/\\]@allurereport[/\\].*\.js$/ }, ({ path }) => ({
      contents: inPlace(path),
      loader: 'js',
    }))
  },
}

const NEVER_ASKED = 'never-asked'

/**
 * What the maker of the page would send it to a service with, or look for settings of its own with. The page goes
 * nowhere, and its settings come from here: left in, these take longer to load than all the rest of the maker.
 */
const neverAsked = {
  name: NEVER_ASKED,
  /** @param {import('esbuild').PluginBuild} step */
  setup: (step) => {
    step.onResolve({ filter: /^(?:axios|jiti)$/ }, ({ path }) => ({ path, namespace: NEVER_ASKED }))
    step.onLoad({ filter: /.*/, namespace: NEVER_ASKED }, () => ({ contents: 'module.exports = {}' }))
  },
}

const EVERY_SPEC_FILE = 'every-spec-file'

/** All spec files as one module, in which each says when it begins: a hundred modules take twice as long to load. */
const oneOfMany = {
  name: 'one-of-many',
  /** @param {import('esbuild').PluginBuild} step */
  setup: (step) => {
    const files = SOURCES.filter((file) => file.endsWith('.spec.ts'))
    const from = JSON.stringify(join(ROOT, 'harness/check/check.ts'))
    step.onResolve({ filter: /^every-spec-file$/ }, ({ path }) => ({ path, namespace: path }))
    step.onLoad({ filter: /.*/, namespace: EVERY_SPEC_FILE }, () => ({
      contents: files.map((file) => `import ${JSON.stringify(join(ROOT, file))}`).join('\n'),
      resolveDir: ROOT,
    }))
    step.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = placeOf(path)
      if (!/^specs\/\w+\//.test(file)) return undefined
      const beginning = `import { loadingFrom } from ${from}; loadingFrom(${JSON.stringify(file)}); `
      return { contents: beginning + sourceOf(path), loader: 'ts' }
    })
  },
}

/** @param {string} file */
const entry = (file) => ({ in: file, out: file.replace(/\.ts$/, '') })

/**
 * @param {string} program
 * @param {string} folder where the modules will be: their source maps lead from there to the sources.
 */
const translate = async (program, folder) => {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...[program, ...LOADED_BY_PATH].map(entry), { in: EVERY_SPEC_FILE, out: 'specs/every' }],
    outbase: ROOT,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    bundle: true,
    splitting: true,
    external: [...LOADED_AS_THEY_ARE],
    banner: { js: REQUIRE },
    sourcemap: 'linked',
    // What leads to the lines is enough.
    sourcesContent: false,
    write: false,
    logLevel: 'error',
    plugins: [keepPlace, neverAsked, oneOfMany],
  })
  return outputFiles
}

/**
 * The folder of a program's modules, by the name, the size and the time of every source.
 * @param {string} program
 */
const folderOf = (program) => {
  const hash = createHash('sha256').update(program)
  for (const file of SOURCES) {
    const { size, mtimeMs } = statSync(join(ROOT, file))
    hash.update(`\n${file} ${size} ${mtimeMs}`)
  }
  return join(CACHE, hash.digest('hex').slice(0, 16))
}

/**
 * Writes the modules beside their place and moves them there as a whole: of two programs that start at once, one is
 * first, and neither sees half of them.
 * @param {string} folder
 * @param {readonly import('esbuild').OutputFile[]} files
 */
const keep = (folder, files) => {
  const draft = `${folder}.${process.pid}`
  for (const { path, contents } of files) {
    const file = join(draft, relative(folder, path))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, contents)
  }
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}

/** What nobody has started for a day goes. */
const tidy = () => {
  for (const name of readdirSync(CACHE)) {
    const folder = join(CACHE, name)
    const touchedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (Date.now() - touchedAt > DAY_MS) rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} program */
const modulesOf = async (program) => {
  const folder = folderOf(program)
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date())
  else {
    keep(folder, await translate(program, folder))
    tidy()
  }
  return folder
}

const [, , program, ...argv] = process.argv
if (program === undefined || !existsSync(join(ROOT, program))) {
  console.error(
    `launch: expected a program such as harness/cli.ts; received ${JSON.stringify(program ?? '')}`,
  )
  process.exit(3)
}
const modules = await modulesOf(program)
process.env['CONFORMANCE_MODULES'] = modules
process.argv = [process.execPath, join(ROOT, program), ...argv]
await import(pathToFileURL(join(modules, program.replace(/\.ts$/, '.mjs'))).href)
