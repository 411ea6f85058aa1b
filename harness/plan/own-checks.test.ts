import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadCatalogue } from './catalogue.ts'
import { specFileOf, specPath } from './own-checks.ts'
import { ROOT } from './root.ts'

const EXAMPLE = join(ROOT, 'docs/examples/own-checks')

/** Inside the project, from where the package is found. */
mkdirSync(join(ROOT, 'reports'), { recursive: true })
const scratch = mkdtempSync(join(ROOT, 'reports', 'own-checks-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let copies = 0

/** A copy of the example with a text of one file replaced. */
const changed = (file: string, text: string, replacement: string): string => {
  const folder = join(scratch, `copy-${(copies += 1)}`)
  cpSync(EXAMPLE, folder, { recursive: true })
  const before = readFileSync(join(folder, file), 'utf8')
  expect(before).toContain(text)
  writeFileSync(join(folder, file), before.replace(text, replacement))
  return folder
}

test('the rows and checks of the example come after those of the interface', async () => {
  const [base, catalogue] = [await loadCatalogue(), await loadCatalogue(EXAMPLE)]
  const own = catalogue.requirements.slice(base.requirements.length)
  expect(own.map(({ id, chapter }) => [id, chapter])).toEqual([
    ['ACME-01', 'own'],
    ['ACME-02', 'own'],
  ])
  expect(catalogue.checks.slice(base.checks.length).map(({ file }) => file)).toEqual([
    expect.stringMatching(/^own-checks\/account-data\.spec\.ts:\d+$/),
    expect.stringMatching(/^own-checks\/account-data\.spec\.ts:\d+$/),
  ])
  expect(catalogue.digest).not.toBe(base.digest)
})

test('a change of a spec file changes the digest of the catalogue', async () => {
  const one = await loadCatalogue(changed('account-data.spec.ts', "'no-store'", "'no-store, in any place'"))
  const other = await loadCatalogue(EXAMPLE)
  expect(one.own?.rows).toEqual(other.own?.rows)
  expect(one.digest).not.toBe(other.digest)
})

test('the name of a spec file leads to its path, and back', () => {
  for (const folder of ['/somewhere/our-checks', '/somewhere/specs']) {
    const path = `${folder}/rates.spec.ts`
    expect(specPath(specFileOf(path, folder), folder)).toBe(path)
    const ours = join(ROOT, 'specs/tokens/issuing.spec.ts')
    expect(specPath(specFileOf(ours, folder), folder)).toBe(ours)
  }
})

const ROWS = 'requirements.ts'
const SPECS = 'account-data.spec.ts'

describe('is refused', () => {
  test.each([
    ['a taken prefix', ROWS, "prefix: 'ACME'", "prefix: 'TOK'", /the prefix TOK is that of a chapter/],
    [
      'a malformed prefix',
      ROWS,
      "prefix: 'ACME'",
      "prefix: 'Acme-1'",
      /the prefix is 'Acme-1'; expected 2 to 10/,
    ],
    ['a malformed id', ROWS, "'ACME-01'", "'ACME-1'", /the id 'ACME-1' is not ACME-01/],
    ['an id of the interface', ROWS, "'ACME-01'", "'TOK-01'", /the id 'TOK-01' is not ACME-01/],
    ['an id twice', ROWS, "'ACME-02'", "'ACME-01'", /two requirements have the id ACME-01/],
    [
      'an empty quote',
      ROWS,
      "'Responses with account data carry Cache-Control: no-store.'",
      "''",
      /it is empty[^]*quote/,
    ],
    [
      'a quote that the interface does not have',
      ROWS,
      'source: RULEBOOK',
      "source: 'interface'",
      /the interface does not contain the quote 'Responses with/,
    ],
    [
      'a vague claim',
      ROWS,
      'forbids caches to store it',
      'works',
      /the claim 'the list of accounts works' is no statement/,
    ],
    [
      'an unexplained MAY',
      ROWS,
      'import { must,',
      'import { may as must,',
      /ACME-01 is a MAY, which is never judged/,
    ],
    [
      'no chapter',
      ROWS,
      'export default ownChapter',
      'export const chapter = ownChapter',
      /its default export is not ownChapter/,
    ],
    [
      'a file that cannot be loaded',
      ROWS,
      'const RULEBOOK',
      "import './missing.ts'\nconst RULEBOOK",
      /requirements\.ts cannot be loaded: /,
    ],
    [
      'a row without a check',
      SPECS,
      'check(ACME.accountListIsJson',
      'check(ACME.accountListIsNotStored',
      /ACME-02 .* has no check/,
    ],
    [
      'a check without a row',
      SPECS,
      'check(ACME.accountListIsJson',
      "check({ ...ACME.accountListIsJson, id: 'ACME-09' }",
      /judges ACME-09, which is no row/,
    ],
  ])('%s', async (_, file, text, replacement, message) => {
    await expect(loadCatalogue(changed(file, text, replacement))).rejects.toThrow(message)
  })

  test('a folder that does not exist', async () => {
    await expect(loadCatalogue(join(scratch, 'none'))).rejects.toThrow(/none: there is no such folder/)
  })

  test('a folder without rows, and one without spec files', async () => {
    const empty = join(scratch, 'empty')
    mkdirSync(empty)
    await expect(loadCatalogue(empty)).rejects.toThrow(/it contains no requirements\.ts/)
    cpSync(join(EXAMPLE, ROWS), join(empty, ROWS))
    const rowsOnly = join(scratch, 'rows-only')
    cpSync(empty, rowsOnly, { recursive: true })
    await expect(loadCatalogue(rowsOnly)).rejects.toThrow(/it contains no spec file/)
  })
})
