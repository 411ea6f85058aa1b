import { pathToFileURL } from 'node:url'
import type { RunnerTestCase, RunnerTestSuite, TestRunnerConfig, VitestTestRunner } from 'vitest'

/**
 * How the test runner loads and runs a spec file: as Node loads a module, and without what only tests of a program need.
 * Left to itself it translates each file once more, and looks for the snapshots of each.
 */
export default class CheckRunner implements VitestTestRunner {
  #isCancelled = false

  constructor(readonly config: TestRunnerConfig) {}

  importFile(file: string): Promise<unknown> {
    return import(pathToFileURL(file).href)
  }

  cancel(): void {
    this.#isCancelled = true
  }

  onBeforeRunSuite(suite: RunnerTestSuite): void {
    if (this.#isCancelled) suite.mode = 'skip'
  }

  onBeforeRunTask(test: RunnerTestCase): void {
    if (this.#isCancelled) test.mode = 'skip'
  }
}
