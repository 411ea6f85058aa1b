import { openAllureResults } from './results.ts'
import type { Reporter, TestCase } from 'vitest/node'
import type { CheckResult } from '../../check/result.ts'
import type { AllureResults, AllureRun } from './results.ts'

/** Writes an Allure result when the test of a check ends, so that a killed run keeps the results that it has. */
export class AllureReporter implements Reporter {
  readonly #results: AllureResults

  constructor(run: AllureRun) {
    this.#results = openAllureResults(run)
  }

  onInit(): void {
    this.#results.begin()
  }

  onTestCaseResult(testCase: TestCase): void {
    const { result = this.#crashOf(testCase), visits = [], timeLines = [] } = testCase.meta()
    const check = this.#results.planned(result?.id ?? '')
    if (result === undefined || check === undefined) return
    this.#results.write(check, [result], testCase.diagnostic()?.startTime, { visits, timeLines })
  }

  onTestRunEnd(): void {
    this.#results.end()
  }

  /** The result of a test that failed before it had one; its name begins with the id of its check. */
  #crashOf(testCase: TestCase): CheckResult | undefined {
    const check = this.#results.planned(testCase.name.split(' ', 1)[0] ?? '')
    const [error] = testCase.result().errors ?? []
    if (check === undefined || error === undefined) return undefined
    const { id, requirement, title } = check
    return {
      id,
      requirement,
      title,
      verdict: 'harness-error',
      because: error.message,
      durationMs: 0,
      exchanges: [],
    }
  }
}
