import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEvidenceReader, digestEvidence, verifyEvidenceOf } from './evidence-file.ts'
import { EVIDENCE, exchange, sampleReport, scratch } from '../testing/samples/reports.ts'
import { writeJson } from './write.ts'

const lines = (...exchanges: readonly object[]): string =>
  exchanges.map((one) => `${JSON.stringify(one)}\n`).join('')

test('an exchange is found by its id, whole', () => {
  const file = join(scratch(), 'evidence.jsonl')
  writeFileSync(file, lines(...EVIDENCE))
  const find = createEvidenceReader(file)
  for (const one of EVIDENCE) expect(find(one.id)).toEqual(one)
})

test('where nothing was sent there is no evidence', () => {
  const find = createEvidenceReader(join(scratch(), 'evidence.jsonl'))
  expect(find('payments/a-rejection/4')).toBeUndefined()
})

test('what is written later is found later, a half line when it is whole', () => {
  const file = join(scratch(), 'evidence.jsonl')
  writeFileSync(file, lines(exchange('s/1')))
  const find = createEvidenceReader(file)
  expect(find('s/2')).toBeUndefined()
  const line = lines(exchange('s/2', { operation: 'größer' }))
  appendFileSync(file, line.slice(0, 40))
  expect(find('s/2')).toBeUndefined()
  expect(find('s/1')?.id).toBe('s/1')
  appendFileSync(file, line.slice(40) + lines(exchange('s/3')))
  expect(find('s/2')?.operation).toBe('größer')
  expect(find('s/3')?.id).toBe('s/3')
})

test('other lines are passed over, and further keys do no harm', () => {
  const file = join(scratch(), 'evidence.jsonl')
  const odd = `not json\n\n{"kind":"note","id":"s/1"}\n[]\nnull\n`
  writeFileSync(file, odd + lines({ ...exchange('s/1'), attempt: 2 }))
  expect(createEvidenceReader(file)('s/1')).toMatchObject({ kind: 'exchange', attempt: 2 })
})

const LINES = EVIDENCE.map((one) => `${JSON.stringify(one)}\n`).join('')

const evidenceIn = (folder: string): string => join(folder, 'evidence.jsonl')

/** The folder of a run with the report that was written of its evidence. */
const runFolder = (): string => {
  const folder = scratch()
  writeFileSync(evidenceIn(folder), LINES)
  writeJson(sampleReport({ evidence: digestEvidence(folder) }), folder, () => undefined)
  return folder
}

test('the digest is the usual one, over all lines', () => {
  const folder = scratch()
  writeFileSync(evidenceIn(folder), 'abc\n')
  expect(digestEvidence(folder)).toMatchObject({
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

test('unchanged evidence belongs to its report', () => {
  expect(verifyEvidenceOf(runFolder())).toEqual({
    isUnchanged: true,
    sentence: `evidence.jsonl has the ${EVIDENCE.length} exchanges that the report was written from.`,
  })
})

test('lines after the report do not count', () => {
  const folder = runFolder()
  appendFileSync(evidenceIn(folder), '{}\n')
  expect(verifyEvidenceOf(folder).isUnchanged).toBe(true)
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
  expect(verifyEvidenceOf(folder)).toEqual({
    isUnchanged: false,
    sentence:
      'evidence.jsonl does not belong to report.json: one of them was changed, or is from another run.',
  })
})

test.each([
  ['', 'not a report.json ('],
  ['{}', 'not a report.json of this version'],
  ['{"schema":3}', 'not a report.json of this version'],
  ['{"schema":1}', 'it has schema 1, and this version reads schema 3'],
])('a report that cannot be read says nothing of it: %j', (text, sentence) => {
  const folder = runFolder()
  writeFileSync(join(folder, 'report.json'), text)
  expect(verifyEvidenceOf(folder)).toMatchObject({ isUnchanged: false })
  expect(verifyEvidenceOf(folder).sentence).toContain(sentence)
})
