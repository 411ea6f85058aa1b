import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf, scratch, shardFile } from '../../testing/samples/reports.ts'
import { digestEvidence } from '../evidence-file.ts'
import { readShard } from './shard-file.ts'

test('a shard is read as it was written', () => {
  const [file, folder] = [shardFile(1), folderOf(shardFile(1))]
  expect(readShard(folder)).toEqual({ folder, file: { ...file, evidence: digestEvidence(folder) } })
})

test.each([
  ['nothing', '', 'Unexpected end of JSON input'],
  ['half of it', JSON.stringify(shardFile(1)).slice(0, 400), 'JSON'],
  ['something else', '{"format":3}', 'suite'],
  [
    'another plan',
    JSON.stringify({ ...shardFile(1), plan: { ...shardFile(1).plan, seed: 7 } }),
    'its plan does not match its digest',
  ],
  [
    'a shard beyond the last one',
    JSON.stringify({ ...shardFile(1), parts: shardFile(1).parts.map((part) => ({ ...part, index: 4 })) }),
    'it has a shard 4 of 3',
  ],
])('what is damaged is refused: %s', (_, text, sentence) => {
  const folder = folderOf(shardFile(1))
  writeFileSync(join(folder, 'shard.json'), text)
  expect(() => readShard(folder)).toThrow(`${join(folder, 'shard.json')} is damaged`)
  expect(() => readShard(folder)).toThrow(sentence)
})

test('a shard of another version is refused', () => {
  const folder = folderOf(shardFile(1))
  writeFileSync(join(folder, 'shard.json'), '{"format":2}')
  expect(() => readShard(folder)).toThrow(
    'has format 2, and this version reads format 3: merge with the version',
  )
})

test('a folder without a shard says what is there instead', () => {
  const folder = scratch()
  expect(() => readShard(folder)).toThrow(`${folder}: the shard cannot be read (shard.json: ENOENT)`)
  writeFileSync(join(folder, 'report.json'), '{}')
  expect(() => readShard(folder)).toThrow(`${folder} contains a whole run, not a shard`)
})

test('a shard without its evidence is refused', () => {
  const folder = folderOf(shardFile(1))
  rmSync(join(folder, 'evidence.jsonl'))
  expect(() => readShard(folder)).toThrow(`${folder}: evidence.jsonl is missing`)
})

test.each([
  ['changed', (text: string) => text.replace('"status":200', '"status":201')],
  ['cut off', (text: string) => text.slice(0, text.length / 2)],
  ['emptied', () => ''],
])('a shard whose evidence was %s is refused', (_, change) => {
  const folder = folderOf(shardFile(1))
  const file = join(folder, 'evidence.jsonl')
  const before = readFileSync(file, 'utf8')
  expect(change(before)).not.toBe(before)
  writeFileSync(file, change(before))
  expect(() => readShard(folder)).toThrow(`${folder}: evidence.jsonl does not match the digest in shard.json`)
})
