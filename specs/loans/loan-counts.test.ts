import { expect, test } from 'vitest'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { slug } from '../../harness/plan/build-plan.ts'
import { runTrial } from '../../harness/proof/trial.ts'
import type { Faults } from '../../harness/connection/embedded.ts'

/** The plan states how many loan applications a run submits: a scenario submits as many as it declares. */

const catalogue = await loadCatalogue()

const isSubmission = ({ method, url }: Request): boolean =>
  method === 'POST' && new URL(url).pathname.endsWith('/v1/applications')

/** The reference bank, which counts the applications of each scenario. */
const countingApplications =
  (counts: Map<string, number>) =>
  (scenario: string): Faults => ({
    variation: {
      id: 'counting-applications',
      title: 'the reference bank, with a count of the applications of each scenario',
      wire: (next) => async (request) => {
        const response = await next(request)
        if (isSubmission(request) && response.status === 201)
          counts.set(scenario, (counts.get(scenario) ?? 0) + 1)
        return response
      },
    },
  })

test('every scenario declares how many loan applications it submits', async () => {
  const counts = new Map<string, number>()
  const asked = { only: ['loans'], socket: false, seed: 7, runsOf: () => 1 }
  await runTrial(catalogue, countingApplications(counts), asked)
  const scenarios = catalogue.checks.flatMap(({ check: { scenario }, chapter }) =>
    chapter === 'loans' ? [scenario] : [],
  )
  const declared = new Map(
    scenarios.map(({ title, options }) => [`loans/${slug(title)}`, options.loans?.submitted ?? 0]),
  )
  const wrong = [...declared]
    .filter(([id, count]) => (counts.get(id) ?? 0) !== count)
    .map(([id, count]) => `${id}: declares ${count} applications, and submits ${counts.get(id) ?? 0}`)
  expect(wrong).toEqual([])
  expect([...counts.values()].length).toBeGreaterThan(0)
})
