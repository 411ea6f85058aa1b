import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { loadDefects, loadVariations } from '../../harness/proof/selection.ts'
import { slug } from '../../harness/plan/build-plan.ts'
import { documentOf } from '../../harness/report/catalogue/document.ts'
import { traceStatements } from '../../harness/report/catalogue/statements.ts'
import { profileJsonSchema, type SchemaNode } from '../../harness/profile/json-schema.ts'
import { chapters } from '../chapters.ts'
import { descriptive } from './descriptive.ts'
import { PROFILE_KEYS } from '../../harness/testing/profile-keys.ts'
import { SLOW } from '../../harness/testing/slow.ts'

/** Laws over the whole catalogue that need no run. A broken law says which file to open. Slow laws: runs.test.ts. */

const catalogue = await loadCatalogue()
const defects = await loadDefects()

const checkedIds = new Set(catalogue.checks.map(({ check }) => check.requirement.id))
const rows = chapters.flatMap(({ chapter, rows }) => Object.values(rows).map((row) => ({ chapter, row })))
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

  test('every check names a requirement of a chapter', () => {
    const strays = catalogue.checks
      .filter(({ check }) => rowOf.get(check.requirement.id) !== check.requirement)
      .map(({ check, file }) => `${file} judges ${check.requirement.id}, which no chapter has`)
    expect(strays).toEqual([])
  })

  /** A life goes through several chapters. Each of them in a spec file of its own would run it again. */
  const isLife = (file: string): boolean => /\/life\.spec\.ts:/.test(file)

  test('every check judges a requirement of its own chapter, except those of a life', () => {
    const strays = catalogue.checks
      .filter(({ check, folder, file }) => chapterOf.get(check.requirement.id) !== folder && !isLife(file))
      .map(({ check, file }) => `${file} judges ${check.requirement.id} of another chapter`)
    expect(strays).toEqual([])
  })

  test('every check knows where it is written', () => {
    const lost = catalogue.checks.filter(({ file }) => !/^specs\/\w+\/[\w-]+\.spec\.ts:\d+$/.test(file))
    expect(lost.map(({ key, file }) => `${key}: ${file}`)).toEqual([])
  })

  test('a title names one scenario of its chapter', () => {
    const scenarios = new Map(
      catalogue.checks.map(({ check, folder }) => [
        check.scenario,
        `${folder}/${slug(check.scenario.title)}`,
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
          `${id} "${claim}": nothing proves that its check can fail; add a defect to ${fileOf(id, 'defects/')}`,
      )
    expect(unproved).toEqual([])
  })

  test('every defect breaks requirements that have a check', () => {
    const idle = defects
      .filter(({ breaks }) => breaks.length === 0 || breaks.some(({ id }) => !checkedIds.has(id)))
      .map(({ id, chapter }) => `specs/${chapter}/defects: ${id} breaks a requirement that has no check`)
    expect(idle).toEqual([])
  })

  test('ids are unique, over defects and variations', () => {
    expect(twice([...defects, ...loadVariations()].map(({ id }) => id))).toEqual([])
  })
})

const text = readFileSync(new URL('../interface.md', import.meta.url), 'utf8')

/** The words of the interface that neither a check nor one of these reasons accounts for. */
const gapsWith = (reasons: typeof descriptive): readonly string[] =>
  traceStatements(text, documentOf({ catalogue, defects: [], variations: [], descriptive: reasons })).flatMap(
    ({ line, gaps }) => gaps.map((words) => `interface.md:${line} ${words}`),
  )

test('all words of the interface are judged by a check, or a reason is written why not', () => {
  expect(
    gapsWith(descriptive),
    'judge them, or write the reason: `unchecked` on its requirement, or specs/shared/descriptive.ts',
  ).toEqual([])
})

test('no reason is written for words that a check judges', SLOW, () => {
  const idle = descriptive.filter(
    (one) => gapsWith(descriptive.filter((other) => other !== one)).length === 0,
  )
  expect(idle).toEqual([])
})

/** Every key of a profile that holds a value; `*` stands for an item of a list or a name. */
const keysBelow = (node: SchemaNode, at: string): readonly string[] => {
  if (node.oneOf !== undefined) return [...new Set(node.oneOf.flatMap((option) => keysBelow(option, at)))]
  if (node.items !== undefined) return keysBelow(node.items, `${at}.*`)
  if (node.properties !== undefined)
    return Object.entries(node.properties).flatMap(([key, inner]) =>
      keysBelow(inner, at === '' ? key : `${at}.${key}`),
    )
  return typeof node.additionalProperties === 'object'
    ? keysBelow(node.additionalProperties, `${at}.*`)
    : [at]
}

describe('keys of a profile', () => {
  const keys = keysBelow(profileJsonSchema(), '')
  /** The longest beginning of a key that has an entry. */
  const useOf = (key: string): string | undefined =>
    Object.keys(PROFILE_KEYS)
      .filter((start) => key === start || key.startsWith(`${start}.`))
      .sort((one, other) => other.length - one.length)[0]

  test('every key has an entry that says what makes up for it, and every entry has a key', () => {
    const used = keys.map((key) => [key, useOf(key)] as const)
    const without = used.filter(([, entry]) => entry === undefined).map(([key]) => key)
    expect(without, 'add them to harness/testing/profile-keys.ts').toEqual([])
    const entries = new Set(used.map(([, entry]) => entry))
    expect(Object.keys(PROFILE_KEYS).filter((entry) => !entries.has(entry))).toEqual([])
  })

  test('a key for what is not shown quotes it, and a key for a value of the interface has a row that judges it', () => {
    const notShown = new Set(catalogue.notShown.map(({ id }) => id))
    const wrong = Object.entries(PROFILE_KEYS).flatMap(([key, use]) => [
      ...('notShown' in use ? use.notShown.filter((id) => !notShown.has(id)) : []).map(
        (id) => `${key}: ${id}`,
      ),
      ...('judgedBy' in use ? use.judgedBy.filter((id) => !checkedIds.has(id)) : []).map(
        (id) => `${key}: ${id}`,
      ),
    ])
    expect(wrong).toEqual([])
  })

  test('every row that compares with the profile names a key that only the owner of the target knows', () => {
    const wrong = catalogue.requirements
      .filter(({ fromProfile }) => {
        if (fromProfile === undefined) return false
        const use = PROFILE_KEYS[useOf(fromProfile) ?? '']
        return use === undefined || !('known' in use)
      })
      .map(({ id, fromProfile }) => `${id}: ${fromProfile ?? ''}`)
    expect(wrong).toEqual([])
  })
})
