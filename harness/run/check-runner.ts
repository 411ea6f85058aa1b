import { relative, sep } from 'node:path'
import { ROOT } from '../modules.ts'
import { interruptChecks, stateChecksOf } from './spec-runner.ts'
import type { RunnerTestCase, RunnerTestSuite, TestRunnerConfig, VitestTestRunner } from 'vitest'

/**
 * How the test runner comes by the tests of a spec file, which is loaded with all others, and what it does around them:
 * nothing of what only tests of a program need. Left to itself it translates each file, and looks for its snapshots.
 */
export default class CheckRunner implements VitestTestRunner {
  #isCancelled = false

  constructor(readonly config: TestRunnerConfig) {}

  importFile(file: string): void {
    stateChecksOf(relative(ROOT, file).replaceAll(sep, '/'))
  }

  /** The signals of the tests are not enough: of those that run side by side, the test runner forgets some. */
  cancel(): void {
    this.#isCancelled = true
    interruptChecks()
  }

  onBeforeRunSuite(suite: RunnerTestSuite): void {
    if (this.#isCancelled) suite.mode = 'skip'
  }

  onBeforeRunTask(test: RunnerTestCase): void {
    if (this.#isCancelled) test.mode = 'skip'
  }
}
