import { byKey } from '../profile/mismatch/mismatch.ts'
import { DECIDED } from './conclude.ts'
import { compareNumbered } from './order.ts'
import type { Requirement } from '../check/requirement.ts'
import type { CheckResult } from '../check/result.ts'
import type { Report } from './schema.ts'

/** The keys of the profile on which verdicts depend: those that did not fit the answers of the target, and its statements. */

type BindingReport = NonNullable<Report['bindings']>[number]

export const reportBindings = (results: readonly CheckResult[]): BindingReport[] =>
  byKey(results.flatMap(({ mismatches = [] }) => mismatches)).map((mismatch) => ({
    ...mismatch,
    requirements: [
      ...new Set(
        results
          .filter(({ mismatches = [] }) => mismatches.some(({ key }) => key === mismatch.key))
          .map(({ requirement }) => requirement),
      ),
    ].sort(),
  }))

/** What verdicts take as true from the profile: statements of single checks, and the keys with which requirements compare. */
export const reportStatements = (
  results: readonly CheckResult[],
  catalogue: readonly Requirement[],
): NonNullable<Report['statements']> => {
  const compared = new Map(catalogue.map(({ id, fromProfile }) => [id, fromProfile]))
  const listed = new Map<string, { key: string; states?: string; requirements: string[] }>()
  for (const { requirement, verdict, statements } of results) {
    if (!DECIDED.has(verdict)) continue
    const key = compared.get(requirement)
    for (const statement of statements ?? (key === undefined ? [] : [{ key }])) {
      const { requirements } = listed.get(statement.key) ?? { requirements: [] }
      listed.set(statement.key, {
        ...statement,
        requirements: [...new Set([...requirements, requirement])].sort(),
      })
    }
  }
  return [...listed.values()].sort((one, other) => compareNumbered(one.key, other.key))
}
