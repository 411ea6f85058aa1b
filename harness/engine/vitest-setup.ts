import { afterAll, expect } from 'vitest'
import { openTestFile } from './register-checks.ts'

/** Runs before each spec file, in the thread that runs it: its checks become tests. */
const { testPath } = expect.getState()
if (testPath === undefined) throw new Error('vitest does not say which spec file it runs')
const close = openTestFile(testPath)
afterAll(close)
