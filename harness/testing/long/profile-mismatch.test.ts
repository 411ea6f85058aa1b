import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { runTrial } from '../../proof/trial.ts'
import {
  bankFor,
  chaptersFor,
  environmentFor,
  EXCEPTIONS,
  failuresIn,
  keysFoundIn,
  profileWithMismatch,
} from '../profile-mismatch.ts'
import { bindableKeys, type BindableKey } from '../bindable-keys.ts'
import type { CheckResult } from '../../check/result.ts'

/**
 * A wrong key of the profile is reported as the cause, and not as a failure of the bank. With `SEED`, some of the keys are
 * drawn, which takes up to 4 minutes; without it all are tried, which takes up to 12 minutes.
 */

const catalogue = await loadCatalogue()
const keys = bindableKeys()
const isExcepted = (key: BindableKey): boolean => EXCEPTIONS.some(({ isOf }) => isOf(key))

const judgedWith = (key: BindableKey): Promise<readonly CheckResult[]> =>
  runTrial(catalogue, () => bankFor(key), {
    environment: environmentFor(key),
    profile: profileWithMismatch(key),
    only: chaptersFor(key),
    socket: false,
    seed: 42,
    runsOf: () => 2,
  })

const nameOf = ({ key, alternative }: BindableKey): string =>
  alternative === undefined ? key : `${key} (kind ${alternative.kind})`

const all = keys.filter((key) => !isExcepted(key)).map((key) => [nameOf(key), key] as const)

const DRAWN = 20

const [tried = []] =
  process.env['SEED'] === undefined
    ? [all]
    : fc.sample(fc.shuffledSubarray(all, { minLength: DRAWN, maxLength: DRAWN }), 1)

describe('a key that names what the reference bank does not have', () => {
  test.each(tried)('%s', async (_, key) => {
    const results = await judgedWith(key)
    expect(failuresIn(results)).toEqual([])
    expect(
      keysFoundIn(results),
      `harness/profile/mismatch/${key.kind === 'path' ? 'paths' : 'answers'}.ts does not say what \`${key.key}\` is used for: ` +
        'add it there, or add an exception with its reason to harness/testing/profile-mismatch.ts',
    ).toEqual([key.key])
    const [explained] = results.filter(({ mismatches = [] }) => mismatches.length > 0)
    expect(explained?.because).toContain(`\`${key.key}\` of the profile is`)
  })
})

test('the keys come from the schema of the profile, with each alternative of a union', () => {
  const names = keys.map(nameOf)
  expect(names).toContain('operations.listTransactions.transactions')
  expect(names).toContain('operations.listTransactions.paging.next (kind cursor)')
  expect(names).toContain('payments.initiations.0.path')
  expect(new Set(names).size).toBe(names.length)
})

test.each(EXCEPTIONS)('an exception matches an existing key: $because', ({ isOf }) => {
  expect(keys.some(isOf)).toBe(true)
})
