import { expect, test } from 'vitest'
import { prefixOf } from './command-names.ts'

const INSTALLED = { BANK_CONFORMANCE_INSTALLED: '1' }

test.each([
  ['run', {}, 'npm test --'],
  ['doctor', {}, 'npm run doctor --'],
  ['doctor', INSTALLED, 'bank-conformance doctor'],
  ['run', { ...INSTALLED, npm_command: 'exec' }, 'npx bank-conformance run'],
  // A script of the package that has installed it.
  ['run', { ...INSTALLED, npm_command: 'run-script' }, 'npx bank-conformance run'],
  [
    'run',
    { ...INSTALLED, npm_command: 'exec', npm_config_package: './my packages/x.tgz' },
    "npx --package './my packages/x.tgz' bank-conformance run",
  ],
] as const)('%s is called as its reader types it, with %j', (command, env, prefix) => {
  expect(prefixOf(command, env)).toBe(prefix)
})
