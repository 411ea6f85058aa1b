import { afterAll, beforeAll, expect, test } from 'vitest'
import { certify, explain, originsOf, RUN_DEADLINE_MS, type Certified } from '../certify.ts'
import { credentials } from '../banks/independent/credentials.ts'
import { startServerProcess } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'

/**
 * A bank that was written only from the text of the interface. Its options (`--choose`) use the freedom that the text
 * leaves; the suite reports no failure with any of them. Takes about 80 s.
 */

const PROFILE = 'harness/testing/banks/independent/saltmarsh.yaml'

const CHAPTERS = [
  'consent',
  'authorization',
  'tokens',
  'accounts',
  'transactions',
  'refresh',
  'webhooks',
  'environments',
]

/** Every choice that differs from the default and needs no change of the profile. */
const OTHER_CHOICES = [
  ...['consentShape=flat', 'sameRequestSameConsent=true', 'bodyOfConsentRefused=true', 'stateRequired=true'],
  ...['lapsedAddressStatus=200', 'deniedEndsConsent=true', 'consentOfOneCustomer=true', 'scopeRequired=true'],
  ...['missingVerifier=invalid_request', 'failureBurnsCode=false', 'refreshEndsRefreshToken=true'],
  ...['refreshEndsAccessToken=false', 'refreshOutlives=true', 'laterGrantEndsEarlier=true', 'codeSeconds=5'],
  ...['bareRefusals=true', 'hiddenStatus=404', 'sizesRefused=true', 'newestFirst=true', 'refreshStatus=200'],
  ...[
    'taskEvents=ADDED',
    'hookMethod=POST',
    'hookShape=flat',
    'ownersAreNotified=false',
    'echoesRequests=true',
  ],
].flatMap((choice) => ['--choose', choice])

/** Of each property: the bank takes none of their values for special. */
const FEW_RUNS = ['--runs', '8']

interface Bank {
  readonly options: readonly string[]
  /** The SHOULDs that it does not follow, and what cannot be judged because of that. */
  readonly others: readonly string[]
}

/** Its pages have no header against frames. */
const PAGES_CAN_BE_FRAMED = 'AUT-46 warn'

/** The settings of an application hold in both environments of this bank: the interface does not say that they differ. */
const NOTIFIES_OF_BOTH_ENVIRONMENTS = 'WEB-51 warn'

const BANKS: Readonly<Record<string, Bank>> = {
  'with its defaults': { options: [], others: [PAGES_CAN_BE_FRAMED, NOTIFIES_OF_BOTH_ENVIRONMENTS] },
  'with other choices': {
    options: OTHER_CHOICES,
    // Its refusals quote the request. It does not notify a FAC of its own accounts.
    others: [
      PAGES_CAN_BE_FRAMED,
      'TOK-58 warn',
      'WEB-46 warn',
      'WEB-47 not-reached',
      NOTIFIES_OF_BOTH_ENVIRONMENTS,
    ],
  },
}

const running: ServerProcess[] = []
const certified = new Map<string, Certified>()

const judge = async ([name, { options }]: readonly [string, Bank]): Promise<void> => {
  const bank = await startServerProcess('harness/testing/banks/independent/main.ts', options)
  running.push(bank)
  const args = [`--base-url=${bank.url}`, `--profile=${PROFILE}`, ...FEW_RUNS, '--only', ...CHAPTERS]
  certified.set(name, await certify(args, credentials))
}

beforeAll(() => Promise.all(Object.entries(BANKS).map(judge)), 2 * RUN_DEADLINE_MS)

afterAll(() => Promise.all(running.map(({ stop }) => stop())))

const runOf = (name: string): Certified => {
  const run = certified.get(name)
  if (run === undefined) throw new Error(`no run of the bank ${name}`)
  return run
}

test.each(Object.entries(BANKS))('the bank %s conforms, and every MUST is judged', (name, expected) => {
  const { exitCode, report } = runOf(name)
  const others = report.requirements.filter(
    ({ verdict }) => !['pass', 'not-tested', 'not-applicable'].includes(verdict),
  )
  expect(
    others.map(({ id, verdict }) => `${id} ${verdict}`),
    others.map(explain).join('\n'),
  ).toEqual(expected.others)
  expect(exitCode).toBe(0)
  expect(report.requirements.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(295)
})

test.each(Object.keys(BANKS))('requests are only sent to the origin of the bank %s', (name) => {
  expect(originsOf(runOf(name))).toHaveLength(1)
})
