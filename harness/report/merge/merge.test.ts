import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, property, shuffledSubarray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  joinShards,
  missingIn,
  reportOf,
  verifyAgreement,
  verifyEvidence,
  verifySuite,
  writeEvidence,
} from './merge.ts'
import { readShard, shardFileSchema, writeShardFile, type ShardFile } from './shard-file.ts'
import { digestEvidence } from '../evidence-file.ts'
import { reportSchema, type Report } from '../schema.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import {
  CATALOGUE,
  digested,
  exchange,
  folderOf,
  found,
  lines,
  PLAN,
  REJECTION,
  RESULTS,
  sampleReport,
  scratch,
  shardFile,
  SPLIT,
  UNDISCLOSED,
} from '../../testing/samples/reports.ts'

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
      'shard 2 of 3 is in reports/a and in reports/c: leave one of them out',
    )
  })

  test('is found in what was merged before', () => {
    const both = { ...ONE, parts: [...ONE.parts, ...TWO.parts] }
    expect(() => verifyAgreement(hand(both, TWO))).toThrow('shard 2 of 3 is in reports/a and in reports/b')
  })
})

test('another version of the suite does not merge them', () => {
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
    `the exchange probe/1 is in two folders, ${join(one, 'evidence.jsonl')} and in ${join(two, 'evidence.jsonl')}`,
  )
})

test('a verdict with a missing exchange is refused', () => {
  const folder = folderOf(shardFile(1))
  writeFileSync(join(folder, 'evidence.jsonl'), lines([exchange('tokens/another/1')]))
  writeShardFile(folder, { ...shardFile(1), evidence: digestEvidence(folder) })
  expect(() => verifyEvidence([readShard(folder)])).toThrow(
    'uses the exchange tokens/a-code-exchange@FAC/1, which is not in',
  )
})

test('evidence is merged line by line, without lines that came after its digest', () => {
  const [one, two] = [folderOf(shardFile(1)), folderOf(shardFile(2))]
  const whole = evidenceIn(one)
  writeFileSync(join(one, 'evidence.jsonl'), `${whole}{"kind":"exch`)
  const handed = [readShard(one), readShard(two)]
  expect(() => verifyEvidence(handed)).not.toThrow()
  const out = scratch()
  writeEvidence(handed, out)
  expect(evidenceIn(out)).toBe(whole + evidenceIn(two))
})

const MERGING = {
  id: 'merged',
  command: 'npm run merge',
  catalogue: CATALOGUE,
  undisclosed: UNDISCLOSED,
  evidence: {
    exchanges: 4,
    bytes: 1_234,
    sha256: '22',
    heads: ['33'],
    records: { lines: 2, bytes: 567, sha256: '44', heads: ['55'] },
  },
  exchanges: (): readonly Exchange[] => [],
}

const joined = (files: readonly ShardFile[]): ShardFile => {
  const [first, ...others] = files
  if (first === undefined) throw new Error('there is nothing to join')
  return joinShards([first, ...others])
}

const merged = (...files: readonly ShardFile[]): Report => reportOf(joined(files), MERGING)

const PASSING = PLAN.checks.map(({ id }) => found(id, 'pass'))

const ALL = [1, 2, 3].map((index) => shardFile(index))

describe('merged shards', () => {
  const report = merged(...ALL)

  test('say what a run says that was never split', () => {
    const whole = sampleReport()
    expect(report.requirements).toEqual(whole.requirements)
    expect(report.counts).toEqual(whole.counts)
    expect([report.conclusion, report.exitCode]).toEqual([whole.conclusion, whole.exitCode])
  })

  test('match the schema, and list their shards', () => {
    expect(reportSchema.parse(report)).toEqual(report)
    expect(report).not.toHaveProperty('shard')
    expect(report.merged).toMatchObject({
      count: 3,
      missing: [],
      shards: [
        { index: 1, run: 'run-1', conclusion: 'conforms' },
        { index: 2, run: 'run-2', conclusion: 'conforms' },
        { index: 3, run: 'run-3', conclusion: 'nonconforming' },
      ],
    })
    expect(report.run).toMatchObject({ id: 'merged', startedAt: '2030-01-01T00:00:00.000Z' })
  })

  test('have seen what any of them has seen', () => {
    expect(report.undisclosed[0]?.observed).toEqual(['seen in 1', 'seen in 2', 'seen in 3'])
  })

  test('are the same in any order, and by any way', () => {
    assert(
      property(shuffledSubarray(ALL, { minLength: 3 }), ([one, two, three]) => {
        if (one === undefined || two === undefined || three === undefined) throw new Error('there are three')
        expect(merged(one, two, three)).toEqual(report)
        expect(merged(joined([two, three]), one)).toEqual(report)
        expect(merged(joined([joined([three, one]), two]))).toEqual(report)
      }),
    )
  })
})

