import { describe, expect, test } from 'vitest'
import { rulesIn } from '../bank/bank.ts'
import { CHAPTERS } from '../check/requirement.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { withPlainMessages } from './plain-messages.ts'
import { DIALECTS, dialectOf, loadDefects } from './suspects.ts'
import { judgeDefect } from './proof.ts'
import { recollect } from './recollection.ts'
import { isUntouchedBy } from './replay.ts'
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
      const breaks = defect.breaks.map((row) => row.id)
      const results = await runTrial(catalogue, () => ({ defect }), {
        dialect: dialectOf(id),
        environment: defect.triedIn ?? defect.environment ?? 'sandbox',
        only: breaks,
        ...{ socket: false, seed: SEED, runsOf: () => 25 },
      })
      const { survived, crashed } = judgeDefect({ ...defect, breaks }, results)
      // A bank that has moved what the profile binds cannot be told from a profile that binds another place.
      const isBlamed = results.some(({ misfits = [] }) => misfits.length > 0)
      expect({ defect: defect.id, isSeen: !survived || isBlamed, crashed }).toEqual({
        defect: defect.id,
        isSeen: true,
        crashed: [],
      })
    }
  })
})

/** Chapters with defects of rules and of wires, and few scenarios. */
const REPLAYED: readonly Chapter[] = ['consent', 'refresh']

describe.each(DIALECTS)('what is remembered of the %s dialect', (id) => {
  test.each(REPLAYED)('tells which defects of the chapter %s show in it', async (chapter) => {
    const dialect = dialectOf(id)
    const options = { dialect, only: [chapter], seed: SEED, runsOf: () => 1 }
    const known = await recollect(catalogue, options)
    const untouched = (defect: Pick<ChapterDefect, 'rules' | 'wire'>): Promise<readonly string[]> =>
      withPlainMessages(async () => {
        const isUntouched = isUntouchedBy(defect, known, rulesIn(dialect))
        const scenarios: string[] = []
        for (const scenario of known.keys()) if (await isUntouched(scenario)) scenarios.push(scenario)
        return scenarios
      })
    expect(await untouched({ rules: {}, wire: (next) => next })).toEqual([...known.keys()])
    for (const defect of sampleOf(chapter, id))
      expect((await untouched(defect)).length).toBeLessThan(known.size)
  })
})
