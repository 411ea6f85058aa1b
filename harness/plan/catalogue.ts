import { readdirSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { collectChecks, type Check } from '../check/check.ts'
import { moduleOf } from './root.ts'
import { importOwn, readOwnRows, specPath, verifyOwnChecks, type OwnChecks } from './own-checks.ts'
import { CHAPTERS, OWN_CHAPTER } from '../check/requirement.ts'
import { chapters } from '../../specs/chapters.ts'
import { isNeed, isScenario, type Need, type Property, type Scenario } from '../session/scenario.ts'
import type { Chapter, Requirement, NotShown } from '../check/requirement.ts'

/** A check whose scenario can be planned and run. */
export type StatedCheck = Check<Property | Scenario> & { readonly needs: readonly Need[] }

export const isStated = (check: Check): check is StatedCheck =>
  isScenario(check.scenario) && check.needs.every(isNeed)

/** The catalogue: rows and their checks, in the order of chapters and files. */

export interface CataloguedCheck {
  /** The same in every process: see `createKeys`. */
  readonly key: string
  /** That of its requirement. */
  readonly chapter: Chapter
  /** The folder of its spec file: a life judges requirements of several chapters. */
  readonly folder: Chapter
  readonly check: StatedCheck
  /** The spec file with the line: `specs/tokens/exchange.spec.ts:12`. */
  readonly file: string
}

export interface Catalogue {
  readonly requirements: readonly (Requirement & { readonly chapter: Chapter })[]
  readonly notShown: readonly (NotShown & { readonly chapter: Chapter })[]
  readonly checks: readonly CataloguedCheck[]
  /** The checks of a bank or a scheme, if they were added. */
  readonly own?: OwnChecks
  /** SHA-256 over every row, and over the files of own checks: two reports with the same digest judged the same claims. */
  readonly digest: string
}

/** The spec files of a chapter, in alphabetical order: `specs/tokens/exchange.spec.ts`. */
const specFiles = (chapter: Chapter): readonly string[] =>
  readdirSync(moduleOf(`specs/${chapter}`))
    .filter((name) => /\.spec\.[jt]s$/.test(name))
    .sort()
    .map((name) => `specs/${chapter}/${name.replace(/\.js$/, '.ts')}`)

/**
 * Gives the checks of a spec file their keys, in the order in which they are stated: the file, the requirement and the
 * scenario, with a number where two checks share all of them. A key does not depend on other checks, since watch mode
 * runs a file again that has changed since the plan was made.
 */
export const createKeys = (specFile: string): ((check: StatedCheck) => string) => {
  const counts = new Map<string, number>()
  return ({ requirement, scenario }) => {
    const key = `${specFile}#${requirement.id} ${scenario.title}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count === 1 ? key : `${key} (${count})`
  }
}

/** The line of a spec file on which a check is declared, from the stack of the declaration. */
const lineIn = (specFile: string, { stack = '' }: Error): string => {
  const at = stack.replaceAll('\\', '/').indexOf(`${specFile}:`)
  return at < 0 ? '' : (/^\d+/.exec(stack.slice(at + specFile.length + 1))?.[0] ?? '')
}

type Row = (Requirement | NotShown) & { readonly chapter: Chapter }

/** In the order of the ids; in their files, rows stand under the statements that they judge. */
const rows: readonly Row[] = chapters.flatMap(({ chapter, rows }) =>
  Object.values(rows)
    .map((row) => ({ ...row, chapter }))
    .sort((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true })),
)

const chapterOfRow: ReadonlyMap<string, Chapter> = new Map(rows.map(({ id, chapter }) => [id, chapter]))

/** Loads the files of a chapter one after the other, so that a check belongs to the file that is being loaded. */
const collect = async (
  folder: Chapter,
  specFiles: readonly string[],
  load: (specFile: string) => Promise<unknown>,
): Promise<readonly CataloguedCheck[]> => {
  const found: CataloguedCheck[] = []
  try {
    for (const specFile of specFiles) {
      const keyOf = createKeys(specFile)
      collectChecks((check) => {
        const line = lineIn(specFile, check.statedAt)
        const file = line === '' ? specFile : `${specFile}:${line}`
        if (!isStated(check))
          throw new Error(
            `${check.requirement.id} has a check without a scenario, or with an unknown need: ${file}`,
          )
        found.push({
          key: keyOf(check),
          chapter: chapterOfRow.get(check.requirement.id) ?? folder,
          folder,
          check,
          file,
        })
      })
      await load(specFile)
    }
  } finally {
    collectChecks()
  }
  return found
}

const collectAll = async (): Promise<readonly CataloguedCheck[]> => {
  const found: CataloguedCheck[] = []
  for (const chapter of CHAPTERS)
    found.push(
      ...(await collect(
        chapter,
        specFiles(chapter),
        (specFile) => import(/* @vite-ignore */ pathToFileURL(moduleOf(specFile)).href),
      )),
    )
  return found
}

/** The rows of the catalogue, without loading the checks. */
const requirements = rows.filter((row) => row.kind === 'requirement')

const load = async (): Promise<Catalogue> => ({
  requirements,
  notShown: rows.filter((row) => row.kind === 'not-shown'),
  checks: await collectAll(),
  digest: createHash('sha256').update(JSON.stringify(rows)).digest('hex'),
})

let catalogue: Promise<Catalogue> | undefined

const addOwn = async (base: Catalogue, folder: string): Promise<Catalogue> => {
  const own = await readOwnRows(folder, rows)
  const checks = await collect(OWN_CHAPTER, own.specFiles, (specFile) =>
    importOwn(specPath(specFile, own.folder)),
  )
  verifyOwnChecks(own, checks)
  return {
    ...base,
    own,
    requirements: [...base.requirements, ...own.rows.map((row) => ({ ...row, chapter: OWN_CHAPTER }))],
    checks: [...base.checks, ...checks],
    digest: createHash('sha256')
      .update(`${base.digest} ${JSON.stringify(own.rows)} ${own.digest}`)
      .digest('hex'),
  }
}

const withOwn = new Map<string, Promise<Catalogue>>()

/**
 * A spec file declares its checks when it is first imported, so that a process collects them once.
 * @param ownChecks the folder of the checks that a bank or a scheme adds.
 * @throws ConfigurationError with every problem of these.
 */
export const loadCatalogue = async (ownChecks?: string): Promise<Catalogue> => {
  const base = await (catalogue ??= load())
  if (ownChecks === undefined) return base
  const known = withOwn.get(ownChecks) ?? addOwn(base, ownChecks)
  withOwn.set(ownChecks, known)
  return known
}
