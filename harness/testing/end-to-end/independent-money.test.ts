import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certify, explain, RUN_DEADLINE_MS } from '../certify.ts'
import { credentials } from '../banks/independent-money/credentials.ts'
import { startServerProcess } from '../server-process.ts'

/**
 * A bank of payments and loans that was written from the interface alone is right: whatever turns red on it is a false
 * alarm. So it is where it does in another way what is left to it.
 */

const FOLDER = 'harness/testing/banks/independent-money'
const CHAPTERS = ['payments', 'loans', 'environments'] as const

interface Other {
  readonly ways: readonly string[]
  /** Of the profile: text → what stands in its place. */
  readonly bound?: readonly (readonly [string, string])[]
}

const OTHERS: Readonly<Record<string, Other>> = {
  'as it is': { ways: [] },
  'with records within others, and one time for all applications': {
    ways: ['record-within', 'empty-members', 'approval-without-a-code', 'ticks', 'honest-statuses', 'zipped'],
    bound: [['errorCode: outcome.code', 'errorCode: outcome.code\n  timing: { ticks: true }']],
  },
  'with payments in the scope': {
    ways: ['scope-names-the-order', 'patient-counter', 'settled-at-once', 'denial-rejects', 'spelled-out'],
    bound: [
      ['scope: PREMIUM_PIS\n    parameter', "scope: 'PREMIUM_PIS:{orderId}'\n    parameter"],
      ['code: outcome.code', 'code: outcome.0.code'],
      ['errorCode: outcome.code', 'errorCode: outcome.0.code'],
    ],
  },
  'slowly, and with as little as may be': {
    ways: ['never-settled', 'sluggish', 'withdrawn-while-new', 'refusals-are-403', 'fine-time', 'own-date'],
  },
}

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'independent-money-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const profileOf = async ({ bound = [] }: Other): Promise<string> => {
  const text = await readFile(`${FOLDER}/bank.yaml`, 'utf8')
  const other = bound.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the profile has no ${from}`)
    return changed.replace(from, () => to)
  }, text)
  const file = join(folder, 'bank.yaml')
  await writeFile(file, other)
  return file
}

test.each(Object.entries(OTHERS))(
  'it conforms %s',
  async (_, other) => {
    const profile = await profileOf(other)
    const bank = await startServerProcess(`${FOLDER}/main.ts`, ['--ways', other.ways.join(',')])
    try {
      const options = [`--base-url=${bank.url}`, `--profile=${profile}`, '--only', ...CHAPTERS]
      const { exitCode, report } = await certify(options, credentials)
      const judged = report.requirements.filter(({ chapter }) => CHAPTERS.some((name) => name === chapter))
      const alarms = judged.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')
      expect(alarms.map(explain)).toEqual([])
      expect(exitCode).toBe(0)
      expect(report.counts.pass).toBeGreaterThan(150)
    } finally {
      await bank.stop()
    }
  },
  RUN_DEADLINE_MS,
)
