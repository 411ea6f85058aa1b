import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { program } from '../program.ts'

test('docs/architecture.md has the calls of a run as they are', async () => {
  const { stdout } = await execa(process.execPath, program('harness/testing/trace/trace.ts'), { cwd: ROOT })
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  expect(page, 'npm run trace -- --write').toContain(`$ npm run trace\n${stdout}\n`)
})
