import { afterAll, beforeAll, expect, test } from 'vitest'
import { certify, explain, originsOf, RUN_DEADLINE_MS, type Certified } from '../certify.ts'
import { credentials } from '../banks/independent/credentials.ts'
import { startServerProcess } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'

/**
 * A bank of accounts, payments and loans that was written only from the text of the interface: every failure is a false
 * alarm. Takes about a minute.
 */

/** Choices (`--choose`) within the freedom of the text. */
const CHOICES = [
  ...['consentShape=flat', 'bodyOfConsentRefused=true', 'stateRequired=true', 'scopeRequired=true'],
  ...['lapsedAddressStatus=200', 'deniedEndsConsent=true', 'missingVerifier=invalid_request'],
  ...['refreshEndsRefreshToken=true', 'codeSeconds=5', 'hiddenStatus=404', 'refreshStatus=200'],
  ...['hookMethod=POST', 'hookShape=flat'],
].flatMap((choice) => ['--choose', choice])

/** The SHOULDs that it does not follow: its pages can be framed, and its settings hold in both environments. */
const OTHERS = ['AUT-46 warn', 'WEB-51 warn']

let bank: ServerProcess | undefined
let run: Certified

beforeAll(async () => {
  bank = await startServerProcess('harness/testing/banks/independent/main.ts', CHOICES)
  // The bank takes no value of a property for special.
  const options = ['--profile=harness/testing/banks/independent/saltmarsh.yaml', '--runs', '3']
  run = await certify([`--base-url=${bank.url}`, ...options], credentials)
}, RUN_DEADLINE_MS)

afterAll(() => bank?.stop())

test('the bank conforms', () => {
  const others = run.report.requirements.filter(
    ({ verdict }) => !['pass', 'not-tested', 'not-applicable'].includes(verdict),
  )
  expect(
    others.map(({ id, verdict }) => `${id} ${verdict}`),
    others.map(explain).join('\n'),
  ).toEqual(OTHERS)
  expect(run.exitCode).toBe(0)
  expect(run.report.counts.requirements.pass).toBeGreaterThan(400)
})

test('requests are only sent to its origin', () => {
  expect(originsOf(run)).toEqual([bank?.url])
})
