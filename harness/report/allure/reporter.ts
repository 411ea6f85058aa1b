import { join } from 'node:path'
import AllureVitestReporter from 'allure-vitest/reporter'
import { OUTPUT } from '../output.ts'
import { environmentOf, openCaseBook } from './case-book.ts'
import { categoryDefinitions } from './categories.ts'
import type { RunnerTestCase } from 'vitest'
import type { Reporter, TestCase, Vitest } from 'vitest/node'
import type { CheckResult } from '../../check/result.ts'
import type { AllureRun, CaseBook, Drawn } from './case-book.ts'

const isCheckResult = (value: unknown): value is CheckResult =>
  typeof value === 'object' && value !== null && 'id' in value && 'verdict' in value && 'exchanges' in value

/** The task behind a test, which vitest keeps from its declarations and allure-vitest works on. */
const taskOf = (testCase: TestCase): RunnerTestCase =>
  (testCase as unknown as { readonly task: RunnerTestCase }).task

const drawnIn = (testCase: TestCase): Drawn => {
  const { visits = [], timeLines = [] } = testCase.meta()
  return { visits, timeLines }
}

/** vitest without its projects. */
const alone = (vitest: Vitest): Vitest => Object.create(vitest, { projects: { value: [] } }) as Vitest

/**
 * The Allure results of a certification run: one for each planned check, written when its test ends, so that a
 * killed run keeps them. A test that is no check is reported as allure-vitest does.
 */
export class AllureReporter extends AllureVitestReporter implements Reporter {
  readonly #book: CaseBook

  constructor(run: AllureRun) {
    const resultsDir = join(run.outDir, OUTPUT.allureResults)
    super({ resultsDir, environmentInfo: environmentOf(run), categories: categoryDefinitions() })
    this.#book = openCaseBook(run)
  }

  /** Hides the projects: else a setup file in every worker would copy each asserted value into the results. */
  override onInit(vitest: Vitest): void {
    super.onInit(alone(vitest))
    this.#book.begin()
  }

  onTestCaseResult(testCase: TestCase): void {
    const { result } = testCase.meta() as { readonly result?: unknown }
    const found = isCheckResult(result) ? result : this.#crashOf(testCase)
    const check = this.#book.planned(found?.id ?? '')
    if (found !== undefined && check !== undefined)
      this.#book.write(check, [found], testCase.diagnostic()?.startTime, drawnIn(testCase))
    else if (testCase.result().state === 'failed') this.handleTask(taskOf(testCase))
  }

  /** Everything that ran is written by now. */
  override onTestRunEnd(): void {
    this.#book.end()
  }

  /** A test that broke before it had a result; its name begins with the id of its check. */
  #crashOf(testCase: TestCase): CheckResult | undefined {
    const check = this.#book.planned(testCase.name.split(' ', 1)[0] ?? '')
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
