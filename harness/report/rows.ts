import { ALL_CHAPTERS, type Chapter } from '../check/requirement.ts'
import { VERDICTS, type Verdict } from '../check/verdict.ts'
import type { CheckReport, Report, RequirementReport } from './schema.ts'

/** How every rendering selects, groups and counts the requirements and checks of a report. */

export const NO_REASON = 'no reason was recorded'

type Rows = readonly RequirementReport[]
type WithRows = Pick<Report, 'requirements'>

export const bySize = <Key, Item>(
  groups: ReadonlyMap<Key, readonly Item[]>,
): readonly (readonly [Key, readonly Item[]])[] =>
  [...groups].toSorted(([, one], [, other]) => other.length - one.length)

/** The chapters that a report has, in the order of the interface. */
export const chaptersIn = ({ requirements }: WithRows): readonly (readonly [Chapter, Rows])[] =>
  ALL_CHAPTERS.map(
    (chapter) => [chapter, requirements.filter((one) => one.chapter === chapter)] as const,
  ).filter(([, own]) => own.length > 0)

export const countVerdicts = (
  judged: readonly { readonly verdict: Verdict }[],
): Readonly<Record<Verdict, number>> => {
  const of = (word: Verdict): number => judged.filter(({ verdict }) => verdict === word).length
  return Object.fromEntries(VERDICTS.map((word) => [word, of(word)])) as Record<Verdict, number>
}

export const withVerdict = <Judged extends { readonly verdict: Verdict }>(
  judged: readonly Judged[],
  ...verdicts: readonly Verdict[]
): readonly Judged[] => judged.filter(({ verdict }) => verdicts.includes(verdict))

export interface CheckOf {
  readonly requirement: RequirementReport
  readonly check: CheckReport
}

/** The checks with these verdicts, those of the first verdict first. */
export const checksWith = ({ requirements }: WithRows, ...verdicts: readonly Verdict[]): readonly CheckOf[] =>
  verdicts.flatMap((word) =>
    requirements.flatMap((requirement) =>
      withVerdict(requirement.checks, word).map((check) => ({ requirement, check })),
    ),
  )

/** The payments and the loan applications of a run in the same form. */
export const ordersIn = ({
  payments = [],
  applications = [],
}: Pick<Report, 'payments' | 'applications'>) => ({
  payments: payments.map(({ orderId: id, status, initiation: exchange }) => ({ id, status, exchange })),
  loans: applications.map(({ applicationId: id, status, submission: exchange }) => ({
    id,
    status,
    exchange,
  })),
})

/** The requirements that were selected and not tested, and that no change of the profile or the command makes testable. */
export const withoutRemedy = ({
  requirements,
  testable = [],
}: Pick<Report, 'requirements' | 'testable'>): Rows => {
  const remedied = new Set(testable.flatMap((one) => one.requirements))
  return requirements.filter(
    ({ id, verdict, reason }) => verdict === 'not-tested' && reason !== 'not-selected' && !remedied.has(id),
  )
}
