import pc from 'picocolors'
import type { CheckResult } from '../check/result.ts'
import { CONDITION_IDS, CONDITIONS, type ConditionId } from './conditions.ts'
import type { Shown } from './hiding.ts'

/** What the trials show: which defects are caught, and which variations raise an alarm. */

export interface DefectResult {
  readonly id: string
  readonly chapter: string
  /** The requirements that the defect says it breaks. */
  readonly breaks: readonly string[]
  /** The requirements of `breaks` on which a check saw a violation. */
  readonly caughtBy: readonly string[]
  /** Whether there is a requirement in `breaks` on which no check saw a violation. */
  readonly survived: boolean
  /** In a dialect: the requirements of `breaks` for which the defect is hidden. */
  readonly hidden?: readonly string[]
  /** In a dialect: those that its banks never give a check to judge. */
  readonly notReached?: readonly string[]
  /** In a dialect: those whose checks report a key of the profile. */
  readonly reported?: readonly string[]
  /** Requirements that turned red though they are not in `breaks`. */
  readonly collateral: readonly string[]
  /** Checks that crashed: a defect that only makes a check crash is not caught. */
  readonly crashed: readonly string[]
}

export interface VariationResult {
  readonly id: string
  /** Requirements with a check that did not pass. */
  readonly alarms: readonly string[]
  /** Why, one line for each of these checks. */
  readonly reasons: readonly string[]
}

/** A bank that is composed at random, and the smallest part of it that still raises an alarm. */
export interface BankResult extends VariationResult {
  readonly seed: number
  readonly parts: readonly string[]
  readonly smallest?: SmallestBank
}

interface SmallestBank {
  readonly parts: readonly string[]
  /** With the seed, it leads to the same bank (fast-check). */
  readonly path: string
  readonly reasons: readonly string[]
}

export interface DefectInBanksResult {
  readonly id: string
  readonly chapter: string
  readonly breaks: readonly string[]
  readonly banks: readonly DefectInBank[]
}

/** With the requirements of `breaks` on which no check saw a violation, by the reason. */
export interface DefectInBank extends Omit<Shown, 'caught'> {
  readonly seed: number
  /** The smallest part of the bank in which it is not caught; without parts, the defect is not caught at all. */
  readonly smallest?: Pick<SmallestBank, 'parts' | 'path'>
}

/**
 * A defect under a condition. `not-exercised`: the condition held in no call, or no answer differs. `not-applicable`: the
 * rules of the defect are not asked about what the condition is about.
 */
export interface ConditionResult {
  readonly id: string
  readonly chapter: string
  readonly breaks: readonly string[]
  readonly condition: ConditionId
  readonly outcome: 'caught' | 'missed' | 'not-exercised' | 'not-applicable'
}

export type TrialResult = DefectResult | VariationResult | BankResult | DefectInBanksResult | ConditionResult

const requirementsOf = (results: readonly CheckResult[]): readonly string[] =>
  [...new Set(results.map(({ requirement }) => requirement))].sort()

/**
 * @param shown what the checks show of the defect in a dialect.
 * @param general requirements that whatever is wrong anywhere may break as well.
 */
export const judgeDefect = (
  { id, chapter, breaks }: Pick<DefectResult, 'id' | 'chapter' | 'breaks'>,
  results: readonly CheckResult[],
  shown?: Shown,
  general: ReadonlySet<string> = new Set(),
): DefectResult => {
  const red = requirementsOf(results.filter(({ violation }) => violation !== undefined))
  const crashed = results.filter(({ verdict }) => verdict === 'harness-error')
  return {
    id,
    chapter,
    breaks,
    caughtBy: red.filter((requirement) => breaks.includes(requirement)),
    survived:
      breaks.length === 0 ||
      (shown?.missed.length ?? breaks.filter((requirement) => !red.includes(requirement)).length) > 0,
    ...(shown && { hidden: shown.hidden, notReached: shown.notReached, reported: shown.reported }),
    collateral: red.filter((requirement) => !breaks.includes(requirement) && !general.has(requirement)),
    crashed: crashed.map((check) => `${check.id}: ${check.because ?? ''}`),
  }
}