describe('an operation that never answered in all shards together', () => {
  const [row] = CATALOGUE
  if (row === undefined) throw new Error('the sample catalogue is empty')
  const undecided = PLAN.checks.map(({ id, requirement }) => ({
    ...found(id, requirement === row.id ? 'inconclusive' : 'pass'),
    requirement,
  }))
  const shards = [1, 2, 3].map((index) => shardFile(index))
  const ofAll = shards.map((file) => ({
    ...file,
    parts: file.parts.map((part) => ({
      ...part,
      results: undecided.filter(({ id }) => part.results.some((result) => result.id === id)),
    })),
  }))
  const page = (id: string) =>
    sampleExchange({ id, operation: 'listTransactions', body: '<!doctype html><h1>Soon</h1>' })
  const merging = {
    ...MERGING,
    catalogue: [{ ...row, answers: 'POST listTransactions' }, ...CATALOGUE.slice(1)],
    exchanges: () => [sampleExchange({ id: 'one/1' }), page('one/2'), page('two/1'), page('three/1')],
  }
  const verdictOf = ({ requirements }: Report): string | undefined =>
    requirements.find(({ id }) => id === row.id)?.verdict

  test('does not answer', () => {
    expect(verdictOf(reportOf(joined(ofAll), merging))).toBe('fail')
  })

  test('may answer in a shard that is missing', () => {
    expect(verdictOf(reportOf(joined(ofAll.slice(0, 2)), merging))).not.toBe('fail')
  })
})

describe('a shard that is missing', () => {
  const report = merged(...ALL.slice(0, 2))

  test('makes the result incomplete, and says what it would have judged', () => {
    expect([report.conclusion, report.exitCode]).toEqual(['incomplete', 2])
    expect(report.merged?.missing).toEqual([3])
    expect(report.requirements.find(({ id }) => id === 'PAY-09')).toMatchObject({
      verdict: 'not-reached',
      because: 'shard 3 of 3 is missing',
      checks: [{ verdict: 'not-reached', because: 'shard 3 of 3 is missing' }],
    })
  })

  test('leaves a hole even where nothing was in it to be judged', () => {
    const files = [1, 2, 3, 4].map((index) => shardFile(index, { count: 4, results: PASSING }))
    expect(files[3]?.parts[0]?.conclusion).toBe('conforms')
    expect(merged(...files).conclusion).toBe('conforms')
    expect(merged(...files.slice(0, 3)).conclusion).toBe('incomplete')
  })

  test('takes no violation away that another has found', () => {
    const [, , third] = ALL
    expect(third === undefined ? '' : merged(third).conclusion).toBe('nonconforming')
  })

  test('is counted', () => {
    expect(missingIn(joined(ALL.slice(1)))).toEqual([1])
    expect(missingIn(joined(ALL))).toEqual([])
  })
})

