import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { childEnvironment } from './child-environment.ts'

test('a program that the suite starts gets no secret of the environment', () => {
  const env = { ...process.env, BANK_SECRET: 'S3cr3t-of-the-bank', CONFORMANCE_SIGNING_KEY: 'S3cr3t-key' }
  const seen = execFileSync(process.execPath, ['-e', 'console.log(JSON.stringify(process.env))'], {
    env: childEnvironment(env),
    encoding: 'utf8',
  })
  expect(seen).not.toContain('S3cr3t')
  expect(JSON.parse(seen)).toMatchObject({ PATH: process.env['PATH'] })
})