const reasonOf = ({ id, verdict, because, violation }: CheckResult): string =>
  `${id} ${verdict}: ${because ?? (violation && `${violation.subject}: expected ${violation.expected}; received ${violation.received}`) ?? ''}`

interface Expected {
  /** Requirements about what the bank never does: their checks may be not reached. */
  readonly neverOccurs?: readonly string[] | undefined
  /** Requirements of the checks that were left out, since their results are those of the unchanged bank: they pass. */
  readonly known?: ReadonlySet<string>
}

/** Where nothing occurred that one check could judge, it counts only if no other check of the requirement passes: as in a run. */
export const judgeVariation = (
  id: string,
  results: readonly CheckResult[],
  { neverOccurs = [], known = new Set() }: Expected = {},
): VariationResult => {
  const passed = new Set(results.filter(({ verdict }) => verdict === 'pass').map((one) => one.requirement))
  const isExpected = ({ verdict, requirement, judged }: CheckResult): boolean =>
    verdict === 'not-reached' &&
    (neverOccurs.includes(requirement) ||
      (judged === 0 && (passed.has(requirement) || known.has(requirement))))
  const alarmed = results.filter((result) => result.verdict !== 'pass' && !isExpected(result))
  return { id, alarms: requirementsOf(alarmed), reasons: alarmed.map(reasonOf) }
}

const isCaught = ({ survived, collateral, crashed }: DefectResult): boolean =>
  !survived && collateral.length === 0 && crashed.length === 0

const isCaughtInBanks = ({ banks }: DefectInBanksResult): boolean =>
  banks.every(({ missed }) => missed.length === 0)

/**
 * The share of defects under a condition that must be caught; the aim is 0.95. If each is caught with a probability of 0.98,
 * five or more of 60 are missed in 0.7 % of the draws.
 */
const LEAST_SHARE = 0.92

export const isProven = ({ score }: Proof): boolean =>
  score.caught === score.defects &&
  score.alarms === 0 &&
  score.bankAlarms === 0 &&
  score.caughtInBanks === score.defectsInBanks &&
  score.caughtUnderConditions >= LEAST_SHARE * score.exercisedConditions

export const assembleProof = (results: readonly TrialResult[]) => {
  const defects = results.filter((result) => 'caughtBy' in result)
  const defectsInBanks = results.filter((result) => 'banks' in result)
  const banks = results.filter((result) => 'parts' in result)
  const conditions = results.filter((result) => 'condition' in result)
  const variations = results.filter(
    (result): result is VariationResult => 'alarms' in result && !('parts' in result),
  )
  const banksOfDefects = defectsInBanks.flatMap((result) => result.banks)
  const score = {
    defects: defects.length,
    caught: defects.filter(isCaught).length,
    variations: variations.length,
    alarms: variations.filter(({ alarms }) => alarms.length > 0).length,
    banks: banks.length,
    bankAlarms: banks.filter(({ alarms }) => alarms.length > 0).length,
    defectsInBanks: defectsInBanks.length,
    /** Defects that were caught in each of their banks, except where they are hidden or reported. */
    caughtInBanks: defectsInBanks.filter(isCaughtInBanks).length,
    /** Pairs of a defect and a composed bank in which no answer differs. */
    hiddenInBanks: banksOfDefects.filter(({ hidden }) => hidden.length > 0).length,
    /** Pairs in which no check is reached, with or without the defect. */
    notReachedInBanks: banksOfDefects.filter(({ notReached }) => notReached.length > 0).length,
    /** Pairs in which the finding is about a key of the profile. */
    reportedInBanks: banksOfDefects.filter(({ reported }) => reported.length > 0).length,
    /** Pairs of a defect and a condition that the calls of the scenarios met. */
    exercisedConditions: conditions.filter(({ outcome }) => outcome === 'caught' || outcome === 'missed')
      .length,
    caughtUnderConditions: conditions.filter(({ outcome }) => outcome === 'caught').length,
    /** Pairs in which no call met the condition, or no answer differs. */
    notExercised: conditions.filter(({ outcome }) => outcome === 'not-exercised').length,
  }
  return { defects, variations, banks, defectsInBanks, conditions, score }
}

