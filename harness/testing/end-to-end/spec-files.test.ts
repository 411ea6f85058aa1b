import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { combine } from '../../bank/composition/combine.ts'
import { startBank } from '../../bank/server.ts'
import { ROOT } from '../../plan/root.ts'
import { credentials } from '../certify.ts'
import { defectOf } from '../defective-bank.ts'
import { scratch } from '../samples/reports.ts'
import { startServerProcess } from '../server-process.ts'
import type { TestResult } from 'allure-js-commons'

/** The commands of docs/spec-files.md: vitest runs spec files without `npm test`. Takes about 15 s. */

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

/** Runs `npx vitest run --project conformance`, and returns the tests that no filter skipped. */
const vitest = async (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) => {
  const file = join(scratch(), 'tests.json')
  const reporters = ['--reporter=json', `--outputFile=${file}`]
  const { exitCode, all } = await execa(
    'vitest',
    ['run', '--project', 'conformance', ...args, ...reporters],
    { cwd: ROOT, preferLocal: true, reject: false, all: true, env: { NODE_ENV: 'test', ...env } },
  )
  expect(exitCode, all).toBe(0)
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Tests
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    testResults,
    passed: tests.filter(({ status }) => status === 'passed'),
  }
}

test('-t selects the checks of one requirement', async () => {
  const { passed } = await vitest(['specs/tokens', '-t', 'TOK-35'])
  expect(passed.length).toBeGreaterThan(0)
  for (const { title } of passed) expect(title).toMatch(/^TOK-35/)
  const folder = join(ROOT, 'reports/vitest/allure-results')
  const results = readdirSync(folder).filter((name) => name.endsWith('-result.json'))
  const names = results.map(
    (name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as TestResult).name,
  )
  expect(names).toHaveLength(passed.length + 1)
  for (const name of names)
    expect(name).toMatch(/^(TOK-35 MUST |Conclusion: conforms so far \(partial\): 1 of )/)
})

test('PROFILE and BASE_URL select a target, on which files run one after the other', async () => {
  const { url, stop } = await startServerProcess('harness/cli/main.ts', ['bank', '--port', '0'])
  onTestFinished(stop)
  const { passed, testResults } = await vitest([SPEC_FILE, SECOND_FILE], {
    PROFILE,
    BASE_URL: url,
    ...credentials,
  })
  expect(passed.length).toBeGreaterThan(20)
  const [first, second] = testResults.toSorted((one, other) => one.startTime - other.startTime)
  expect(testResults).toHaveLength(2)
  expect(second?.startTime).toBeGreaterThanOrEqual(first?.endTime ?? Infinity)
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

test('a failed check shows its line in the spec file, and reads as in the reports', async () => {
  const defects = await Promise.all(Object.keys(DEFECTS).map(defectOf))
  const { url, close } = await startBank({ defect: { ...combine('both', defects), breaks: [] } })
  onTestFinished(close)
  const { exitCode, all } = await execa(
    'vitest',
    ['run', '--project', 'conformance', SPEC_FILE, '-t', 'TOK-20|TOK-05', '--reporter=default'],
    {
      cwd: ROOT,
      preferLocal: true,
      reject: false,
      all: true,
      env: { NODE_ENV: 'test', NO_COLOR: '1', PROFILE, BASE_URL: url, ...credentials },
    },
  )
  expect(exitCode).toBe(1)
  for (const part of Object.values(DEFECTS).flat()) expect(all).toMatch(part)
  for (const requirement of ['TOK-20', 'TOK-05']) {
    const reproduce = `npm test -- --profile ${PROFILE} --base-url ${url} --only ${requirement} --seed 42`
    expect(all).toMatch(new RegExp(`^ {4}reproduce +${reproduce}$`, 'm'))
  }
  expect(all).not.toContain('register-checks.ts')
})
