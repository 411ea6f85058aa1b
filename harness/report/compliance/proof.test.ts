import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { scratch } from '../../testing/samples/reports.ts'
import { PROOFS, readLocalProofs, readReleasedProof, RELEASED_PROOF } from './proof.ts'

const PROOF = {
  suite: { version: '0.1.0', catalogueDigest: '33' },
  finishedAt: '2030-01-01T00:00:00.000Z',
  score: {
    defects: 2,
    caught: 2,
    variations: 1,
    alarms: 0,
    banks: 0,
    bankAlarms: 0,
    defectsInBanks: 0,
    caughtInBanks: 0,
    exercisedConditions: 0,
    caughtUnderConditions: 0,
    notExercised: 0,
  },
}
const RELEASED = { ...PROOF, revision: 'abc', chapters: { tokens: 2 } }

test('the package contains the figures of the proof, and no report', async () => {
  const folder = scratch()
  for (const name of ['package.json', '.gitignore']) copyFileSync(join(ROOT, name), join(folder, name))
  for (const [name, proof] of [
    [RELEASED_PROOF, RELEASED],
    [join(PROOFS, 'proof.json'), PROOF],
    [join(PROOFS, 'proof-part.json'), PROOF],
  ] as const) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(proof))
  }
  const { stdout } = await execa('npm', ['pack', '--dry-run', '--json', '--offline', '--ignore-scripts'], {
    cwd: folder,
  })
  const [packed] = JSON.parse(stdout) as readonly [{ readonly files: readonly { readonly path: string }[] }]
  expect(packed.files.map(({ path }) => path)).toEqual([RELEASED_PROOF, 'package.json'])
  expect(readReleasedProof(folder)).toEqual(RELEASED)
  expect(readLocalProofs(folder)).toEqual([{ ...PROOF, file: 'proof.json' }])
})

test('without files there is no proof', () => {
  const folder = scratch()
  expect([readReleasedProof(folder), readLocalProofs(folder)]).toEqual([undefined, []])
})
