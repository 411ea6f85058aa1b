import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { credentials } from '../certify.ts'
import { scratch } from '../samples/reports.ts'
import { startServerProcess } from '../server-process.ts'
import type { TestResult } from 'allure-js-commons'

/** The commands of docs/spec-files.md: vitest runs spec files without `npm test`. Takes about 20 s. */

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
    files: testResults.map(({ name }) => name),
    passed: tests.filter(({ status }) => status === 'passed'),
  }
}

test('one spec file runs on the embedded bank', async () => {
  const { files, passed } = await vitest([SPEC_FILE])
  expect(files).toEqual([join(ROOT, SPEC_FILE)])
  expect(passed.length).toBeGreaterThan(10)
})

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

/** What vitest prints of the checks of a requirement on a bank with a defect. */
const failing = async (requirement: string, defect: string) => {
  const { url, stop } = await startServerProcess('harness/cli/main.ts', [
    ...['bank', '--port', '0', '--defect', defect],
  ])
  onTestFinished(stop)
  const { exitCode, all } = await execa(
    'vitest',
    ['run', '--project', 'conformance', SPEC_FILE, '-t', requirement, '--reporter=default'],
    {
      cwd: ROOT,
      preferLocal: true,
      reject: false,
      all: true,
      env: { NODE_ENV: 'test', NO_COLOR: '1', PROFILE, BASE_URL: url, ...credentials },
    },
  )
  const reproduce = `npm test -- --profile ${PROFILE} --base-url ${url} --only ${requirement} --seed 42`
  expect(exitCode).toBe(1)
  expect(all).toMatch(new RegExp(`^ {4}reproduce +${reproduce}$`, 'm'))
  expect(all).not.toContain('register-checks.ts')
  return all
}

test('a failed check shows its line in the spec file, and reads as in the reports', async () => {
  const all = await failing('TOK-20', 'an-undocumented-parameter-of-a-code-exchange-is-refused')
  for (const part of [
    /^Error: ✗ TOK-20 /m,
    /^ {4}exchange +POST \S+ → 400$/m,
    /^ {4}answer +\{"error":"invalid_request"\}$/m,
    /^ ❯ specs\/tokens\/issuing\.spec\.ts:\d+:1$/m,
    /^ +\d+\| check\(TOK\.unrecognizedParameterIsIgnored/m,
  ])
    expect(all).toMatch(part)
})

test('a check of every answer that fails is printed when all tests have ended', async () => {
  const all = await failing('TOK-05', 'the-token-type-is-bearertoken')
  expect(all).toMatch(/^✗ TOK-05 {2}token_type is Bearer +specs\/tokens\/issuing\.spec\.ts:\d+$/m)
  expect(all).toMatch(/received "BearerToken"$/m)
})