describe('the worst word wins', () => {
  const passing = (index: number, flags = {}) => shardFile(index, { results: PASSING, flags })
  const conclusionOf = (...files: readonly ShardFile[]) => merged(...files).conclusion

  test('of shards that ended otherwise than by themselves', () => {
    expect(conclusionOf(passing(1), passing(2), passing(3))).toBe('conforms')
    expect(conclusionOf(passing(1), passing(2, { unreachable: true }), passing(3))).toBe('unreachable')
    expect(conclusionOf(passing(1), passing(2, { interrupted: true }), ALL[2] ?? passing(3))).toBe(
      'interrupted',
    )
    expect(conclusionOf(passing(1), passing(2, { unreachable: true }), ALL[2] ?? passing(3))).toBe(
      'nonconforming',
    )
  })

  test('of a fault of the suite in one of them', () => {
    const broken = shardFile(3, { results: [found('PAY-09/1', 'harness-error', { because: 'it broke' })] })
    expect(conclusionOf(passing(1), passing(2), broken)).toBe('harness-error')
  })

  test('what an interrupted shard did not come to is not reached', () => {
    const report = merged(passing(1), passing(2), shardFile(3, { results: [], flags: { interrupted: true } }))
    expect(report.requirements.find(({ id }) => id === 'PAY-09')).toMatchObject({
      verdict: 'not-reached',
      because: 'it was planned, but the run ended without it',
    })
  })

  test('--strict holds for the whole', () => {
    const results = RESULTS.filter(({ verdict }) => verdict !== 'fail').concat(found('PAY-09/1', 'pass'))
    const files = (strict: boolean) =>
      [1, 2, 3].map((index) => shardFile(index, { results, flags: { strict } }))
    expect(conclusionOf(...files(false))).toBe('conforms')
    expect(conclusionOf(...files(true))).toBe('nonconforming')
  })
})

describe('a declared exception', () => {
  const waiver = {
    requirement: 'TOK-03',
    reason: 'The new core comes.',
    owner: 'tokens@bank.example',
    expires: '2999-12-31',
  }
  const waived = found('TOK-03/1@TPP', 'waived', { because: 'waived until …', violation: REJECTION })
  const files = (results: typeof PASSING) =>
    [1, 2, 3].map((index) => shardFile(index, { results, waivers: [waiver] }))

  test('that is needed in one shard is not stale because of another', () => {
    const results = PASSING.map((one) => (one.id === waived.id ? waived : one))
    const report = merged(...files(results))
    expect(report.waivers).toEqual([{ ...waiver, state: 'needed' }])
    expect(report.conclusion).toBe('conforms')
  })

  test('that is no longer needed is found in the merged report', () => {
    expect(files(PASSING).map(({ parts }) => parts[0]?.conclusion)).toEqual(Array(3).fill('conforms'))
    expect(merged(...files(PASSING))).toMatchObject({
      conclusion: 'conforms',
      gate: 'stale-waiver',
      exitCode: 6,
      waivers: [{ ...waiver, state: 'stale' }],
    })
  })

  test('says nothing where its shard is missing', () => {
    const [first, , third] = files(PASSING)
    if (first === undefined || third === undefined) throw new Error('there are three')
    expect(merged(first, third).waivers).toEqual([{ ...waiver, state: 'idle' }])
  })
})

test('what the target was made to create is listed together, and its clock bounded for all', () => {
  const withParts = (index: number, least: number): ShardFile => {
    const file = shardFile(index)
    const seen = { initiation: `payments/${index}/1`, seen: `payments/${index}/2` }
    const own = {
      payments: [{ orderId: `order-${index}`, ...seen }],
      clockOffsetMs: { least, most: least + 9 },
    }
    return { ...file, parts: file.parts.map((part) => ({ ...part, ...own })) }
  }
  const report = merged(withParts(2, 40), withParts(1, -5), shardFile(3))
  expect(report.payments?.map(({ orderId }) => orderId)).toEqual(['order-1', 'order-2'])
  expect(report.target.clockOffsetMs).toEqual({ least: -5, most: 49 })
})

test('no section of a report is forgotten: what is not made of the findings, each part brings along', () => {
  const made = ['schema', 'suite', 'run', 'target', 'conclusion', 'gate', 'exitCode', 'evidence']
  const drawn = [
    'requirements',
    'waiting',
    'waivers',
    'models',
    'timelines',
    'undisclosed',
    'bindings',
  ].concat(['counts', 'scope', 'testable'])
  const brought = ['payments', 'applications', 'created', 'strays']
  const own = ['shard', 'merged']
  expect(Object.keys(reportSchema.shape).sort()).toEqual([...made, ...drawn, ...brought, ...own].sort())
  const { parts } = shardFileSchema.shape
  expect(Object.keys(parts.element.shape)).toEqual(expect.arrayContaining(brought))
})
