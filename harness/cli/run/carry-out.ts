import { AllureReporter, type AllureRun } from '../../report/allure/results.ts'
import { runPlan } from '../../engine/run-plan.ts'
import type { Certification } from '../../engine/certification.ts'
import type { Findings, RunHooks } from '../../engine/run-plan.ts'

/** Carries a plan out and writes its Allure results. Half of the suite's start is spent on what this file loads. */
export const carryOut = (
  certification: Certification,
  hooks: RunHooks,
  allure: AllureRun,
): Promise<Findings> => runPlan(certification, hooks, [new AllureReporter(allure)])
