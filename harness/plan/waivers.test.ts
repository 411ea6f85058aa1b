import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { must } from '../check/requirement.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { scratch } from '../testing/samples/reports.ts'
import { describeWaiver, readWaivers, verifyWaivers } from './waivers.ts'
import type { Waiver } from './waivers.ts'

const WAIVER: Waiver = {
  requirement: 'PAY-09',
  reason: 'The new core is rolled out in spring.',
  owner: 'payments@bank.example',
  expires: '2026-12-31',
}

const words = { quote: 'A quote.', place: 'Errors, 4' }
const rows = [
  must('PAY-09', { claim: 'a rejected payment carries a reason code', ...words }),
  must('PAY-10', { claim: 'no check can decide', ...words, unchecked: 'it lies beyond the interface' }),
]
const facts = { rows, now: new Date('2026-12-31T23:59:59Z') }

const written = (text: string, name = 'waivers.yaml'): string => {
  const file = join(scratch(), name)
  writeFileSync(file, text)
  return file
}

describe('a file of waivers', () => {
  test.for(['waivers.yaml', 'waivers.json'])('is read from %s', async (name) => {
    const file = written(JSON.stringify({ waivers: [WAIVER] }), name)
    expect(await readWaivers(file)).toEqual([WAIVER])
  })

  test.for<[string, string]>([
    ['waivers: [', 'it is not valid YAML'],
    ['- PAY-09', 'expected waivers:'],
    ['waivers: [{requirement: PAY-09, reason: because, expires: 2026-12-31}]', 'waivers.0.owner'],
    ['waivers: [{requirement: PAY-09, reason: " ", owner: me, expires: 2026-12-31}]', 'waivers.0.reason'],
    ['waivers: [{requirement: PAY-09, reason: x, owner: me, expires: soon}]', 'waivers.0.expires'],
    ['waivers: [{requirement: PAY-09, reason: x, owner: me, expires: 2026-12-31, forever: true}]', 'forever'],
  ])('says what is wrong with %j', async ([text, message]) => {
    await expect(readWaivers(written(text))).rejects.toThrow(message)
  })

  test('that is a device is not read', async () => {
    await expect(readWaivers('/dev/zero')).rejects.toThrow(
      '--waivers /dev/zero: the file is not a regular file',
    )
  })

  test('that is not there is named', async () => {
    await expect(readWaivers('no-such.yaml')).rejects.toThrow(
      '--waivers no-such.yaml: the file does not exist',
    )
  })
})

describe('a waiver', () => {
  const verify = (...changes: readonly Partial<Waiver>[]) => {
    verifyWaivers(
      'waivers.yaml',
      changes.map((change) => ({ ...WAIVER, ...change })),
      facts,
    )
  }

  test('holds on its last day', () => {
    expect(() => verify({})).not.toThrow()
  })

  test.for<[Partial<Waiver>, string]>([
    [{ requirement: 'PAY-99' }, 'PAY-99: no requirement has this id; did you mean PAY-09?'],
    [{ requirement: 'PAY-10' }, 'PAY-10: it has no check'],
    [{ expires: '2028-01-01' }, 'PAY-09: the waiver expires on 2028-01-01, more than a year from now'],
    [{ expires: '9999-12-31' }, 'more than a year from now; let payments@bank.example accept it'],
    [{ expires: '2026-12-30' }, 'PAY-09: the waiver expired on 2026-12-30'],
  ])('%o is refused', ([change, message]) => {
    expect(() => verify(change)).toThrow(ConfigurationError)
    expect(() => verify(change)).toThrow(message)
  })

  test('is given once', () => {
    expect(() => verify({}, { reason: 'another' })).toThrow('PAY-09: waived twice')
  })

  test('is reported with its owner and its last day', () => {
    expect(describeWaiver(WAIVER)).toBe(
      'waived until 2026-12-31 by payments@bank.example: The new core is rolled out in spring.',
    )
  })
})
