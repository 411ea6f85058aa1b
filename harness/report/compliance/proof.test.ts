import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { PROOFS } from '../../proof/folder.ts'
import { scratch } from '../../testing/samples/reports.ts'
import { readProofs } from './proof.ts'

const SCORE = {
  defects: 2,
  caught: 2,
  variations: 1,
  alarms: 0,
  banks: 0,
  bankAlarms: 0,
  defectsInBanks: 0,
  caughtInBanks: 0,
  metConditions: 0,
  caughtUnderConditions: 0,
}
const PROOF = { suite: { version: '0.1.0', catalogueDigest: '33' }, finishedAt: '2030-01-01T00:00:00.000Z' }

test('the package contains the proof of the whole catalogue, where it is read, and no other report', async () => {
  const folder = scratch()
  for (const name of ['package.json', '.gitignore']) copyFileSync(join(ROOT, name), join(folder, name))
  for (const name of [join(PROOFS, 'proof.json'), join(PROOFS, 'proof-part.json'), 'reports/report.json']) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify({ ...PROOF, score: SCORE }))
  }
  const { stdout } = await execa('npm', ['pack', '--dry-run', '--json', '--offline', '--ignore-scripts'], {
    cwd: folder,
  })
  const [packed] = JSON.parse(stdout) as readonly [{ readonly files: readonly { readonly path: string }[] }]
  const reports = packed.files.map(({ path }) => path).filter((path) => path.startsWith('reports/'))
  expect(reports).toEqual(['reports/proof/proof.json'])
  expect(readProofs(join(folder, PROOFS))).toEqual([{ ...PROOF, score: SCORE, file: 'proof.json' }])
})
