import { readdirSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { collecting, keyOf } from '../check/check.ts'
import { loadSpecFiles, ROOT } from '../modules.ts'
import { CHAPTERS } from '../check/requirement.ts'
import { shelves } from '../../specs/shelves.ts'
import type { Check } from '../check/check.ts'
import type { Chapter, Requirement, Undisclosed } from '../check/requirement.ts'

/** Everything that the shelves hold: rows, and the checks that judge them, in the order of chapters and files. */

export interface CataloguedCheck {
  /** The spec file, relative to the root, and the check's place among those of the file. */
  readonly key: string
  readonly chapter: Chapter
  readonly check: Check
}

export interface Catalogue {
  readonly requirements: readonly (Requirement & { readonly chapter: Chapter })[]
  readonly undisclosed: readonly (Undisclosed & { readonly chapter: Chapter })[]
  readonly checks: readonly CataloguedCheck[]
  /** SHA-256 over every row: two reports with the same digest judged the same claims. */
  readonly digest: string
}

/** The spec files of a chapter, in alphabetical order: `specs/tokens/exchange.spec.ts`. */
const specFiles = (chapter: Chapter): readonly string[] =>
  readdirSync(join(ROOT, 'specs', chapter))
    .filter((name) => name.endsWith('.spec.ts'))
    .sort()
    .map((name) => `specs/${chapter}/${name}`)

/** The spec files are loaded in any order; their checks stand in the order of the files. */
const collectChecks = async (): Promise<readonly CataloguedCheck[]> => {
  const files = CHAPTERS.flatMap((chapter) => specFiles(chapter).map((file) => ({ file, chapter })))
  const stated = new Map<string, Check[]>(files.map(({ file }) => [file, []]))
  const collect = (check: Check): void => {
    const checks = stated.get(check.specFile)
    if (checks === undefined)
      throw new Error(
        `${check.requirement.id} is checked in ${check.file}; write it in specs/<chapter>/<topic>.spec.ts`,
      )
    checks.push(check)
  }
  await collecting(collect, () => loadSpecFiles(files.map(({ file }) => file)))
  return files.flatMap(({ file, chapter }) =>
    (stated.get(file) ?? []).map((check, at) => ({ key: keyOf(file, at + 1), chapter, check })),
  )
}

type Row = (Requirement | Undisclosed) & { readonly chapter: Chapter }

const rows: readonly Row[] = shelves.flatMap(({ chapter, rows }) =>
  Object.values(rows).map((row) => ({ ...row, chapter })),
)

/** The rows that are judged; to know them, no check need be loaded. */
export const requirements = rows.filter((row) => row.kind === 'requirement')

const load = async (): Promise<Catalogue> => ({
  requirements,
  undisclosed: rows.filter((row) => row.kind === 'undisclosed'),
  checks: await collectChecks(),
  digest: createHash('sha256').update(JSON.stringify(rows)).digest('hex'),
})

let catalogue: Promise<Catalogue> | undefined

/** A spec file states its checks when it is first imported, so that a process collects them once. */
export const loadCatalogue = (): Promise<Catalogue> => (catalogue ??= load())
