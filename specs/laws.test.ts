import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../harness/plan/catalogue.ts'
import { loadDefects, loadVariations } from '../harness/proof/suspects.ts'
import { runTrial } from '../harness/proof/trial.ts'
import { slug } from '../harness/plan/build-plan.ts'
import { shelves } from './shelves.ts'
import type { CheckResult } from '../harness/check/result.ts'
import type { CataloguedCheck } from '../harness/plan/catalogue.ts'
import type { Faults } from '../harness/target/embedded.ts'

/** Laws over the whole catalogue. A law that is broken says which file to open. */

const catalogue = await loadCatalogue()
const defects = await loadDefects()

const checkedIds = new Set(catalogue.checks.map(({ check }) => check.requirement.id))
const rows = shelves.flatMap(({ chapter, rows }) => Object.values(rows).map((row) => ({ chapter, row })))
const rowOf = new Map(rows.map(({ row }) => [row.id, row]))
const chapterOf = new Map(rows.map(({ chapter, row }) => [row.id, chapter]))

const fileOf = (id: string, file: string): string => `specs/${chapterOf.get(id) ?? '<chapter>'}/${file}`

const twice = <Item>(items: readonly Item[]): readonly Item[] =>
  items.filter((item, at) => items.indexOf(item) !== at)

describe('checks', () => {
  test('every requirement has a check, or a written reason why it has none', () => {
    const bare = catalogue.requirements
      .filter(
        ({ id, pending, unchecked }) =>
          !checkedIds.has(id) && pending === undefined && unchecked === undefined,
      )
      .map(({ id, claim }) => `${id} "${claim}": state check(…) in ${fileOf(id, '<topic>.spec.ts')}`)
    expect(bare).toEqual([])
  })

  test('no requirement that has a check gives a reason why it has none', () => {
    const stale = catalogue.requirements
      .filter(({ id, pending, unchecked }) => checkedIds.has(id) && (pending ?? unchecked) !== undefined)
      .map(({ id }) => `${id} has a check: take its reason out of ${fileOf(id, 'requirements.ts')}`)
    expect(stale).toEqual([])
  })

  test('every check names a requirement that stands on a shelf', () => {
    const strays = catalogue.checks
      .filter(({ check }) => rowOf.get(check.requirement.id) !== check.requirement)
      .map(({ check }) => `${check.file} judges ${check.requirement.id}, which no shelf has`)
    expect(strays).toEqual([])
  })

  test('every check judges a requirement of its own chapter', () => {
    const strays = catalogue.checks
      .filter(({ check, chapter }) => chapterOf.get(check.requirement.id) !== chapter)
      .map(({ check }) => `${check.file} judges ${check.requirement.id} of another chapter`)
    expect(strays).toEqual([])
  })

  test('every check knows where it is written', () => {
    const lost = catalogue.checks.filter(
      ({ check }) => !/^specs\/\w+\/[\w-]+\.spec\.ts:\d+$/.test(check.file),
    )
    expect(lost.map(({ key, check }) => `${key}: ${check.file}`)).toEqual([])
  })

  test('a title names one scenario of its chapter', () => {
    const scenarios = new Map(
      catalogue.checks.map(({ check, chapter }) => [
        check.scenario,
        `${chapter}/${slug(check.scenario.title)}`,
      ]),
    )
    expect(twice([...scenarios.values()])).toEqual([])
  })
})

describe('defects', () => {
  test('every MUST and SHOULD that is checked is broken by a defect', () => {
    const broken = new Set(defects.flatMap(({ breaks }) => breaks.map(({ id }) => id)))
    const unproved = catalogue.requirements
      .filter(({ id, level }) => level !== 'MAY' && checkedIds.has(id) && !broken.has(id))
      .map(
        ({ id, claim }) =>
          `${id} "${claim}": nothing proves that its check can fail; add a defect to ${fileOf(id, 'defects.ts')}`,
      )
    expect(unproved).toEqual([])
  })

  test('every defect breaks requirements that have a check', () => {
    const idle = defects
      .filter(({ breaks }) => breaks.length === 0 || breaks.some(({ id }) => !checkedIds.has(id)))
      .map(({ id, chapter }) => `specs/${chapter}/defects.ts: ${id} breaks nothing that is checked`)
    expect(idle).toEqual([])
  })

  test('ids are unique, over defects and variations', () => {
    expect(twice([...defects, ...loadVariations()].map(({ id }) => id))).toEqual([])
  })
})

const verdictsOf = (results: readonly CheckResult[]): readonly string[] =>
  results.map(({ id, verdict, exchanges }) => `${id} ${verdict} ${exchanges.join(' ')}`)

/** The reference bank, which counts how often the customer's browser came to each scenario's authorization. */
const countingAuthorizations =
  (counts: Map<string, number>) =>
  (scenario: string): Faults => ({
    variation: {
      id: 'counting',
      story: 'the reference bank, with somebody at the door who counts',
      wire: (next) => (request) => {
        if (new URL(request.url).pathname.endsWith('/authorize'))
          counts.set(scenario, (counts.get(scenario) ?? 0) + 1)
        return next(request)
      },
    },
  })

/** How often a scenario says that a customer authorizes; a shared grant is asked for once where a bank is its own. */
const declaredAuthorizations = ({
  check,
  chapter,
}: CataloguedCheck): readonly (readonly [string, number])[] => {
  const { as, authorizations = 0, needs = [] } = check.scenario.options
  const id = `${chapter}/${slug(check.scenario.title)}`
  const count = authorizations + (needs.includes('access') ? 1 : 0)
  if (check.scenario.kind === 'property') return []
  return as === 'each'
    ? [
        [`${id}@FAC`, count],
        [`${id}@TPP`, count],
      ]
    : [[as === 'any' ? id : `${id}@${as}`, count]]
}

describe('runs', () => {
  test('every scenario declares how often a customer authorizes', async () => {
    const counts = new Map<string, number>()
    await runTrial(catalogue, countingAuthorizations(counts), { seed: 7, runsOf: () => 1 })
    const declared = new Map(catalogue.checks.flatMap(declaredAuthorizations))
    const wrong = [...declared]
      .filter(([id, count]) => (counts.get(id) ?? 0) !== count)
      .map(([id, count]) => `${id}: declares ${count} authorizations, and makes ${counts.get(id) ?? 0}`)
    expect(wrong).toEqual([])
  })

  test('the same run twice gives the same verdicts, resting on the same exchanges', async () => {
    const run = (): Promise<readonly CheckResult[]> =>
      runTrial(catalogue, () => ({}), { seed: 7, runsOf: () => 5 })
    const [first, second] = [await run(), await run()]
    expect(verdictsOf(second)).toEqual(verdictsOf(first))
    expect(first.length).toBeGreaterThan(0)
  })

  test('another seed gives the same verdicts on a bank without a defect', async () => {
    const runs = await Promise.all(
      [1, 2, 3].map((seed) => runTrial(catalogue, () => ({}), { seed, runsOf: () => 5 })),
    )
    expect(runs.flat().filter(({ verdict }) => verdict !== 'pass')).toEqual([])
  })
})
