import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../plan/catalogue.ts'
import { CHAPTERS } from '../check/requirement.ts'
import { DIALECTS, dialectOf, loadDefects } from './suspects.ts'
import { judgeDefect } from './proof.ts'
import { runTrial } from './trial.ts'
import type { Chapter } from '../check/requirement.ts'
import type { ChapterDefect } from './suspects.ts'

/** What is wrong with a bank is seen in every dialect: a profile that binds other words hides no defect. */

const SEED = 42

/** So many of each chapter, in each dialect. */
const SAMPLE = 3

const [catalogue, defects] = await Promise.all([loadCatalogue(), loadDefects()])

/** The whole matrix in a dialect is `npm run prove -- --dialect`; here some are drawn, the same ones each time. */
const sampleOf = (chapter: Chapter, dialect: string): readonly ChapterDefect[] => {
  const known = defects.filter((defect) => defect.chapter === chapter)
  const first = (SEED * (DIALECTS.indexOf(dialect) + 1)) % known.length
  const step = Math.ceil(known.length / SAMPLE)
  return Array.from({ length: SAMPLE }, (_, at) => known[(first + at * step) % known.length]).flatMap(
    (defect) => defect ?? [],
  )
}

describe.each(DIALECTS)('in the %s dialect', (id) => {
  test.each(CHAPTERS)('defects of the chapter %s are caught', async (chapter) => {
    for (const defect of sampleOf(chapter, id)) {
      const results = await runTrial(catalogue, () => ({ defect }), {
        dialect: dialectOf(id),
        environment: defect.triedIn ?? defect.environment ?? 'sandbox',
        only: defect.breaks.map((row) => row.id),
        ...{ socket: false, seed: SEED, runsOf: () => 25 },
      })
      const { survived, crashed } = judgeDefect(defect, results)
      expect({ defect: defect.id, survived, crashed }).toEqual({
        defect: defect.id,
        survived: false,
        crashed: [],
      })
    }
  })
})
