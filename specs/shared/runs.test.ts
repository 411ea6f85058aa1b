import { beforeAll, expect, test } from 'vitest'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { runTrial } from '../../harness/proof/trial.ts'
import { slug } from '../../harness/plan/build-plan.ts'
import type { CheckResult } from '../../harness/check/result.ts'
import type { CataloguedCheck } from '../../harness/plan/catalogue.ts'
import type { Faults } from '../../harness/target/embedded.ts'

/** Laws over two runs of the whole catalogue on the reference bank. Slow: about 15 s of one core. */

const catalogue = await loadCatalogue()

/** How often the customer's browser came to the authorization endpoint, by the id of the scenario. */
type Authorizations = Map<string, number>

const countingAuthorizations =
  (counts: Authorizations) =>
  (scenario: string): Faults => ({
    variation: {
      id: 'counting',
      story: 'the reference bank, with a count of the authorizations of each scenario',
      wire: (next) => (request) => {
        if (new URL(request.url).pathname.endsWith('/authorize'))
          counts.set(scenario, (counts.get(scenario) ?? 0) + 1)
        return next(request)
      },
    },
  })

/** How often a scenario declares that a customer authorizes. A shared grant counts once where each scenario has a bank. */
const declaredAuthorizations = ({
  check,
  chapter,
}: CataloguedCheck): readonly (readonly [string, number])[] => {
  const { as, authorizations = 0, needs = [] } = check.scenario.options
  const id = `${chapter}/${slug(check.scenario.title)}`
  const count = authorizations + (needs.includes('access') ? 1 : 0)
  if (check.scenario.kind === 'property') return []
  if (as !== 'each') return [[as === 'any' ? id : `${id}@${as}`, count]]
  return [
    [`${id}@FAC`, count],
    [`${id}@TPP`, count],
  ]
}

/** Not the seed of npm test and of the proof: verdicts on a bank without a defect do not depend on it. */
const SEED = 7

const authorizations: Authorizations = new Map()
const results: (readonly CheckResult[])[] = []

beforeAll(async () => {
  for (const counts of [authorizations, new Map<string, number>()])
    results.push(await runTrial(catalogue, countingAuthorizations(counts), { seed: SEED, runsOf: () => 5 }))
})

test('every scenario declares how often a customer authorizes', () => {
  const declared = new Map(catalogue.checks.flatMap(declaredAuthorizations))
  const wrong = [...declared]
    .filter(([id, count]) => (authorizations.get(id) ?? 0) !== count)
    .map(([id, count]) => `${id}: declares ${count} authorizations, and makes ${authorizations.get(id) ?? 0}`)
  expect(wrong).toEqual([])
})

test('the same run twice gives the same verdicts from the same exchanges', () => {
  const [first = [], second = []] = results.map((run) =>
    run.map(({ id, verdict, exchanges }) => `${id} ${verdict} ${exchanges.join(' ')}`),
  )
  expect(first.length).toBeGreaterThan(0)
  expect(second).toEqual(first)
})

test('every check passes on a bank without a defect, with another seed than the usual one', () => {
  expect(results.flat().filter(({ verdict }) => verdict !== 'pass')).toEqual([])
})
