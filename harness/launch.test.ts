import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { ROOT } from './modules.ts'
import { scratch } from './report/scratch.ts'

/** The project in another folder, with the packages of this one, and with nothing translated yet. */
const copyTo = (root: string): void => {
  for (const name of ['harness', 'specs', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, name), join(root, name), { recursive: true })
  mkdirSync(join(root, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name))
}

test.each(['harness/bank', 'specs/bank', 'harness', 'specs'])(
  'the project runs in a folder called %s',
  async (folder) => {
    const root = join(scratch(), folder)
    copyTo(root)
    const command = ['harness/launch.mjs', 'harness/cli.ts', '--only', 'TOK-05', '--out', join(root, 'out')]
    const { exitCode, stdout, stderr } = await execa(process.execPath, command, { cwd: root, reject: false })
    expect(`${stdout}${stderr}`).toContain('conforms')
    expect(exitCode).toBe(0)
    expect(readdirSync(join(root, 'out', 'allure-report'))).toEqual(['index.html'])
  },
)
