import { createRedactor } from '../../evidence/redaction.ts'
import { decodeRecord } from '../../evidence/stored/encoding.ts'
import { digestOfValue, reviveStop, type Outcome } from './outcome.ts'
import { storedFacts, type Fact } from '../../check/facts.ts'
import { judgeCheck, type JudgedRun } from '../judge.ts'
import { messageOf } from '../../evidence/errors.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { CheckLine, RecordLine } from '../../evidence/stored/record-file.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Plan, PlannedCheck } from '../../plan/plan.ts'
import type { StatedCheck } from '../../plan/catalogue.ts'
import type { Property, Scenario } from '../../session/scenario.ts'
import type { ProfileMismatch } from '../../profile/mismatch/mismatch.ts'

/** Judges stored records, as the scenarios of a run are judged. */

export interface StoredScenario {
  /** By the digest of the value; a scenario that is no property has one line. */
  readonly lines: ReadonlyMap<string, RecordLine>
  readonly exchangeOf: (id: string) => Exchange | undefined
}

/** A scenario from its stored lines; its records are decoded once for all checks. */
export interface StoredRun {
  /** @param onMissing receives why an outcome that is asked for is not there. */
  as(onMissing?: (because: string) => void): JudgedRun
}

/** Nothing is secret any more. */
const PUBLIC = createRedactor([])

/** @param lines may get further lines later, since a property is run value by value. */
export const openStoredRun = (
  { kind }: Scenario | Property,
  { lines, exchangeOf }: StoredScenario,
): StoredRun => {
  const outcomes = new Map<string, { readonly value: unknown; readonly outcome: Outcome }>()

  /** @returns why there is no outcome, as a text. */
  const read = (line: RecordLine | undefined): Outcome | string => {
    if (line === undefined) return 'the run has no record of it'
    const { outcome, attempt } = line
    if ('unstorable' in outcome) return outcome.unstorable
    if ('stopped' in outcome) return { stopped: reviveStop(outcome.stopped) }
    try {
      return { record: decodeRecord(outcome.record, { scenario: attempt, exchangeOf }) }
    } catch (error) {
      return messageOf(error)
    }
  }

  return {
    as: (onMissing = () => undefined) => ({
      redactor: PUBLIC,
      known: PUBLIC,
      seen: () => {
        throw new Error('the keys of the profile that explain a finding are stored with it')
      },
      interferingScenario: [...lines.values()].find(({ interfering }) => interfering !== undefined)
        ?.interfering,
      async outcome(value) {
        const key = kind === 'property' ? digestOfValue(value) : ''
        const known = outcomes.get(key)
        if (known !== undefined) return known.outcome
        const outcome = read(lines.get(key))
        if (typeof outcome === 'string') {
          onMissing(outcome)
          return { stopped: new Error(outcome) }
        }
        outcomes.set(key, { value, outcome })
        return outcome
      },
      outcomes: async () => [...outcomes.values()],
    }),
  }
}

/** What was stored when a check was judged in a run. */
export type StoredJudgement = Pick<CheckLine<Fact, ProfileMismatch>, 'facts' | 'mismatches'>

/**
 * Judges a check from stored lines.
 * @param judgement what was stored when the check was judged in the run.
 * @returns the result, or why there is none.
 */
export const judgeStored = async (
  planned: PlannedCheck,
  check: StatedCheck,
  run: StoredRun,
  { plan, judgement }: { readonly plan: Pick<Plan, 'seed' | 'runs'>; readonly judgement: StoredJudgement },
): Promise<CheckResult | string> => {
  const { facts = [], mismatches = [] } = judgement
  let missing: string | undefined
  const judged = run.as((because) => (missing ??= because))
  const result = await judgeCheck(planned, check, judged, plan, {
    facts: storedFacts(facts),
    explain: () => mismatches,
  })
  return missing ?? result
}

const violationOf = ({ violation }: CheckResult): string => {
  if (violation === undefined) return ''
  const { subject, exchange, counterexample } = violation
  return `a violation of ${subject} (${exchange}${counterexample === undefined ? '' : `, case ${counterexample.path}`})`
}

type Aspect = readonly [what: string, of: (result: CheckResult) => string]

/** What a verdict is, besides its words. */
const DECISIVE: readonly Aspect[] = [
  ['verdict', ({ verdict }) => verdict],
  ['finding', violationOf],
  ['number of assertions', ({ judged }) => String(judged ?? 'unknown')],
  ['time when it can be judged', ({ until }) => until ?? 'now'],
  ['exchanges', ({ exchanges }) => exchanges.join(', ')],
]

/** The first difference between two results of a check, in words; undefined if both are the same. */
export const differenceOf = (one: CheckResult, other: CheckResult): string | undefined => {
  const found = DECISIVE.find(([, of]) => of(one) !== of(other))
  if (found === undefined) return undefined
  const [what, of] = found
  return `its ${what} is ${of(one) || 'none'} in the run, and ${of(other) || 'none'} judged from the stored record`
}
