import { groupBy } from '../../plan/lists.ts'
import { chaptersIn, NO_REASON } from '../rows.ts'
import type { Level } from '../../check/requirement.ts'
import type { Verdict } from '../../check/verdict.ts'
import { withoutExchanges } from '../terminal/unjudged.ts'
import type { Report, RequirementReport } from '../schema.ts'

/** How many requirements were judged, and how, by chapter and level: the words and numbers of the compliance report. */

/** The verdicts in words for a reader who does not know the suite. The order is that of columns and bars. */
export const OUTCOMES = ['passed', 'failed', 'accepted', 'undecided', 'not tested', 'not applicable'] as const

export type Outcome = (typeof OUTCOMES)[number]

const OUTCOME_OF = {
  pass: 'passed',
  fail: 'failed',
  warn: 'failed',
  waived: 'accepted',
  inconclusive: 'undecided',
  'not-reached': 'undecided',
  'harness-error': 'undecided',
  'not-tested': 'not tested',
  'not-applicable': 'not applicable',
} as const satisfies Record<Verdict, Outcome>

export const outcomeOf = ({ verdict }: Pick<RequirementReport, 'verdict'>): Outcome => OUTCOME_OF[verdict]

/** Whether a test of it was begun: the annexes show no others. */
export const wasBegun = (one: Pick<RequirementReport, 'verdict'>): boolean =>
  !['not tested', 'not applicable'].includes(outcomeOf(one))

export const MEANINGS = {
  passed: 'It was judged, and no violation was observed.',
  failed: 'It was judged, and a violation was observed: see the findings.',
  accepted: 'A violation was observed, which is accepted until a date: see the accepted exceptions.',
  undecided: 'A test was begun and came to no result.',
  'not tested': 'It was left out of this run: a later run can judge it.',
  'not applicable':
    'The bank does not have what it is about, as its profile declares, or no test can judge it.',
} as const satisfies Record<Outcome, string>

/** The causes of what was not tested, by the kind of the reason. */
const CAUSES: Readonly<Partial<Record<NonNullable<RequirementReport['reason']>, string>>> = {
  'not-selected': 'not selected',
  'missing-in-profile': 'without a key of the profile',
  'effect-not-allowed': 'without --allow',
  'too-long': 'without time',
  pending: 'without time',
  'too-many-prompts': 'without a person',
}

/** The parts of a picture: the outcomes, with the causes of what was not tested. */
const PARTS: readonly string[] = OUTCOMES.flatMap((outcome) =>
  outcome === 'not tested' ? [...new Set(Object.values(CAUSES)), outcome] : outcome,
)

const partOf = (one: RequirementReport): string => {
  const outcome = outcomeOf(one)
  return (outcome === 'not tested' && one.reason && CAUSES[one.reason]) || outcome
}

export const partsOf = (requirements: readonly RequirementReport[]): readonly (readonly [string, number])[] =>
  PARTS.map((part) => [part, requirements.filter((one) => partOf(one) === part).length] as const).filter(
    ([, count]) => count > 0,
  )

/** `unjudged`: those that apply to the bank. */
export type Tally = Readonly<Record<Outcome | 'total' | 'judged' | 'unjudged', number>>

const JUDGED: readonly Outcome[] = ['passed', 'failed', 'accepted']

const tallyOf = (requirements: readonly Pick<RequirementReport, 'verdict'>[]): Tally => {
  const groups = groupBy(requirements, outcomeOf)
  const of = (outcome: Outcome): number => groups.get(outcome)?.length ?? 0
  const judged = JUDGED.reduce((sum, outcome) => sum + of(outcome), 0)
  return {
    ...(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, of(outcome)])) as Record<Outcome, number>),
    total: requirements.length,
    judged,
    unjudged: requirements.length - of('not applicable') - judged,
  }
}

const LEVELS: readonly Level[] = ['MUST', 'SHOULD', 'MAY']

const tallies = (own: readonly RequirementReport[]) => ({
  all: tallyOf(own),
  /** Only levels that the requirements have. */
  levels: LEVELS.map((level) => ({ level, tally: tallyOf(own.filter((one) => one.level === level)) })).filter(
    ({ tally }) => tally.total > 0,
  ),
})

export type Coverage = ReturnType<typeof tallies>

export const coverageOf = (report: Pick<Report, 'requirements'>) =>
  chaptersIn(report).map(([chapter, own]) => ({ chapter, ...tallies(own) }))

export const totalsOf = ({ requirements }: Pick<Report, 'requirements'>) => tallies(requirements)

/** Why requirements were not judged: by outcome, then the reason of most requirements first. */
export const reasonsOf = ({ requirements }: Pick<Report, 'requirements'>) => {
  const unjudged = requirements
    .map((one) => ({
      id: one.id,
      outcome: outcomeOf(one),
      because: withoutExchanges(one.because ?? NO_REASON),
      isUnselected: one.reason === 'not-selected',
    }))
    .filter(({ outcome }) => !JUDGED.includes(outcome))
  return [...groupBy(unjudged, ({ outcome, because }) => `${outcome} ${because}`).values()]
    .map((group) => ({ ...group[0], ids: group.map(({ id }) => id) }))
    .sort(
      (one, other) =>
        OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome) || other.ids.length - one.ids.length,
    )
}
