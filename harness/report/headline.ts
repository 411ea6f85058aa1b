import { plural } from '../plan/lists.ts'
import type { Report } from './schema.ts'

/** The conclusion of a run in words, always with how much of its scope was judged. */

type Concluded = Pick<Report, 'scope' | 'conclusion' | 'gate' | 'waivers'>

const coverageWords = ({ scope: { name, asked, coverage } }: Concluded): string => {
  const { judged, of, partly, declared } = coverage
  // The whole interface needs no name, unless it is the scope that was judged.
  const scope = name === 'partial' && asked === 'full' ? '' : `${asked}, `
  return [
    `${scope}${judged} of ${of} judged`,
    ...(partly > 0 ? [`${partly} of them not in every facet`] : []),
    ...(declared > 0 ? [`${declared} declared not applicable`] : []),
  ].join(', ')
}

export const acceptedIn = ({ waivers = [] }: Pick<Report, 'waivers'>): number =>
  waivers.filter(({ state }) => state === 'needed').length

const ofTheTarget = (report: Concluded): string => {
  const { conclusion, scope } = report
  const isPartial = scope.name === 'partial'
  const accepted = acceptedIn(report)
  return [
    conclusion,
    ...(conclusion === 'conforms' && isPartial ? ['so far'] : []),
    ...(accepted > 0 ? [`with ${plural(accepted, 'accepted exception')}`] : []),
    ...(isPartial ? ['(partial)'] : []),
  ].join(' ')
}

const staleWords = ({ gate, waivers = [] }: Concluded): string => {
  if (gate !== 'stale-waiver') return ''
  const stale = waivers.filter(({ state }) => state === 'stale').length
  return `stale-waiver: ${plural(stale, 'accepted exception is', 'accepted exceptions are')} no longer needed; the target `
}

/**
 * `conforms: full, 498 of 498 judged`; `conforms so far (partial): 1 of 498 judged`; after a waiver that is no longer
 * needed, since that is not a fault of the target.
 */
export const headlineOf = (report: Concluded): string =>
  `${staleWords(report)}${ofTheTarget(report)}: ${coverageWords(report)}`

/** The requirements and the checks with a verdict, each counted by its own name. */
export const countWords = (
  { counts: { requirements, checks } }: Pick<Report, 'counts'>,
  verdict: keyof Report['counts']['checks'],
): string => `${plural(requirements[verdict], 'requirement')} (${plural(checks[verdict], 'check')})`
