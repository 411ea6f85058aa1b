import { describe, expect, test } from 'vitest'
import { rulesIn } from '../bank/bank.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { DIALECTS, dialectOf, loadDefects } from './selection.ts'
import { isUnaffected, recordScenarios } from './recording.ts'
import type { Chapter } from '../check/requirement.ts'
import type { ChapterDefect } from './selection.ts'

/** Which scenarios a defect affects is seen in every dialect. `npm run prove -- --dialect` tries the defects there. */

const SEED = 42

/** Defects of each chapter in each dialect. */
const SAMPLE = 3

const [catalogue, defects] = await Promise.all([loadCatalogue(), loadDefects()])

/** A recording is replayed one request after the other, which does not show a defect of requests that overlap. */
const isOfOverlap = ({ id }: ChapterDefect): boolean => id.includes('-during-')

/** Some are drawn, the same ones each time. */
const sampleOf = (chapter: Chapter, dialect: string): readonly ChapterDefect[] => {
  const known = defects.filter((defect) => defect.chapter === chapter && !isOfOverlap(defect))
  const first = (SEED * (DIALECTS.indexOf(dialect) + 1)) % known.length
  const step = Math.ceil(known.length / SAMPLE)
  return Array.from({ length: SAMPLE }, (_, at) => known[(first + at * step) % known.length]).flatMap(
    (defect) => defect ?? [],
  )
}

/** Chapters with few scenarios, and with defects of rules and of wires. */
const REPLAYED: readonly Chapter[] = ['consent', 'refresh']

describe.each(DIALECTS)('a recording in the %s dialect', (id) => {
  test.each(REPLAYED)('shows which scenarios a defect of the chapter %s affects', async (chapter) => {
    const dialect = dialectOf(id)
    const options = { dialect, only: [chapter], seed: SEED, runsOf: () => 25 }
    const recordings = await recordScenarios(catalogue, options)
    const unaffected = async (defect: Pick<ChapterDefect, 'rules' | 'wire'>): Promise<readonly string[]> => {
      const scenarios: string[] = []
      for (const [scenario, recording] of recordings)
        if (await isUnaffected(defect, recording, rulesIn(dialect))) scenarios.push(scenario)
      return scenarios
    }
    expect(await unaffected({ rules: {}, wire: (next) => next })).toEqual([...recordings.keys()])
    for (const defect of sampleOf(chapter, id))
      expect((await unaffected(defect)).length).toBeLessThan(recordings.size)
  })
})
