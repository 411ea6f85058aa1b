import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certify, explain, originsOf, RUN_DEADLINE_MS, type Certified } from '../certify.ts'
import { startServerProcess } from '../server-process.ts'
import { deviations } from '../banks/third-party/deviations.ts'
import { clients, customers } from '../banks/third-party/seed-data.ts'
import type { ServerProcess } from '../server-process.ts'
import type { RequirementReport } from '../../report/schema.ts'

/**
 * Authorization servers that others wrote. Each warning or failure on them is either a listed deviation or a false alarm.
 * Takes about 40 s.
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

const isPassed = ({ verdict }: RequirementReport): boolean =>
  ['pass', 'not-tested', 'not-applicable'].includes(verdict)

describe.each(Object.entries(deviations))('%s', (name, deviating) => {
  let server: ServerProcess | undefined
  let certified: Certified
  let judged: readonly RequirementReport[]

  beforeAll(async () => {
    server = await startServerProcess(`harness/testing/banks/third-party/${name}.ts`)
    certified = await certify(
      [
        `--base-url=${server.url}`,
        '--profile=harness/testing/banks/third-party/profile.ts',
        '--only',
        ...CHAPTERS,
      ],
      credentials,
    )
    judged = certified.report.requirements.filter(({ chapter }) => CHAPTERS.some((one) => one === chapter))
  }, RUN_DEADLINE_MS)

  afterAll(() => server?.stop())

  test('only listed deviations fail or warn', () => {
    const alarms = judged.filter((row) => !isPassed(row) && deviating[row.id]?.verdict !== row.verdict)
    expect(alarms.map(explain)).toEqual([])
  })

  test('every listed deviation fails or warns', () => {
    const verdictOf = new Map(judged.map(({ id, verdict }) => [id, verdict]))
    const missed = Object.entries(deviating)
      .filter(([id, { verdict }]) => verdictOf.get(id) !== verdict)
      .map(([id, { verdict, because }]) => `${id} ${verdict}: ${because}; received ${verdictOf.get(id)}`)
    expect(missed).toEqual([])
  })

  test('every check is judged, except those that need a result screen or the revocation of a consent', () => {
    const reasons = judged.flatMap(({ checks }) =>
      checks.filter(({ verdict }) => verdict === 'not-tested').map(({ because }) => because ?? ''),
    )
    for (const reason of reasons) expect(reason).toMatch(/"result-screen"|testHooks\.revokeConsent/)
    expect(judged.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0)
  })

  test('the exit code is 1 only for a violated MUST', () => {
    const isViolated = Object.values(deviating).some(({ verdict }) => verdict === 'fail')
    expect(certified.exitCode, certified.stderr).toBe(isViolated ? 1 : 0)
  })

  test('requests are only sent to the server', () => {
    expect(originsOf(certified)).toEqual([server?.url])
  })
})
