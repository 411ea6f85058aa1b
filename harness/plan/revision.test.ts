import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { revisionOf } from './revision.ts'
import { scratch } from '../testing/samples/reports.ts'

const git = (at: string, ...words: readonly string[]): void =>
  void execFileSync('git', ['-C', at, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...words], {
    stdio: 'ignore',
  })

const repository = (): string => {
  const made = scratch()
  git(made, 'init')
  writeFileSync(join(made, 'a.txt'), 'a')
  git(made, 'add', '.')
  git(made, 'commit', '-m', 'a')
  return made
}

test('the revision of a repository is that of its commit, and says whether files were changed', () => {
  const made = repository()
  const clean = revisionOf(made, '1.2.3')
  expect(clean).toMatch(/^[\da-f]{40}$/)
  writeFileSync(join(made, 'a.txt'), 'b')
  expect(revisionOf(made, '1.2.3')).toBe(`${clean}+changes`)
})

test('without a repository of its own, the version is the revision', () => {
  expect(revisionOf(scratch(), '1.2.3')).toBe('1.2.3')
  const made = repository()
  const installed = join(made, 'node_modules/suite')
  mkdirSync(installed, { recursive: true })
  expect(revisionOf(installed, '1.2.3')).toBe('1.2.3')
})
