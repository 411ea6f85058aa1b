import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certify, explain, RUN_DEADLINE_MS } from '../certify.ts'
import { credentials } from '../banks/independent-money/credentials.ts'
import { startServerProcess } from '../server-process.ts'

/**
 * A bank of payments and loans that was written only from the interface conforms: every failure is a false alarm. Its
 * options (`--ways`) use the freedom that the interface leaves. Takes about 80 s.
 */

const FOLDER = 'harness/testing/banks/independent-money'
const CHAPTERS = ['payments', 'loans', 'environments'] as const

/** Of each property: the bank takes none of their values for special. */
const FEW_RUNS = ['--runs', '8']

interface BankVariant {
  readonly ways: readonly string[]
  /** Changes of the profile: a text and its replacement. */
  readonly changes?: readonly (readonly [string, string])[]
}

const VARIANTS: Readonly<Record<string, BankVariant>> = {
  'without options': { ways: [] },
  'with nested records, and one time for all applications': {
    ways: ['record-within', 'empty-members', 'approval-without-a-code', 'ticks', 'honest-statuses', 'zipped'],
    changes: [['errorCode: outcome.code', 'errorCode: outcome.code\n  timing: { ticks: true }']],
  },
  'with payments in the scope': {
    ways: ['scope-names-the-order', 'patient-counter', 'settled-at-once', 'denial-rejects', 'spelled-out'],
    changes: [
      ['scope: PREMIUM_PIS\n    parameter', "scope: 'PREMIUM_PIS:{orderId}'\n    parameter"],
      ['code: outcome.code', 'code: outcome.0.code'],
      ['errorCode: outcome.code', 'errorCode: outcome.0.code'],
    ],
  },
  'with long intervals and few optional members': {
    ways: ['never-settled', 'sluggish', 'withdrawn-while-new', 'refusals-are-403', 'fine-time', 'own-date'],
  },
}

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'independent-money-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const profileOf = async ({ changes = [] }: BankVariant): Promise<string> => {
  const text = await readFile(`${FOLDER}/bank.yaml`, 'utf8')
  const changedText = changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the profile has no ${from}`)
    return changed.replace(from, () => to)
  }, text)
  const file = join(folder, 'bank.yaml')
  await writeFile(file, changedText)
  return file
}

test.each(Object.entries(VARIANTS))(
  'the bank conforms: %s',
  async (_, variant) => {
    const profile = await profileOf(variant)
    const bank = await startServerProcess(`${FOLDER}/main.ts`, ['--ways', variant.ways.join(',')])
    try {
      const options = [`--base-url=${bank.url}`, `--profile=${profile}`, ...FEW_RUNS, '--only', ...CHAPTERS]
      const { exitCode, report } = await certify(options, credentials)
      const judged = report.requirements.filter(({ chapter }) => CHAPTERS.some((name) => name === chapter))
      const alarms = judged.filter(
        ({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable' && verdict !== 'not-tested',
      )
      expect(alarms.map(explain)).toEqual([])
      expect(exitCode).toBe(0)
      expect(report.counts.requirements.pass).toBeGreaterThan(150)
    } finally {
      await bank.stop()
    }
  },
  RUN_DEADLINE_MS,
)
