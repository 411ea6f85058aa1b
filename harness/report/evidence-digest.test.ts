import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestEvidence, lookAtEvidence } from './evidence-digest.ts'
import { writeJson } from './json.ts'
import { EVIDENCE, sampleReport } from './sample.ts'
import { scratch } from './scratch.ts'

const LINES = EVIDENCE.map((one) => `${JSON.stringify(one)}\n`).join('')

const evidenceIn = (folder: string): string => join(folder, 'evidence.jsonl')

/** The folder of a run with the report that was written of its evidence. */
const runFolder = (): string => {
  const folder = scratch()
  writeFileSync(evidenceIn(folder), LINES)
  writeJson(sampleReport({ evidence: digestEvidence(folder) }), folder)
  return folder
}

test('the digest is the usual one, over all lines', () => {
  const folder = scratch()
  writeFileSync(evidenceIn(folder), 'abc\n')
  expect(digestEvidence(folder)).toEqual({
    exchanges: 1,
    bytes: 4,
    sha256: 'edeaaff3f1774ad2888673770c6d64097e391bc362d7d6fb34982ddf0efd18cb',
  })
})

test('a line that was not written whole does not count', () => {
  const folder = scratch()
  writeFileSync(evidenceIn(folder), `${LINES}{"kind":"exch`)
  expect(digestEvidence(folder)).toMatchObject({
    exchanges: EVIDENCE.length,
    bytes: Buffer.byteLength(LINES),
  })
})

test('evidence that nobody has touched is that of its report', () => {
  expect(lookAtEvidence(runFolder())).toEqual({
    isUnchanged: true,
    sentence: `evidence.jsonl has the ${EVIDENCE.length} exchanges that the report was written with.`,
  })
})

test('what came behind the report changes nothing of what it rests on', () => {
  const folder = runFolder()
  appendFileSync(evidenceIn(folder), '{}\n')
  expect(lookAtEvidence(folder).isUnchanged).toBe(true)
})

const CHANGES: Readonly<Record<string, (file: string) => void>> = {
  'one status is another': (file) => writeFileSync(file, LINES.replace('"status":', '"Status":')),
  'its last line is gone': (file) => writeFileSync(file, LINES.replace(/[^\n]*\n$/, '')),
  'it is gone': (file) => rmSync(file),
}

test.each(Object.entries(CHANGES))('evidence is not that of its report where %s', (_, change) => {
  const folder = runFolder()
  change(evidenceIn(folder))
  expect(readFileSync(join(folder, 'report.json'), 'utf8')).toContain('"sha256"')
  expect(lookAtEvidence(folder)).toEqual({
    isUnchanged: false,
    sentence:
      'evidence.jsonl is not what report.json was written with: one of them was changed since, or is of another run.',
  })
})

test.each(['', '{}', '{"schema":2}'])('a report that cannot be read says nothing of it: %j', (text) => {
  const folder = runFolder()
  writeFileSync(join(folder, 'report.json'), text)
  expect(lookAtEvidence(folder)).toMatchObject({ isUnchanged: false })
  expect(lookAtEvidence(folder).sentence).toContain('no report.json of this version')
})
