import { createHash } from 'node:crypto'
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import * as z from 'zod'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { messageOf } from '../evidence/errors.ts'
import { readInputFile } from '../evidence/input-file.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { importTypeScript } from '../profile/import-module.ts'
import { repeated } from './lists.ts'
import { moduleOf, sourceOf } from './root.ts'
import { interfaceText } from './specs.ts'
import { isVague, type OwnChapterRows, type Requirement } from '../check/requirement.ts'

/**
 * The checks of a bank or a scheme, in a folder of its own: `requirements.ts`, spec files, and optionally `defects/`. They
 * follow the laws of the catalogue, which are verified here before anything is sent.
 */

export interface OwnChecks {
  /** Absolute, without symbolic links. */
  readonly folder: string
  readonly name: string
  readonly title: string
  readonly about: string
  readonly rows: readonly Requirement[]
  /** `our-checks/headers.spec.ts`, in alphabetical order. */
  readonly specFiles: readonly string[]
  /** SHA-256 over all source files of the folder. */
  readonly digest: string
}

const SOURCES = ['.ts', '.mts', '.js', '.mjs']
const SPEC_FILE = /^[\w-]+\.spec\.m?[jt]s$/

const text = z.string().regex(/\S/, 'it is empty')

const rowSchema = z.looseObject({
  kind: z.literal(
    'requirement',
    'it is made by must(…), should(…) or may(…): a row of what is not shown is about the interface only',
  ),
  id: text,
  level: z.enum(['MUST', 'SHOULD', 'MAY']),
  claim: text,
  quote: text,
  place: text,
  source: text,
})

const chapterSchema = z.strictObject({
  title: text,
  about: text,
  prefix: z.string(),
  rows: z.record(z.string(), rowSchema),
})

/** The file with this name and any extension of a source file. */
const sourceFile = (folder: string, name: string): string | undefined =>
  SOURCES.map((extension) => join(folder, `${name}${extension}`)).find((file) => existsSync(file))

/** Loads a file of the folder. @throws ConfigurationError if it cannot be loaded. */
export const importOwn = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  try {
    return (await importTypeScript(file)) as Readonly<Record<string, unknown>>
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw new ConfigurationError(
      `--catalogue: ${file} cannot be loaded: ${(error as Error).message}; correct the file`,
    )
  }
}

/** @throws ConfigurationError if the checks would register at another copy of this package, or at none. */
const verifyPackage = (folder: string): void => {
  const wanted = `${manifest.name}/check`
  const here = realpathSync(createRequire(import.meta.url).resolve(wanted))
  let found: string
  try {
    found = realpathSync(createRequire(join(folder, 'requirements.js')).resolve(wanted))
  } catch {
    throw new ConfigurationError(
      `--catalogue ${folder}: '${wanted}' is not found from this folder; move it into the project in which ${manifest.name} is installed`,
    )
  }
  if (found !== here)
    throw new ConfigurationError(
      `--catalogue ${folder}: '${wanted}' leads to ${found}, but this program is ${here}; run the program of the project that contains the folder`,
    )
}

/** @throws ConfigurationError for what is no file of at most 1 MiB. */
const textOf = (file: string): string => {
  try {
    return readInputFile(file)
  } catch (error) {
    throw new ConfigurationError(`--catalogue: ${file} ${messageOf(error)}`)
  }
}

/** Whether Node takes the .ts and .js files of a folder for ES modules: the nearest package.json says so. */
const isOfModules = (folder: string): boolean => {
  const file = join(folder, 'package.json')
  if (existsSync(file)) return (JSON.parse(textOf(file)) as { type?: unknown }).type === 'module'
  return dirname(folder) !== folder && isOfModules(dirname(folder))
}

