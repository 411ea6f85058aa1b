import { afterAll, beforeAll, expect, test } from 'vitest'
import { certify, explain, originsOf, RUN_DEADLINE_MS, type Certified } from '../certify.ts'
import { startServerProcess } from '../server-process.ts'
import { deviations } from '../banks/oidc-provider/deviations.ts'
import { clients, customers } from '../banks/oidc-provider/parties.ts'
import type { ServerProcess } from '../server-process.ts'
import type { RequirementReport } from '../../report/schema.ts'

/**
 * An authorization server that nobody here wrote conforms where it conforms: whatever turns red on it is either a
 * difference that can be named, or a false alarm.
 */

const CHAPTERS = ['consent', 'authorization', 'tokens'] as const

const secretOf = (name: string): string | undefined =>
  clients.find((client) => client.name.startsWith(name))?.secret
const passwordOf = (name: string): string | undefined =>
  customers.find(({ username }) => username === name)?.password

const credentials = {
  HARBOUR_SECRET: secretOf('Harbour'),
  MEADOW_SECRET: secretOf('Meadow'),
  TANDEM_SECRET: secretOf('Tandem'),
  VISTA_SECRET: secretOf('Vista'),
  IDA_PASSWORD: passwordOf('ida'),
  JOEL_PASSWORD: passwordOf('joel'),
}

let stranger: ServerProcess | undefined
let certified: Certified
let judged: readonly RequirementReport[]

beforeAll(async () => {
  stranger = await startServerProcess('harness/testing/banks/oidc-provider/server.ts')
  certified = await certify(
    [
      `--base-url=${stranger.url}`,
      '--profile=harness/testing/banks/oidc-provider/profile.ts',
      '--only',
      ...CHAPTERS,
    ],
    credentials,
  )
  judged = certified.report.requirements.filter(({ chapter }) => CHAPTERS.some((name) => name === chapter))
}, RUN_DEADLINE_MS)

afterAll(() => stranger?.stop())

const isGreen = ({ verdict }: RequirementReport): boolean =>
  verdict === 'pass' || verdict === 'not-applicable'

test('nothing turns red but what is written down', () => {
  const alarms = judged.filter((row) => !isGreen(row) && deviations[row.id]?.verdict !== row.verdict)
  expect(alarms.map(explain)).toEqual([])
})

test('everything that is written down turns red', () => {
  const verdictOf = new Map(judged.map(({ id, verdict }) => [id, verdict]))
  const missed = Object.entries(deviations)
    .filter(([id, { verdict }]) => verdictOf.get(id) !== verdict)
    .map(([id, { verdict, because }]) => `${id} ${verdict}: ${because}; received ${verdictOf.get(id)}`)
  expect(missed).toEqual([])
})

test('whatever has a check is judged, but for what needs a result screen', () => {
  const reasons = judged.flatMap(({ checks }) =>
    checks.filter(({ verdict }) => verdict === 'not-applicable').map(({ because }) => because ?? ''),
  )
  for (const reason of reasons) expect(reason).toContain('"result-screen"')
  expect(judged.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0)
})

test('the exit code tells of a broken MUST alone', () => {
  const isBroken = Object.values(deviations).some(({ verdict }) => verdict === 'fail')
  expect(certified.exitCode, certified.stderr).toBe(isBroken ? 1 : 0)
})

test('nothing but the stranger is asked', () => {
  expect(originsOf(certified)).toEqual([stranger?.url])
})
