import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { certify, explain, RUN_DEADLINE_MS } from '../certify.ts'
import { credentials as ofApprovalLink } from '../banks/approval-link/credentials.ts'
import { credentials as ofOpenApi } from '../banks/openapi/credentials.ts'
import { credentials as ofPublicOrigin } from '../banks/public-origin/credentials.ts'
import { startServerProcess } from '../server-process.ts'

/**
 * Banks that were written from a page of shapes, and bound from the documentation alone, conform: every failure is a false
 * alarm. Takes about a minute.
 */

interface Bank {
  readonly folder: string
  readonly credentials: Readonly<Record<string, string>>
  /** How many requirements pass at least. */
  readonly passes: number
}

const BANKS: readonly Bank[] = [
  { folder: 'approval-link', credentials: ofApprovalLink, passes: 300 },
  { folder: 'public-origin', credentials: ofPublicOrigin, passes: 370 },
  { folder: 'openapi', credentials: ofOpenApi, passes: 380 },
]

/** Of each property: the banks take none of their values for special. */
const FEW_RUNS = ['--runs', '8']

let temporary: string

beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'bound-from-shapes-'))
})

afterAll(() => rm(temporary, { recursive: true, force: true }))

/** The profile with the address at which the bank listens: a redirect URI may be at the bank itself. */
const profileOf = async (folder: string, url: string): Promise<string> => {
  const from = join(ROOT, 'harness/testing/banks', folder)
  const to = join(temporary, folder)
  await symlink(from, to)
  const text = await readFile(join(from, 'bank.yaml'), 'utf8')
  const file = join(temporary, `${folder}.yaml`)
  await writeFile(
    file,
    text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, url).replace('signature: ', `signature: ${folder}/`),
  )
  return file
}

test.each(BANKS)(
  'the bank conforms: $folder',
  async ({ folder, credentials, passes }) => {
    const bank = await startServerProcess(`harness/testing/banks/${folder}/main.ts`)
    try {
      const profile = await profileOf(folder, bank.url)
      const { exitCode, report } = await certify(
        [`--base-url=${bank.url}`, `--profile=${profile}`, ...FEW_RUNS],
        credentials,
      )
      const alarms = report.requirements.filter(
        ({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable' && verdict !== 'not-tested',
      )
      expect(alarms.map(explain)).toEqual([])
      expect(exitCode).toBe(0)
      expect(report.counts.requirements.pass).toBeGreaterThan(passes)
    } finally {
      await bank.stop()
    }
  },
  RUN_DEADLINE_MS,
)

test.each(BANKS)('its profile has less than 150 lines: $folder', async ({ folder }) => {
  const text = await readFile(join(ROOT, 'harness/testing/banks', folder, 'bank.yaml'), 'utf8')
  expect(text.split('\n').length).toBeLessThan(150)
})
