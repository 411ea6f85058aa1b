import type { Verdict } from '../../check/verdict.ts'
import { groupBy } from '../../plan/lists.ts'
import { NO_REASON, type CheckOf } from '../rows.ts'
import type { CheckReport, Report } from '../schema.ts'

/** What was planned and not judged, by its cause: one cause often stops hundreds of checks. */

const UNJUDGED: readonly Verdict[] = ['inconclusive', 'not-reached']

const ID = String.raw`[\w:.@~-]+(?:\/[\w:.@~-]+)*\/\d+`
/** `(tokens/an-expired-token@TPP/4)`, also with what follows it: `(tokens/an-expired-token@TPP/4: 201)`. */
const IN_BRACKETS = new RegExp(String.raw` \(${ID}(?:: (\d+))?\)`, 'g')
/** `tokens/an-expired-token@TPP/2 (createConsent) answered 201`: the operation is enough. */
const BEFORE_OPERATION = new RegExp(String.raw`^${ID} \((\w+)\) `)

/** `payments/payments-that-are-initiated/3 rejected …`, also after a key: which exchange it was makes no difference. */
const AS_SUBJECT = new RegExp(String.raw`(^|: )${ID} (was answered|(?:answered|accepted|refused|rejected)\b)`)

/** The cause of a reason, without its exchanges: they differ from scenario to scenario, the cause does not. */
export const withoutExchanges = (because: string): string =>
  [
    ...new Set(
      because.split('; ').map((part) =>
        part
          .replaceAll(IN_BRACKETS, (_, status?: string) => (status === undefined ? '' : ` (${status})`))
          .replace(BEFORE_OPERATION, '$1 ')
          .replace(AS_SUBJECT, (_, before: string, verb: string) =>
            verb === 'was answered' ? `${before}a request was answered` : `${before}the target ${verb}`,
          ),
      ),
    ),
  ].join('; ')

const causeOf = ({ because = NO_REASON }: CheckReport): string => withoutExchanges(because)

/** Whether the report explains the check with a key of the profile that does not fit the target. */
const isExplained = ({ bindings = [] }: Report, { requirement, check }: CheckOf): boolean =>
  bindings.some(
    ({ key, requirements }) =>
      requirements.includes(requirement.id) && (check.because ?? '').includes(`\`${key}\` of the profile`),
  )

/**
 * The checks that were not judged, by cause, the most frequent first. Not among them: checks that wait, checks that a key
 * of the profile explains, and those of a target that cannot be reached; the report has their cause in one place.
 */
export const unjudgedGroups = (report: Report) => {
  if (report.conclusion === 'unreachable') return []
  const unjudged = report.requirements
    .flatMap((requirement) => requirement.checks.map((check) => ({ requirement, check })))
    .filter(
      ({ check, requirement }) =>
        UNJUDGED.includes(check.verdict) &&
        check.until === undefined &&
        !isExplained(report, { requirement, check }),
    )
  return [...groupBy(unjudged, ({ check }) => `${check.verdict}: ${causeOf(check)}`).values()]
    .map((findings) => {
      const [{ check }] = findings
      return { verdict: check.verdict, because: causeOf(check), findings }
    })
    .toSorted((one, other) => other.findings.length - one.findings.length)
}

export type UnjudgedGroup = ReturnType<typeof unjudgedGroups>[number]

export const idsOf = ({ findings }: UnjudgedGroup): readonly string[] => [
  ...new Set(findings.map(({ requirement }) => requirement.id)),
]
