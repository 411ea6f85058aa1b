import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Defect, Dialect, Variation } from '../bank/defect.ts'
import { dialects } from '../bank/dialects/index.ts'
import { variations } from '../bank/variations/index.ts'
import { type Chapter, CHAPTERS } from '../check/requirement.ts'
import { ROOT } from '../plan/root.ts'

/** Every bank that the catalogue is tried on: wrong in one place, or different and right. */

export interface ChapterDefect extends Defect {
  readonly chapter: Chapter
}

/** The reference bank as it is: it must raise no alarm either. */
export const AS_IT_IS = 'as-it-is'
const asItIs: Variation = { id: AS_IT_IS, story: 'the reference bank, unchanged' }

export const loadDefects = async (): Promise<readonly ChapterDefect[]> => {
  const chapters = await Promise.all(
    CHAPTERS.map(async (chapter) => {
      const file = join(ROOT, 'specs', chapter, 'defects', 'index.ts')
      if (!existsSync(file)) return []
      const { defects } = (await import(pathToFileURL(file).href)) as {
        defects: readonly Defect[]
      }
      return defects.map((defect) => ({ ...defect, chapter }))
    }),
  )
  return chapters.flat()
}

/** A dialect is a variation like any other; what it does at the bank's edge is no matter of its rules and wires. */
const asVariation = ({ id, story }: Dialect): Variation => ({ id, story })

export const loadVariations = (): readonly Variation[] => [
  asItIs,
  ...variations,
  ...dialects.map(asVariation),
]

/** The ids of the dialects. */
export const DIALECTS: readonly string[] = dialects.map(({ id }) => id)

export const isDialect = (id: string): boolean => DIALECTS.includes(id)

/** @throws for an id that no dialect has. */
export const dialectOf = (id: string): Dialect => {
  const dialect = dialects.find((one) => one.id === id)
  if (dialect !== undefined) return dialect
  throw new Error(`no dialect has the id ${id}; there are ${DIALECTS.join(' and ')}`)
}
