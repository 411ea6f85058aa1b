import { ConfigurationError } from '../profile/configuration-error.ts'
import { CHAPTERS } from '../check/requirement.ts'
import { nearest } from '../profile/nearest.ts'
import type { Chapter, Requirement } from '../check/requirement.ts'

type Row = Requirement & { readonly chapter: Chapter }

/** A selector names a chapter, a requirement's id or a tag. */
const names = (row: Row): readonly string[] => [row.chapter, row.id, ...(row.tags ?? [])]

const matches = (row: Row, selector: string): boolean =>
  names(row).some((name) => name.toLowerCase() === selector.toLowerCase())

/** @throws ConfigurationError for a selector that names nothing. */
const verify = (rows: readonly Row[], option: string, selectors: readonly string[]): void => {
  const known = [...new Set([...CHAPTERS, ...rows.flatMap(names)])]
  const problems = selectors
    .filter((selector) => !rows.some((row) => matches(row, selector)))
    .map((selector) => {
      const right = nearest(selector, known)
      const hint = right === undefined ? '' : `; did you mean ${right}?`
      return `${option} ${selector}: no chapter, requirement id or tag has this name${hint}`
    })
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** Why a requirement is not selected; undefined for a selected one. */
export const createSelection = (
  rows: readonly Row[],
  { only, skip }: { readonly only: readonly string[]; readonly skip: readonly string[] },
): ((row: Row) => string | undefined) => {
  verify(rows, '--only', only)
  verify(rows, '--skip', skip)
  return (row) => {
    if (only.length > 0 && !only.some((selector) => matches(row, selector))) return 'not selected by --only'
    const skipped = skip.find((selector) => matches(row, selector))
    return skipped === undefined ? undefined : `left out by --skip ${skipped}`
  }
}
