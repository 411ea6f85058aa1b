import { DateTime } from 'luxon'
import { durationText } from '../terminal/text.ts'
import { plural } from '../../plan/lists.ts'
import { acceptedIn } from '../headline.ts'
import { chapterName } from '../chapter-titles.ts'
import { SEVERITIES } from '../../check/consequence.ts'
import type { Level } from '../../check/requirement.ts'
import type { Finding } from './findings.ts'
import { coverageOf, reasonsOf, totalsOf, type Tally } from './coverage.ts'
import type { Report } from '../schema.ts'

/** The executive summary: what a reader has to know who does not read further, in sentences without the words of the suite. */

const timeText = (iso: string, format: string): string => {
  const time = DateTime.fromISO(iso, { zone: 'utc', locale: 'en' })
  return time.isValid ? time.toFormat(format) : iso
}

/** `25 November 2026, 09:44:35 UTC` */
export const instantText = (iso: string): string => timeText(iso, "d LLLL yyyy, HH:mm:ss 'UTC'")

export const dayText = (iso: string): string => timeText(iso, 'd LLLL yyyy')

interface Result {
  readonly tone: 'good' | 'bad' | 'open'
  readonly text: string
}

const UNDECIDED = {
  incomplete: 'a mandatory part could not be judged',
  unreachable: 'the bank could not be reached',
  'harness-error': 'the test suite itself failed',
  interrupted: 'the run was interrupted',
} as const

/** The conclusion for a reader who does not know its words. */
export const resultOf = (report: Pick<Report, 'conclusion' | 'scope' | 'gate' | 'waivers'>): Result => {
  const { conclusion, scope, gate } = report
  if (conclusion === 'nonconforming')
    return { tone: 'bad', text: 'The bank does not conform to the interface' }
  if (conclusion !== 'conforms') return { tone: 'open', text: `Not decided: ${UNDECIDED[conclusion]}` }
  const accepted = acceptedIn(report)
  const exceptions = plural(accepted, 'accepted exception')
  const isPartial = scope.name === 'partial'
  const what = scope.name === 'full' ? 'the interface' : `the scope “${scope.name}” of the interface`
  const conforms = isPartial
    ? `No ${accepted === 0 ? '' : 'further '}violation was found in the part that was tested${accepted === 0 ? '' : `, besides ${exceptions}`}`
    : `The bank conforms to ${what}${accepted === 0 ? '' : `, with ${exceptions}`}`
  return gate === 'stale-waiver'
    ? { tone: 'open', text: `${conforms}; an accepted exception is out of date` }
    : { tone: isPartial ? 'open' : 'good', text: conforms }
}

