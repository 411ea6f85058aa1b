import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, test } from 'vitest'
import { combine } from '../../bank/composition/combine.ts'
import { startBank } from '../../bank/server.ts'
import { ROOT } from '../../plan/root.ts'
import { credentials } from '../certify.ts'
import { defectOf } from '../defective-bank.ts'
import { scratchFolders } from '../faults/run.ts'
import type { TestResult } from 'allure-js-commons'

/** The commands of docs/spec-files.md: vitest runs spec files without `npm test`. Takes about 10 s. */

interface Tests {
  readonly success: boolean
  readonly testResults: readonly {
    readonly name: string
    /** In ms since 1970. */
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

const PROFILE = join(ROOT, 'docs/examples/reference-bank.yaml')
const SPEC_FILE = 'specs/tokens/issuing.spec.ts'
const SECOND_FILE = 'specs/tokens/bearer.spec.ts'

const folders = scratchFolders()

/** Runs `npx vitest run --project conformance`, and returns its output and the tests that no filter skipped. */
const vitest = async (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) => {
  const file = join(folders(), 'tests.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { exitCode, all } = await execa(
    'vitest',
    ['run', '--project', 'conformance', ...args, ...reporters],
    {
      cwd: ROOT,
      preferLocal: true,
      reject: false,
      all: true,
      env: { NODE_ENV: 'test', NO_COLOR: '1', ...env },
    },
  )
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Tests
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const titled = (wanted: string) => tests.filter(({ status }) => status === wanted).map(({ title }) => title)
  return { exitCode, all, testResults, passed: titled('passed'), failed: titled('failed') }
}

test('-t selects the checks of one requirement', async () => {
  const { exitCode, all, passed } = await vitest(['specs/tokens', '-t', 'TOK-35'])
  expect(exitCode, all).toBe(0)
  expect(passed.length).toBeGreaterThan(0)
  for (const title of passed) expect(title).toMatch(/^TOK-35/)
  const folder = join(ROOT, 'reports/vitest/allure-results')
  const results = readdirSync(folder).filter((name) => name.endsWith('-result.json'))
  const names = results.map(
    (name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as TestResult).name,
  )
  expect(names).toHaveLength(passed.length + 1)
  for (const name of names)
    expect(name).toMatch(/^(TOK-35 MUST |Conclusion: conforms so far \(partial\): 1 of )/)
})

/** Each with what is printed of it: of a check, where its test is; of a check of every answer, when all tests have ended. */
const DEFECTS = {
  'an-undocumented-parameter-of-a-code-exchange-is-refused': [
    /^Error: ✗ TOK-20 /m,
    /^ {4}exchange +POST \S+ → 400$/m,
    /^ {4}answer +\{"error":"invalid_request"\}$/m,
    /^ ❯ specs\/tokens\/issuing\.spec\.ts:\d+:1$/m,
    /^ +\d+\| check\(TOK\.unrecognizedParameterIsIgnored/m,
  ],
  'the-token-type-is-bearertoken': [
    /^✗ TOK-05 {2}token_type is Bearer +specs\/tokens\/issuing\.spec\.ts:\d+$/m,
    /received "BearerToken"$/m,
  ],
}

describe('on the target that PROFILE and BASE_URL select', () => {
  let url: string
  let run: Awaited<ReturnType<typeof vitest>>
  beforeAll(async () => {
    const defects = await Promise.all(Object.keys(DEFECTS).map(defectOf))
    const bank = await startBank({ defect: { ...combine('both', defects), breaks: [] } })
    url = bank.url
    run = await vitest([SPEC_FILE, SECOND_FILE], { PROFILE, BASE_URL: url, ...credentials })
    await bank.close()
  })

  test('files run one after the other', () => {
    const { passed, testResults } = run
    expect(passed.length).toBeGreaterThan(20)
    const [first, second] = testResults.toSorted((one, other) => one.startTime - other.startTime)
    expect(testResults).toHaveLength(2)
    expect(second?.startTime).toBeGreaterThanOrEqual(first?.endTime ?? Infinity)
  })

  test('a failed check shows its line in the spec file, and reads as in the reports', () => {
    const { exitCode, all, failed } = run
    expect(exitCode).toBe(1)
    expect(new Set(failed.map((title) => title.split('/')[0]))).toEqual(new Set(['TOK-20']))
    for (const part of Object.values(DEFECTS).flat()) expect(all).toMatch(part)
    // TOK-05 is judged on all answers of the run: the one that breaks it may be of another file.
    for (const selectors of ['TOK-20', 'TOK-05(?: tokens)?']) {
      const reproduce = `npm test -- --profile ${PROFILE} --base-url ${url} --only ${selectors} --seed 42`
      expect(all).toMatch(new RegExp(`^ {4}reproduce +${reproduce}$`, 'm'))
    }
    expect(all).not.toContain('register-checks.ts')
  })
})
