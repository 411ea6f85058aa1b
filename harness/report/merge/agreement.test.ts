import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exchange } from '../../testing/samples/reports.ts'
import { scratch } from '../../testing/samples/scratch.ts'
import { verifyAgreement, verifyEvidence, verifySuite, writeEvidence } from './agreement.ts'
import { digested, folderOf, lines, shardFile, SPLIT } from '../../testing/samples/shards.ts'
import { readShard } from './shard-file.ts'
import type { ShardFile } from './shard-file.ts'

const ONE = shardFile(1)
const TWO = shardFile(2)

const hand = (...files: readonly ShardFile[]) =>
  files.map((file, at) => ({ folder: `reports/${'abc'[at] ?? ''}`, file }))

const changed = (changes: Partial<ShardFile>): ShardFile => ({ ...TWO, ...changes })
const ofTarget = (target: Partial<ShardFile['target']>): ShardFile =>
  changed({ target: { ...TWO.target, ...target } })
const ofPlan = (plan: Partial<ShardFile['plan']>): ShardFile =>
  digested(changed({ plan: { ...SPLIT, ...plan } }))

test('shards of one plan on one target are merged', () => {
  expect(() => verifyAgreement(hand(ONE, TWO, shardFile(3)))).not.toThrow()
  expect(() => verifyAgreement(hand(ONE))).not.toThrow()
})

test.each([
  [
    changed({ suite: { ...TWO.suite, version: '9.9.9' } }),
    'version of the suite is bank-interface-conformance 0.1.0 in reports/a, and bank-interface-conformance 9.9.9 in',
  ],
  [
    changed({ suite: { ...TWO.suite, catalogueDigest: 'sha256:99' } }),
    'catalogue is sha256:00 in reports/a, and sha256:99',
  ],
  [
    ofTarget({ baseUrl: 'https://other.example' }),
    'base URL is http://127.0.0.1:8080 in reports/a, and https://other.example',
  ],
  [ofTarget({ environment: 'production' }), 'environment is sandbox in reports/a, and production'],
  [ofTarget({ clock: 'wall' }), 'clock is virtual in reports/a, and wall'],
  [ofTarget({ profileDigest: 'sha256:22' }), 'profile is sha256:11 in reports/a, and sha256:22'],
  [
    ofTarget({ certificates: 'unverified' }),
    'treatment of certificates is verified in reports/a, and unverified',
  ],
  [ofPlan({ seed: 7 }), 'seed is 42 in reports/a, and 7'],
  [ofPlan({ runs: 5 }), 'number of runs of a property is 100 in reports/a, and 5'],
  [shardFile(2, { count: 4 }), 'number of shards is 3 in reports/a, and 4'],
  [changed({ strict: true }), '--strict is off in reports/a, and on'],
  [
    changed({ waivers: [{ requirement: 'TOK-03', reason: 'so', owner: 'me', expires: '2999-12-31' }] }),
    'list of waivers is [] in reports/a, and [{"requirement":"TOK-03"',
  ],
  [ofPlan({ checks: SPLIT.checks.slice(1) }), 'number of checks is 5 in reports/a, and 4'],
  [ofPlan({ effects: ['read'] }), `plan is ${ONE.digest} in reports/a, and `],
])('the first difference is named, with both values (%#)', (other, sentence) => {
  expect(() => verifyAgreement(hand(ONE, other))).toThrow(`the ${sentence}`)
  expect(() => verifyAgreement(hand(ONE, other))).toThrow(/in reports\/b: (merge|give) /)
})

test('a difference between later ones is found as well', () => {
  expect(() => verifyAgreement(hand(ONE, TWO, { ...shardFile(3), strict: true }))).toThrow('in reports/c')
})

describe('a shard that is there twice', () => {
  test('is refused, with both folders', () => {
    expect(() => verifyAgreement(hand(TWO, ONE, TWO))).toThrow(
      'shard 2 of 3 stands in reports/a and in reports/c: leave one of them out',
    )
  })

  test('is found in what was merged before', () => {
    const both = { ...ONE, parts: [...ONE.parts, ...TWO.parts] }
    expect(() => verifyAgreement(hand(both, TWO))).toThrow(
      'shard 2 of 3 stands in reports/a and in reports/b',
    )
  })
})

test('another version of the suite does not put them together', () => {
  const [first] = hand(ONE)
  if (first === undefined) throw new Error('there is one')
  expect(() => verifySuite(first, ONE.suite)).not.toThrow()
  expect(() => verifySuite(first, { ...ONE.suite, catalogueDigest: 'sha256:99' })).toThrow(
    'the catalogue is sha256:00 in reports/a, and sha256:99 here: merge with the version that ran the shards',
  )
})

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
