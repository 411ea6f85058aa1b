import { AllureReporter } from '../report/allure/reporter.ts'
import { runPlan } from './run-plan.ts'
import type { AllureRun } from '../report/allure/case-book.ts'
import type { Certification } from './certification.ts'
import type { Findings, RunHooks } from './run-plan.ts'
import type { Threads } from './threads.ts'

/** Carries a plan out and writes its Allure results. Half of the suite's start is spent on what this file loads. */
export const carryOut = (
  certification: Certification,
  threads: Threads,
  hooks: RunHooks,
  allure: AllureRun,
): Promise<Findings> => runPlan(certification, threads, hooks, [new AllureReporter(allure)])