const aboutRun = ({ run, target, suite }: Report): string =>
  `On ${instantText(run.startedAt)} the test suite ${suite.name} ${suite.version} tested the interface of “${target.name}” in its ${target.environment}${
    target.baseUrl === 'embedded' ? ', a bank that is part of the suite' : ` at ${target.baseUrl}`
  }. The test took ${durationText(run.durationMs)}.`

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`

/** `30 mandatory requirements were judged; 6 were seen broken, of which 2 are accepted for a time.` */
const judgedSentence = (kind: string, { failed, accepted, judged }: Tally): string => {
  const broken = failed + accepted
  const seen = broken === 0 ? 'none was' : plural(broken, 'was', 'were')
  const exceptions =
    accepted === 0 ? '' : `, of which ${plural(accepted, 'is accepted', 'are accepted')} for a time`
  const requirements = plural(judged, `${kind} requirement was`, `${kind} requirements were`)
  return `${requirements} judged; ${seen} seen broken${exceptions}.`
}

const aboutVerdict = (report: Report): readonly string[] => {
  const judgedOf = (wanted: Level): Tally | undefined =>
    totalsOf(report).levels.find(({ level, tally }) => level === wanted && tally.judged > 0)?.tally
  const [must, should] = [judgedOf('MUST'), judgedOf('SHOULD')]
  return [
    must === undefined
      ? 'No mandatory requirement was judged in this run, so that it does not show whether the bank conforms to the interface.'
      : judgedSentence('mandatory', must),
    ...(should === undefined ? [] : [judgedSentence('recommended', should)]),
  ]
}

const MOST_LISTED = 3

const aboutFindings = (findings: readonly Finding[]): readonly string[] => {
  if (findings.length === 0) return []
  const counted = SEVERITIES.flatMap((severity) => {
    const { length } = findings.filter((one) => one.severity === severity)
    return length === 0 ? [] : [`${length} ${severity}`]
  })
  const reported = [
    ...new Set(
      findings
        .filter(({ severity }) => severity !== 'minor')
        .flatMap(({ consequence }) => consequence?.customers ?? []),
    ),
  ].slice(0, MOST_LISTED)
  return [
    `There ${findings.length === 1 ? 'is one finding' : `are ${findings.length} findings`}: ${listed(counted)}.${
      reported.length === 0 ? '' : ` For customers this means at worst: ${reported.join(' ')}`
    }`,
  ]
}

const aboutRest = (report: Report): readonly string[] => {
  const { all } = totalsOf(report)
  const open = all.undecided + all['not tested']
  if (open === 0) return []
  const reasons = reasonsOf(report).filter(({ outcome }) => outcome !== 'not applicable')
  const [main] = [...reasons].sort((one, other) => other.ids.length - one.ids.length)
  const parts = [[all['not tested'], 'not tested'] as const, [all.undecided, 'not decided'] as const].flatMap(
    ([count, what]) =>
      count === 0 ? [] : [`${plural(count, 'requirement was', 'requirements were')} ${what}`],
  )
  return [
    `${listed(parts)}${main === undefined ? '' : `; the most frequent reason is: ${main.because}`}. This report says nothing about ${open === 1 ? 'it' : 'them'}.`,
  ]
}

const aboutWaivers = ({ waivers = [] }: Report): readonly string[] => {
  const needed = waivers.filter(({ state }) => state === 'needed')
  const last = needed
    .map(({ expires }) => expires)
    .sort()
    .at(-1)
  if (last === undefined) return []
  return [
    needed.length === 1
      ? `One violation is accepted as an exception until ${dayText(last)}.`
      : `${needed.length} violations are accepted as exceptions, the last one until ${dayText(last)}.`,
  ]
}

const aboutCreated = ({
  payments = [],
  applications = [],
  created = [],
  target,
}: Report): readonly string[] => {
  const made = [
    ...(payments.length > 0 ? [plural(payments.length, 'payment')] : []),
    ...(applications.length > 0 ? [plural(applications.length, 'loan application')] : []),
  ]
  const left = created.filter(({ cleaned }) => !cleaned).length
  const rest =
    target.baseUrl === 'embedded'
      ? 'Nothing is left behind, since that bank ended with the run.'
      : left === 0
        ? 'Nothing that could be removed is left behind.'
        : `${plural(left, 'object is', 'objects are')} left behind at the bank.`
  return made.length === 0 && created.length === 0
    ? []
    : [`The test created ${listed(made.length > 0 ? made : [plural(created.length, 'object')])}. ${rest}`]
}

/** Where most was judged and where nothing was: a part of the interface is easily overlooked in a sum. */
const aboutParts = (report: Report): readonly string[] => {
  const untouched = coverageOf(report)
    .filter(({ all }) => all.judged === 0)
    .map(({ chapter }) => chapterName(chapter, report))
  return untouched.length === 0
    ? []
    : [
        `Nothing was judged in ${untouched.length === 1 ? 'this part' : 'these parts'} of the interface: ${listed(untouched)}.`,
      ]
}

/** A named scope is shown by its parts; a reader does not know its name. */
const aboutScope = ({ scope }: Report): string =>
  scope.name === 'partial'
    ? `This run judged ${scope.coverage.judged} of the ${scope.coverage.of} requirements of ${scope.asked === 'full' ? 'the whole interface' : `the scope “${scope.asked}”`} that apply to this bank. Only a run that judges all of them can show that the bank conforms.`
    : `This run judged all ${scope.coverage.of} requirements of ${scope.name === 'full' ? 'the whole interface' : `the scope “${scope.name}”`} that apply to this bank.`

export const summaryOf = (report: Report, findings: readonly Finding[]): readonly string[] => [
  `${resultOf(report).text}.`,
  aboutRun(report),
  aboutScope(report),
  aboutVerdict(report).join(' '),
  ...aboutFindings(findings),
  ...aboutWaivers(report),
  ...aboutRest(report),
  ...aboutParts(report),
  ...aboutCreated(report),
  'A requirement counts as judged only if the bank’s answers were compared with it in this run. That it was not seen broken does not prove that it can never be broken.',
]
