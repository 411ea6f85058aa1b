import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EVIDENCE, exchange } from '../sample.ts'
import { scratch } from '../scratch.ts'
import { createEvidenceReader } from './evidence-reader.ts'

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
