import { beforeAll, expect, test } from 'vitest'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { runTrial } from '../../harness/proof/trial.ts'
import {
  referenceProfile,
  variationProfile,
} from '../../harness/connection/reference-bank/reference-profile.ts'
import { profileSchema, type Profile } from '../../harness/profile/schema.ts'
import { variations } from '../../harness/bank/variations/index.ts'
import { sharedVariants, slug } from '../../harness/plan/build-plan.ts'
import type { Variation } from '../../harness/bank/defect.ts'
import { SLOW } from '../../harness/testing/slow.ts'
import type { CheckResult } from '../../harness/check/result.ts'
import type { CataloguedCheck } from '../../harness/plan/catalogue.ts'
import type { Faults } from '../../harness/connection/embedded.ts'

/** Laws over two runs of the whole catalogue on the reference bank. Slow: about 15 s of one core. */

const catalogue = await loadCatalogue()
const profile = profileSchema.parse(referenceProfile('sandbox'))

/** How often the customer's browser came to the authorization endpoint, by the id of the scenario. */
type Authorizations = Map<string, number>

const countingAuthorizations =
  (counts: Authorizations, usual: Partial<Variation> = {}) =>
  (scenario: string): Faults => ({
    variation: {
      ...usual,
      id: 'counting',
      title: 'the reference bank, with a count of the authorizations of each scenario',
      wire: (next) => (request) => {
        if (new URL(request.url).pathname.endsWith('/authorize'))
          counts.set(scenario, (counts.get(scenario) ?? 0) + 1)
        return (usual.wire?.(next) ?? next)(request)
      },
    },
  })

/** Scenarios that send a request to the authorization endpoint, where no customer acts. */
const WITHOUT_A_CUSTOMER: readonly string[] = [
  'environments/the-authorization-endpoint-without-tls',
  'environments/the-first-page-of-an-authorization',
  'authorization/the-first-page-of-an-authorization-without-an-action-of-the-customer',
]

/** How often a scenario declares that a customer authorizes. A shared grant counts once where each scenario has a bank. */
const declaredAuthorizations = (
  { check, folder }: CataloguedCheck,
  of: Profile = profile,
): readonly (readonly [string, number])[] => {
  const { as, authorizations = 0, times, needs = [] } = check.scenario.options
  const id = `${folder}/${slug(check.scenario.title)}`
  const shared = needs.includes('access') ? sharedVariants(check.scenario.options, of).length : 0
  const count = authorizations * (times?.(of, true) ?? 1) + shared
  if (check.scenario.kind === 'property') return []
  const hasConsents = of.secondVariant?.oauth?.consent !== false
  if (!hasConsents && needs.includes('second-variant-consent')) return []
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
    results.push(await runTrial(catalogue, countingAuthorizations(counts), { seed: SEED, runsOf: () => 2 }))
})

/** The scenarios that declare another number than they make. */
const wronglyDeclared = (made: Authorizations, of: Profile): readonly string[] =>
  [...new Map(catalogue.checks.flatMap((check) => declaredAuthorizations(check, of)))]
    .filter(([id]) => !WITHOUT_A_CUSTOMER.includes(id))
    .filter(([id, count]) => (made.get(id) ?? 0) !== count)
    .map(([id, count]) => `${id}: declares ${count} authorizations, and makes ${made.get(id) ?? 0}`)

test('every scenario declares how often a customer authorizes', SLOW, () => {
  expect(wronglyDeclared(authorizations, profile)).toEqual([])
})

test('the same where each variant of the accounts is granted by itself', SLOW, async () => {
  const id = 'the-second-variant-has-its-own-endpoints-and-no-consent'
  const changes = variationProfile(id)
  const made: Authorizations = new Map()
  await runTrial(
    catalogue,
    countingAuthorizations(
      made,
      variations.find((one) => one.id === id),
    ),
    { profile: changes ?? {}, socket: false, seed: SEED, runsOf: () => 1 },
  )
  expect(wronglyDeclared(made, profileSchema.parse({ ...referenceProfile('sandbox'), ...changes }))).toEqual(
    [],
  )
})

test('the same run twice gives the same verdicts from the same exchanges', SLOW, () => {
  const [first = [], second = []] = results.map((run) =>
    run.map(({ id, verdict, exchanges }) => `${id} ${verdict} ${exchanges.join(' ')}`),
  )
  expect(first.length).toBeGreaterThan(0)
  expect(second).toEqual(first)
})

test('every check passes on a bank without a defect, with another seed than the usual one', SLOW, () => {
  expect(results.flat().filter(({ verdict }) => verdict !== 'pass')).toEqual([])
})