type Proof = ReturnType<typeof assembleProof>

const mark = (isGood: boolean): string => (isGood ? pc.green('✓') : pc.red('✗'))

/** Why checks saw no violation though they are right. */
const unseenLines = (
  { hidden, notReached, reported }: Omit<Shown, 'caught' | 'missed'>,
  where: string,
): readonly string[] => [
  ...(hidden.length > 0 ? [`    hidden      ${where}${hidden.join(', ')}: no answer differs`] : []),
  ...(notReached.length > 0
    ? [`    not reached ${where}${notReached.join(', ')}: nor without the defect`]
    : []),
  ...(reported.length > 0
    ? [`    reported    ${where}${reported.join(', ')}: the finding is about a key of the profile`]
    : []),
]

const defectLines = (result: DefectResult): readonly string[] => {
  const { id, breaks, caughtBy, hidden = [], notReached = [], reported = [], collateral, crashed } = result
  const seen = [...caughtBy, ...hidden, ...notReached, ...reported]
  const missed = breaks.filter((requirement) => !seen.includes(requirement))
  return [
    `${mark(isCaught(result))} ${id.padEnd(58)} ${breaks.join(' ')}`,
    ...(breaks.length === 0 ? ['    it breaks nothing: list a requirement in its `breaks`'] : []),
    ...(missed.length > 0 ? [`    survived    no check of ${missed.join(', ')} saw a violation`] : []),
    ...unseenLines({ hidden, notReached, reported }, ''),
    ...(collateral.length > 0 ? [`    collateral  ${collateral.join(', ')} turned red as well`] : []),
    ...crashed.map((line) => `    crashed     ${line}`),
  ]
}

/** The file of the proof has all reasons. */
const MOST_REASONS = 5

const reasonLines = (reasons: readonly string[]): readonly string[] => [
  ...reasons.slice(0, MOST_REASONS).map((reason) => `    alarm       ${reason}`),
  ...(reasons.length > MOST_REASONS
    ? [`    alarm       ${reasons.length - MOST_REASONS} more are in the file of the proof`]
    : []),
]

const variationLines = ({ id, alarms, reasons }: VariationResult): readonly string[] => [
  `${mark(alarms.length === 0)} ${id}`,
  ...(alarms.length > 0 ? [`    alarms      ${alarms.join(' ')}`] : []),
  ...reasonLines(reasons),
]

const bankLines = ({ id, seed, alarms, parts, smallest }: BankResult): readonly string[] => [
  `${mark(alarms.length === 0)} ${id}  ${parts.length} variations`,
  ...(alarms.length > 0 ? [`    alarms      ${alarms.join(' ')}`] : []),
  ...(smallest === undefined
    ? []
    : [
        `    smallest    ${smallest.parts.join(' + ') || 'the unchanged bank'}`,
        ...reasonLines(smallest.reasons),
        `    reproduce   npm run prove -- --banks 1 --seed ${seed} --path ${smallest.path}`,
      ]),
]

const defectInBanksLines = (result: DefectInBanksResult): readonly string[] => [
  `${mark(isCaughtInBanks(result))} ${result.id.padEnd(58)} ${result.banks.map(({ seed }) => seed).join(' ')}`,
  ...result.banks.flatMap((bank) => unseenLines(bank, `in bank-${bank.seed}: `)),
  ...result.banks
    .filter(({ missed }) => missed.length > 0)
    .flatMap(({ seed, missed, smallest }) => [
      `    survived    in bank-${seed}: no check of ${missed.join(', ')} saw a violation`,
      `    smallest    ${smallest?.parts.join(' + ') ?? ''}`,
    ]),
]

