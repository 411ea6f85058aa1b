import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exchange } from '../report/sample.ts'
import { scratch } from '../report/scratch.ts'
import { verifyEvidence, writeEvidence } from './evidence.ts'
import { readShard } from './read.ts'
import { folderOf, lines, shardFile } from './sample.ts'

const evidenceIn = (folder: string): string => readFileSync(join(folder, 'evidence.jsonl'), 'utf8')

test('an exchange has one id among all shards', () => {
  const probe = [exchange('probe/1')]
  const [one, two] = [folderOf(shardFile(1), probe), folderOf(shardFile(2), probe)]
  expect(() => verifyEvidence([readShard(one), readShard(two)])).toThrow(
    `the exchange probe/1 stands twice, in ${join(one, 'evidence.jsonl')} and in ${join(two, 'evidence.jsonl')}`,
  )
})

test('no verdict rests on what is not there', () => {
  const folder = folderOf(shardFile(1))
  writeFileSync(join(folder, 'evidence.jsonl'), lines([exchange('tokens/another/1')]))
  expect(() => verifyEvidence([readShard(folder)])).toThrow(
    'rests on the exchange tokens/a-code-exchange@FAC/1, which is not in',
  )
})

test('evidence is put together line by line, without a line that has no end', () => {
  const [one, two] = [folderOf(shardFile(1)), folderOf(shardFile(2))]
  const whole = evidenceIn(one)
  writeFileSync(join(one, 'evidence.jsonl'), `${whole}{"kind":"exch`)
  const handed = [readShard(one), readShard(two)]
  expect(() => verifyEvidence(handed)).not.toThrow()
  const out = scratch()
  writeEvidence(handed, out)
  expect(evidenceIn(out)).toBe(whole + evidenceIn(two))
})
