import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { revisionOf } from './revision.ts'

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'revision-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const git = (at: string, ...words: readonly string[]): void =>
  void execFileSync('git', ['-C', at, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...words], {
    stdio: 'ignore',
  })

const repository = (): string => {
  const made = folder()
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
  expect(revisionOf(folder(), '1.2.3')).toBe('1.2.3')
  const made = repository()
  const installed = join(made, 'node_modules/suite')
  mkdirSync(installed, { recursive: true })
  expect(revisionOf(installed, '1.2.3')).toBe('1.2.3')
})
