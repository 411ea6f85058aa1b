import { startBank, type RunningBank } from '../bank/server.ts'
import type { Variation } from '../bank/defect.ts'
import { loadDefects, type ChapterDefect } from '../proof/selection.ts'

/** @throws for an id that no defect has. */
export const defectOf = async (wanted: string): Promise<ChapterDefect> => {
  const defect = (await loadDefects()).find(({ id }) => id === wanted)
  if (defect === undefined) throw new Error(`no defect has the id ${wanted}`)
  return defect
}

/** The reference bank by the clock of this machine, for what compares the two; every other test starts it at a fixed time. */
export const startBankOfToday = (variation?: Variation): Promise<RunningBank> =>
  startBank({ ...(variation && { variation }), startAt: new Date(), speed: 1 })

/** The reference bank with this defect, if there is an id. */
export const startBankWith = async (id?: string): Promise<RunningBank> =>
  startBank(id === undefined ? {} : { defect: await defectOf(id) })
