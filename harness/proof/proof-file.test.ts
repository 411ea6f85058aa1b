import { expect, test } from 'vitest'
import { proofFileFor } from './proof-file.ts'

const whole = { only: [], suspect: [], seed: 42, runs: 25 }

test.each([
  ['the whole', {}, 'proof.json'],
  ['the whole with another seed', { seed: 7 }, 'proof.json'],
  ['the whole in a dialect', { dialect: 'nested' }, 'proof-nested.json'],
  ['a chapter', { only: ['tokens'] }, 'proof-part.json'],
  ['one bank', { suspect: ['code-is-never-used-up'] }, 'proof-part.json'],
  ['a chapter in a dialect', { only: ['tokens'], dialect: 'nested' }, 'proof-nested-part.json'],
])('%s is written to a file of its own', (_, wanted, file) => {
  expect(proofFileFor({ ...whole, ...wanted })).toBe(file)
})
