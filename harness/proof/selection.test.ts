import { expect, test } from 'vitest'
import { ConfigurationError } from '../profile/configuration-error.ts'
import {
  caughtTasks,
  defectInBanksTasks,
  DIALECTS,
  leftOutLine,
  loadDefects,
  loadVariations,
  type ProofOptions,
  proofFileFor,
  selectTasks,
} from './selection.ts'

const wanted: ProofOptions = { only: [], id: [], seed: 42, runs: 25 }

const breaksOf = async (changes: Partial<ProofOptions>) =>
  (await selectTasks({ ...wanted, ...changes })).flatMap((task) => (task.kind === 'defect' ? [task] : []))

test('without a selection all banks are tried, and each must be caught by all that it breaks', async () => {
  const defects = await loadDefects()
  expect(await selectTasks(wanted)).toHaveLength(defects.length + loadVariations().length)
  expect((await breaksOf({})).map(({ breaks }) => breaks)).toEqual(
    defects.map(({ breaks }) => breaks.map(({ id }) => id)),
  )
})

test('--only tries the defects that break a requirement of the chapter, and only the chapter must catch them', async () => {
  const all = await breaksOf({})
  const ofTokens = await breaksOf({ only: ['tokens'] })
  const isToken = (id: string): boolean => id.startsWith('TOK-')
  expect(ofTokens.map(({ id }) => id)).toEqual(
    all.filter(({ breaks }) => breaks.some(isToken)).map(({ id }) => id),
  )
  expect(ofTokens.flatMap(({ breaks }) => breaks).filter((id) => !isToken(id))).toEqual([])
  // A defect that breaks requirements of two chapters is tried for either.
  const shared = all.filter(({ breaks }) => breaks.some(isToken) && !breaks.every(isToken))
  expect(shared.length).toBeGreaterThan(0)
})

test('with --dialect no other dialect is tried', async () => {
  const dialect = 'generated-1'
  const tasks = await selectTasks({ ...wanted, dialect })
  const tried = tasks.map(({ id }) => id)
  expect(tried).not.toContain('generated-2')
  expect(tasks.every((task) => task.dialect === dialect)).toBe(true)
})

test('with --dialect one line says how many banks are left out, and where the reasons are', async () => {
  const lineOf = async (options: ProofOptions) => leftOutLine(options, await selectTasks(options))
  expect(await lineOf(wanted)).toBeUndefined()
  expect(await lineOf({ ...wanted, dialect: 'generated-1', id: ['a-code-never-expires'] })).toBeUndefined()
  const dialect = 'generated-1'
  const all = { ...wanted, dialect }
  const line = await lineOf(all)
  expect(line).toMatch(/^left out in the dialect generated-1: \d+ variations? \(in conflict with it: /)
  // Every bank is tried, left out or another dialect.
  const whole = (await selectTasks(wanted)).length
  const counts = [...(line ?? '').matchAll(/(\d+) variation/g)].map(([, count]) => Number(count))
  const sum = counts.reduce((total, count) => total + count, 0)
  expect((await selectTasks(all)).length + sum).toBe(whole - DIALECTS.length)
})

test('a bank that the dialect leaves out is an error that names the dialect', async () => {
  await expect(
    selectTasks({ ...wanted, dialect: 'generated-1', id: ['compressed-with-gzip'] }),
  ).rejects.toThrow(
    '--id compressed-with-gzip: nothing is left to try; the dialect generated-1 leaves these banks out; try them without --dialect',
  )
})

test.each([
  [
    { only: ['tokns'] },
    /--only tokns: no chapter, requirement id or tag has this name; did you mean tokens\?/,
  ],
  [
    { id: ['events-are-compresed'] },
    /--id events-are-compresed: no defect or variation has this in its id; did you mean events-are-compressed\?/,
  ],
  [{ id: ['!'] }, /--id !: .*npm run catalogue lists all/],
  [{ only: ['loans'], id: ['a-code-never-expires'] }, /a-code-never-expires: nothing is left to try/],
])('%j matches nothing, and the error says so', async (changes, message) => {
  const refused = selectTasks({ ...wanted, ...changes })
  await expect(refused).rejects.toThrow(ConfigurationError)
  await expect(refused).rejects.toThrow(message)
})

test.each([
  ['the whole', {}, 'proof.json'],
  ['the whole with another seed', { seed: 7 }, 'proof.json'],
  ['the whole in a dialect', { dialect: 'generated-2' }, 'proof-generated-2.json'],
  ['the whole without short cuts', { exhaustive: true }, 'proof-exhaustive.json'],
  ['a chapter', { only: ['tokens'] }, 'proof-part.json'],
  ['one bank', { id: ['a-code-never-expires'] }, 'proof-part.json'],
  ['a chapter in a dialect', { only: ['tokens'], dialect: 'generated-2' }, 'proof-generated-2-part.json'],
])('%s is written to a file of its own', (_, options, file) => {
  expect(proofFileFor({ ...wanted, ...options })).toBe(file)
})

test('a defect keeps its composed banks, whatever else is selected, and shares them with no other', async () => {
  const banksOf = async (only: readonly string[]) =>
    new Map(
      defectInBanksTasks(await selectTasks({ ...wanted, only }), 3).map((task) => [
        task.id,
        'banks' in task ? task.banks : [],
      ]),
    )
  const ofAll = await banksOf([])
  const ofLoans = await banksOf(['loans'])
  expect(ofLoans.size).toBeGreaterThan(100)
  for (const [id, banks] of ofLoans) expect(banks).toEqual(ofAll.get(id))
  const seeds = [...ofAll.values()].flat()
  expect(new Set(seeds).size).toBe(seeds.length)
})

test('the checks that must catch a defect are those of the defects alone', async () => {
  const tasks = caughtTasks(await selectTasks({ ...wanted, only: ['loans'] }))
  expect(tasks.length).toBeGreaterThan(100)
  expect(tasks.every((task) => task.kind === 'defect' && task.isCaughtOnly)).toBe(true)
})