/** @throws ConfigurationError if the files would be CommonJS modules, which cannot import this package. */
const verifyModules = (folder: string, file: string): void => {
  if (/\.m[jt]s$/.test(file) || isOfModules(folder)) return
  throw new ConfigurationError(
    `--catalogue: ${file} would be loaded as a CommonJS module, which cannot import ${manifest.name}; write {"type": "module"} into ${join(folder, 'package.json')}, or name the files .mts`,
  )
}

const digestOf = (folder: string): string => {
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(sep, '/'))
    .filter((file) => !file.split('/').includes('node_modules') && SOURCES.includes(extname(file)))
    .sort()
  for (const file of files)
    hash
      .update(`${file}\n`)
      .update(textOf(join(folder, file)))
      .update('\n')
  return hash.digest('hex')
}

const problemsOfRow = (row: Requirement, prefix: string, lines: readonly string[]): readonly string[] => [
  ...(new RegExp(`^${prefix}-\\d{2,3}$`).test(row.id)
    ? []
    : [`the id '${row.id}' is not ${prefix}-01, ${prefix}-02 and so on; change it`]),
  ...(isVague(row)
    ? [
        `${row.id}: the claim '${row.claim}' is no statement of fact; write what is true of a conforming bank, without a full stop`,
      ]
    : []),
  ...(row.source === 'interface' && !lines.some((line) => line.includes(row.quote))
    ? [
        `${row.id}: the interface does not contain the quote '${row.quote}'; name the document of the quote in \`source\``,
      ]
    : []),
  ...(row.pending === undefined
    ? []
    : [`${row.id} is pending ('${row.pending}'); state check(…) in a spec file, or remove the row`]),
  ...(row.level === 'MAY' && row.unchecked === undefined
    ? [`${row.id} is a MAY, which is never judged; write the reason in \`unchecked\``]
    : []),
]

const verifyRows = (
  file: string,
  { prefix, rows }: { readonly prefix: string; readonly rows: readonly Requirement[] },
  ours: readonly { readonly id: string }[],
): void => {
  const taken = [...new Set(ours.map(({ id }) => id.slice(0, id.indexOf('-'))))]
  const problems: string[] = []
  if (!/^[A-Z]{2,10}$/.test(prefix))
    problems.push(`the prefix is '${prefix}'; expected 2 to 10 capital letters, such as ACME`)
  else if (taken.includes(prefix))
    problems.push(
      `the prefix ${prefix} is that of a chapter of the interface; choose one other than ${taken.join(', ')}`,
    )
  else problems.push(...rows.flatMap((row) => problemsOfRow(row, prefix, interfaceText().split('\n'))))
  if (rows.length === 0) problems.push('`rows` is empty; add a requirement')
  for (const id of repeated(rows.map((row) => row.id)))
    problems.push(`two requirements have the id ${id}; give one of them another number`)
  for (const claim of repeated(rows.map((row) => row.claim)))
    problems.push(`two requirements claim '${claim}'; remove one of them`)
  if (problems.length > 0) throw new ConfigurationError(problems, `${file} cannot be used`)
}

/**
 * Reads the rows of a folder of own checks, without its checks.
 * @param given as typed, or absolute. @param ours all rows of the interface.
 * @throws ConfigurationError with every problem of the folder and its rows.
 */
export const readOwnRows = async (
  given: string,
  ours: readonly { readonly id: string }[],
): Promise<OwnChecks> => {
  const path = resolve(given)
  if (!existsSync(path) || !statSync(path).isDirectory())
    throw new ConfigurationError(
      `--catalogue ${given}: there is no such folder; expected one with requirements.ts and spec files`,
    )
  const folder = realpathSync(path)
  const file = sourceFile(folder, 'requirements')
  if (file === undefined)
    throw new ConfigurationError(
      `--catalogue ${given}: it contains no requirements.ts (or .js, .mts, .mjs); write the rows of the chapter there`,
    )
  verifyPackage(folder)
  verifyModules(folder, file)
  const { default: chapter } = await importOwn(file)
  const parsed = chapterSchema.safeParse(chapter)
  if (!parsed.success)
    throw new ConfigurationError(
      `${file}: its default export is not ownChapter({ title, about, prefix, rows }): ${z.prettifyError(parsed.error)}`,
    )
  // The rows themselves, and not copies of them: checks refer to them.
  const { title, about, prefix, rows: byName } = chapter as OwnChapterRows
  const rows = Object.values(byName)
  verifyRows(file, { prefix, rows }, ours)
  const name = basename(folder)
  const specFiles = readdirSync(folder)
    .filter((one) => SPEC_FILE.test(one))
    .sort()
    .map((one) => `${name}/${one}`)
  if (specFiles.length === 0)
    throw new ConfigurationError(
      `--catalogue ${given}: it contains no spec file; write the checks in <topic>.spec.ts beside requirements.ts`,
    )
  return { folder, name, title, about, rows, specFiles, digest: digestOf(folder) }
}

