import { byKey } from '../check/misfit.ts'
import type { CheckResult } from '../check/result.ts'
import type { Report } from './schema.ts'

/** The keys of the profile that did not fit what the target sent, from what the checks found. */

export type BindingReport = NonNullable<Report['bindings']>[number]

export const reportBindings = (results: readonly CheckResult[]): BindingReport[] =>
  byKey(results.flatMap(({ misfits = [] }) => misfits)).map((misfit) => ({
    ...misfit,
    requirements: [
      ...new Set(
        results
          .filter(({ misfits = [] }) => misfits.some(({ key }) => key === misfit.key))
          .map(({ requirement }) => requirement),
      ),
    ].sort(),
  }))
