import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  CHAPTERS,
  isVague,
  type InterfaceChapter,
  type Requirement,
} from '../../harness/check/requirement.ts'
import { SCOPE_NAMES, scopeOf } from '../../harness/plan/scope.ts'
import { spans } from '../../harness/report/catalogue/statements.ts'
import { descriptive } from './descriptive.ts'
import { chapters } from '../chapters.ts'

/** Laws of the catalogue as text: that it is whole, that it quotes to the letter, that no id ever changes. */

const PREFIX: Readonly<Record<InterfaceChapter, string>> = {
  consent: 'CON',
  authorization: 'AUT',
  tokens: 'TOK',
  accounts: 'ACC',
  transactions: 'TRX',
  refresh: 'REF',
  webhooks: 'WEB',
  payments: 'PAY',
  loans: 'LOA',
  environments: 'ENV',
}

const lines = readFileSync(new URL('../interface.md', import.meta.url), 'utf8').split('\n')
const entries = chapters.flatMap(({ chapter, rows }) =>
  Object.entries(rows).map(([key, row]) => ({ chapter, key, row })),
)
const rows = entries.map(({ row }) => row)
const requirements = rows.filter((row): row is Requirement => row.kind === 'requirement')
const ofTheInterface = rows.filter((row) => row.kind === 'not-shown' || row.source === 'interface')
const quotesNotShown = rows.filter((row) => row.kind === 'not-shown').map(({ quote }) => quote)

/** `CON-24` for `CON-07`, where the chapter has 23 requirements. */
const nextFreeId = (id: string, ids: readonly string[]): string => {
  const prefix = id.slice(0, 4)
  const numbers = ids.filter((other) => other.startsWith(prefix)).map((other) => Number(other.slice(4)))
  return `${prefix}${String(Math.max(...numbers.filter(Number.isInteger)) + 1).padStart(2, '0')}`
}

test('the chapters are the ten in their order', () => {
  expect(chapters.map(({ chapter }) => chapter)).toEqual(CHAPTERS)
})

test('every id has the prefix of its chapter', () => {
  const misplaced = entries.filter(
    ({ chapter, row }) => !new RegExp(`^${PREFIX[chapter]}-(\\d\\d|U\\d)$`).test(row.id),
  )
  expect(misplaced.map(({ chapter, row }) => `${row.id} in ${chapter}`)).toEqual([])
})

test('a U stands in the id of a row of what is not shown, and of no other', () => {
  expect(rows.filter(({ id, kind }) => id.includes('-U') !== (kind === 'not-shown'))).toEqual([])
})

test('no two rows have the same id', () => {
  const ids = rows.map(({ id }) => id)
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at)
  expect(
    twice.map((id) => `${id} is taken: the next free id of its chapter is ${nextFreeId(id, ids)}`),
  ).toEqual([])
})

test('no two requirements of a chapter claim the same', () => {
  const claims = entries.flatMap(({ chapter, row }) =>
    row.kind === 'requirement' ? [`${chapter}: ${row.claim}`] : [],
  )
  expect(claims.filter((claim, at) => claims.indexOf(claim) !== at)).toEqual([])
})

test.for(chapters.map(({ chapter, rows }) => ({ chapter, rows })))(
  'ids, levels and keys of $chapter are frozen',
  ({ chapter, rows }) => {
    const frozen = Object.entries(rows).map(
      ([key, row]) => `${row.id} ${row.kind === 'requirement' ? row.level : 'not-shown'} ${key}`,
    )
    expect(
      frozen.sort(),
      `other people's scripts name these ids: undo the change in specs/${chapter}/requirements.ts, or, if a row was ` +
        'added and none was changed, run "npx vitest run --project unit specs/shared/catalogue.test.ts -u", which updates this snapshot only; a path after -u would be taken for its value',
    ).toMatchSnapshot()
  },
)

test('every quote of the interface is there to the letter', () => {
  const misquoted = ofTheInterface.filter(({ quote }) => !lines.some((line) => line.includes(quote)))
  expect(misquoted.map(({ id, quote }) => `${id} ${quote}`)).toEqual([])
})

test('every source is the interface or a section of a standard', () => {
  const odd = requirements.filter(({ source }) => !/^(interface|RFC \d{4} §[\d.]+|ISO 20022)$/.test(source))
  expect(odd.map(({ id, source }) => `${id} ${source}`)).toEqual([])
})

test('every "not shown" is quoted by a row of its own', () => {
  const missing = lines.flatMap((line, at) =>
    [...line.matchAll(/not shown/g)]
      .filter(({ index }) => !spans(line, quotesNotShown).some(({ from, to }) => from <= index && index < to))
      .map(
        ({ index }) =>
          `interface.md:${at + 1}:${index + 1} ${line.slice(Math.max(0, index - 60), index + 9)}`,
      ),
  )
  expect(missing).toEqual([])
})

test('every descriptive statement is there to the letter', () => {
  const misquoted = descriptive.filter(({ quote }) => !lines.some((line) => line.includes(quote)))
  expect(misquoted).toEqual([])
})

test('a claim is a statement of fact', () => {
  const vague = requirements.filter(isVague)
  expect(vague.map(({ id, claim }) => `${id} ${claim}`)).toEqual([])
})

/** What the refusal of a request looks like: its status, headers and body. */
const FORM_OF_A_REFUSAL =
  /HTTP status [45]|WWW-Authenticate|\berror\b|access_denied|invalid_|unsupported_|\brepeats? (no|the) (secret|password)/

test('the form of a refusal is no MUST, but for the 401 that the interface states', () => {
  const strict = requirements.filter(
    ({ level, claim, tags, source }) =>
      level === 'MUST' &&
      (tags?.includes('refusal-form') === true || FORM_OF_A_REFUSAL.test(claim)) &&
      !(
        source === 'interface' && /HTTP status 401 when|(expired|revoked) token .*HTTP status 401/.test(claim)
      ),
  )
  expect(strict.map(({ id, claim }) => `${id} ${claim}`)).toEqual([])
})

test('no requirement is both pending and beyond checking', () => {
  const both = requirements.filter((row) => row.pending !== undefined && row.unchecked !== undefined)
  expect(both.map(({ id }) => id)).toEqual([])
})

test('no requirement waits for its check', () => {
  const waiting = requirements.filter(({ pending }) => pending !== undefined)
  expect(
    waiting.map(({ id }) => id),
    'state check(…) in a spec file of its chapter, or say in `unchecked` why no check can judge it',
  ).toEqual([])
})

test('a MAY is never judged', () => {
  const judged = requirements.filter(({ level, unchecked }) => level === 'MAY' && unchecked === undefined)
  expect(judged.map(({ id }) => id)).toEqual([])
})

/** The scopes with their numbers of requirements. If one of them changes after a release, its version must change. */
test('the scopes are frozen', () => {
  const frozen = SCOPE_NAMES.map((name) => {
    const { version, chapters, facets } = scopeOf(name)
    const judged = entries.filter(
      ({ chapter, row }) => row.kind === 'requirement' && chapters.some((one) => one === chapter),
    )
    return { name, version, chapters, facets, requirements: judged.length }
  })
  expect(frozen).toMatchSnapshot()
})