interface OwnCheck {
  readonly file: string
  readonly check: { readonly requirement: Requirement; readonly scenario: { readonly title: string } }
}

/** @throws ConfigurationError with each row without a check, and each check without a row. */
export const verifyOwnChecks = ({ folder, rows }: OwnChecks, checks: readonly OwnCheck[]): void => {
  const checked = new Set(checks.map(({ check }) => check.requirement))
  const titles = [...new Set(checks.map(({ check }) => check.scenario))].map(({ title }) =>
    title.toLowerCase(),
  )
  const ids = new Set(rows.map(({ id }) => id))
  const problems = [
    ...rows
      .filter((row) => !checked.has(row) && row.unchecked === undefined)
      .map(
        ({ id, claim }) =>
          `${id} "${claim}" has no check; state check(…) in a spec file, or say in \`unchecked\` why none can judge it`,
      ),
    ...rows
      .filter((row) => checked.has(row) && row.unchecked !== undefined)
      .map(({ id }) => `${id} has a check and a reason why it has none; remove \`unchecked\``),
    ...checks
      .filter(({ check }) => !ids.has(check.requirement.id))
      .map(
        ({ check, file }) =>
          `${file} judges ${check.requirement.id}, which is no row of this folder; add it to requirements.ts`,
      ),
    ...repeated(titles).map((title) => `two scenarios have the title '${title}'; change one of them`),
  ]
  if (problems.length > 0) throw new ConfigurationError(problems, `the checks in ${folder} cannot be used`)
}

/** The file of a spec file in the catalogue: `specs/tokens/issuing.spec.ts`, or one of the own checks. */
export const specPath = (specFile: string, ownFolder?: string): string =>
  ownFolder !== undefined && dirname(specFile) === basename(ownFolder)
    ? join(ownFolder, basename(specFile))
    : moduleOf(specFile)

/** The name of a spec file in the catalogue; the reverse of `specPath`. */
export const specFileOf = (path: string, ownFolder?: string): string =>
  ownFolder !== undefined && !relative(ownFolder, path).startsWith('..')
    ? `${basename(ownFolder)}/${basename(path)}`
    : sourceOf(path)

const defectsSchema = z.array(
  z.looseObject({ id: text, title: text, breaks: z.array(z.looseObject({ id: text })).min(1) }),
)

/** Their other members are those of a defect of the reference bank. */
export type OwnDefects = z.output<typeof defectsSchema>

/**
 * The defects of own checks, unvalidated beyond their form; none without the folder `defects`.
 * @throws ConfigurationError if the export is not a list of defects.
 */
export const readOwnDefects = async ({ folder }: OwnChecks): Promise<OwnDefects> => {
  const file = sourceFile(join(folder, 'defects'), 'index')
  if (file === undefined) return []
  const { defects } = await importOwn(file)
  const parsed = defectsSchema.safeParse(defects)
  if (parsed.success) return defects as OwnDefects
  throw new ConfigurationError(
    `${file} exports no list \`defects\`: ${z.prettifyError(parsed.error)}; write export const defects = breaking(…)`,
  )
}