/** The lines about a trial that went wrong; none of any other. */
export const complaintsAbout = (result: TrialResult): readonly string[] => {
  if ('caughtBy' in result) return isCaught(result) ? [] : defectLines(result)
  if ('banks' in result) return isCaughtInBanks(result) ? [] : defectInBanksLines(result)
  if ('condition' in result) return result.outcome === 'missed' ? conditionLines(result) : []
  if (result.alarms.length === 0) return []
  return 'parts' in result ? bankLines(result) : variationLines(result)
}

const conditionLines = ({ id, breaks, condition, outcome }: ConditionResult): readonly string[] => [
  `${outcome === 'missed' ? mark(false) : '-'} ${id.padEnd(58)} ${breaks.join(' ')}`,
  `    ${outcome.padEnd(11)} ${CONDITIONS[condition].title}`,
]

const share = (results: readonly ConditionResult[]): string => {
  const count = (wanted: ConditionResult['outcome']): number =>
    results.filter(({ outcome }) => outcome === wanted).length
  const [caught, met] = [count('caught'), count('caught') + count('missed')]
  const percent = met === 0 ? '' : ` (${Math.round((100 * caught) / met)} %)`
  return `${`${caught} of ${met} caught${percent}`.padEnd(28)} ${count('not-exercised')} not exercised`
}

const shareLines = (conditions: readonly ConditionResult[]): readonly string[] =>
  [
    ...CONDITION_IDS.map(
      (id) => [CONDITIONS[id].title, conditions.filter((one) => one.condition === id)] as const,
    ),
    ...[...new Set(conditions.map(({ chapter }) => chapter))].map(
      (chapter) => [chapter, conditions.filter((one) => one.chapter === chapter)] as const,
    ),
  ].flatMap(([title, own]) => (own.length === 0 ? [] : [`${title.padEnd(70)} ${share(own)}`]))

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', pc.bold(title), ...lines]

const scoreLine = (score: Proof['score']): string =>
  [
    ...(score.defects > 0 ? [`${score.caught} of ${score.defects} defects caught`] : []),
    ...(score.variations > 0 ? [`${score.alarms} of ${score.variations} variations raised an alarm`] : []),
    ...(score.banks > 0 ? [`${score.bankAlarms} of ${score.banks} composed banks raised an alarm`] : []),
    ...(score.defectsInBanks > 0
      ? [
          `${score.caughtInBanks} of ${score.defectsInBanks} defects caught in each of their composed banks (hidden: ${score.hiddenInBanks}, not reached: ${score.notReachedInBanks}, reported as a key of the profile: ${score.reportedInBanks})`,
        ]
      : []),
    ...(score.exercisedConditions + score.notExercised > 0
      ? [
          `${score.caughtUnderConditions} of ${score.exercisedConditions} defects under a condition caught (not exercised: ${score.notExercised})`,
        ]
      : []),
  ].join(', ')

/** A line for each bank that was tried, with what went wrong below it; what went wrong again at the end, and the score. */
export const renderProof = ({
  defects,
  variations,
  banks,
  defectsInBanks,
  conditions,
  score,
}: Proof): string =>
  [
    ...[...new Set(defects.map(({ chapter }) => chapter))].flatMap((chapter) => [
      '',
      pc.bold(`${chapter}: defects, and the requirements that they break`),
      ...defects.filter((result) => result.chapter === chapter).flatMap(defectLines),
    ]),
    ...section('permitted variations', variations.flatMap(variationLines)),
    ...section('composed banks', banks.flatMap(bankLines)),
    ...section(
      'defects, and the seeds of the composed banks that have them',
      defectsInBanks.flatMap(defectInBanksLines),
    ),
    ...section('defects that are wrong only under a condition', shareLines(conditions)),
    ...section(
      'not exercised: no call met the condition, or no answer differs',
      conditions.filter(({ outcome }) => outcome === 'not-exercised').flatMap(conditionLines),
    ),
    ...section(
      'went wrong',
      [...defects, ...variations, ...banks, ...defectsInBanks, ...conditions].flatMap(complaintsAbout),
    ),
    '',
    scoreLine(score),
  ].join('\n')
