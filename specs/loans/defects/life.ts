import { alter, defectsOf, type Defect } from '../../shared/changes.ts'
import { LOA } from '../requirements.ts'

/** Faults that show only the second time, with the sixth application, or at midnight. */

const YEAR = 365 * 24 * 60 * 60 * 1000

const MOST_KEPT = 5

const lastOnes = alter(
  {
    applicationIsKept: (usual, { application: { applicationId, clientId } }, { of }) => {
      const ids = of('newApplicationId').filter(({ facts: { client } }) => client.clientId === clientId)
      return usual && ids.findIndex(({ answer }) => answer === applicationId) >= ids.length - MOST_KEPT
    },
  },
  'newApplicationId',
)

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

const notOverMidnight = alter({
  loanStepDelay: (usual, { now }) => (dayOf(+now) === dayOf(+now + usual) ? usual : YEAR),
})

export const lifeDefects: readonly Defect[] = [
  ...defectsOf([LOA.applicationIsKeptForSevenDays, LOA.statusIsAnsweredWithOk], {
    'The sixth application of a client deletes its first one': lastOnes,
  }),
  ...defectsOf([LOA.nonClientScenarioKeepsItsPath, LOA.statusChangesEveryThreeMinutes], {
    'A status that lasts over midnight is the last one': notOverMidnight,
  }),
]
