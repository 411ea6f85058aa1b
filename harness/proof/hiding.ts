import { isJsonText, isObject } from '../evidence/json.ts'
import { runTrial, violatedIn, type TrialOptions } from './trial.ts'
import type { Defect } from '../bank/defect.ts'
import type { CheckResult } from '../check/result.ts'
import type { Exchange } from '../evidence/exchange.ts'
import { groupBy } from '../plan/lists.ts'
import type { Catalogue } from '../plan/catalogue.ts'
import type { Faults } from '../connection/embedded.ts'

/**
 * Whether a defect can be observed in a bank that differs from the reference bank. It is computed: the same bank is tried
 * with and without the defect. Both draw the same random values, and so do the scenarios, so that their exchanges are equal
 * unless an answer or a webhook differs. This does not depend on how the defect changes the bank.
 */

/** The requirements that a defect breaks, by what their checks show of it. */
export interface Shown {
  readonly caught: readonly string[]
  /** No answer differs: the scenarios receive the same with and without the defect. */
  readonly hidden: readonly string[]
  /** An answer differs, but this bank never does what is judged: no check passes without the defect either. */
  readonly notReached: readonly string[]
  /** An answer differs, and the finding is about a key of the profile, which does not fit it. */
  readonly reported: readonly string[]
  /** An answer differs, and no check says so. */
  readonly missed: readonly string[]
}

interface RecordedTrial {
  readonly results: readonly CheckResult[]
  /** By requirement: the exchanges of each scenario that is judged for it. */
  readonly exchanges: ReadonlyMap<string, readonly (readonly Exchange[])[]>
}

const recordedTrial = async (
  catalogue: Catalogue,
  faults: Faults,
  options: TrialOptions,
): Promise<RecordedTrial> => {
  const exchanges = new Map<string, readonly (readonly Exchange[])[]>()
  const results = await runTrial(catalogue, () => faults, {
    ...options,
    onExchanges(requirements, seen) {
      for (const requirement of new Set(requirements))
        exchanges.set(requirement, [...(exchanges.get(requirement) ?? []), seen])
    },
  })
  return { results, exchanges }
}

/** The random part of the address to which webhooks are sent: the suite draws it. */
const ADDRESS = /(sink\.example(?:\/|%2F)webhook(?:\/|%2F))[\w-]+/gi

const sorted = (_: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** The members of JSON have no order. A member that stands twice is seen by the length. */
const withoutOrder = (text: string): unknown =>
  isJsonText(text) ? [text.length, JSON.stringify(JSON.parse(text), sorted)] : text

const textOf = ({ exchanges }: RecordedTrial, requirement: string): string =>
  JSON.stringify(exchanges.get(requirement) ?? [], (key, value: unknown) => {
    if (key === 'durationMs') return undefined
    return key === 'text' && typeof value === 'string' ? withoutOrder(value) : value
  }).replace(ADDRESS, '$1')

const requirementsOf = (results: readonly CheckResult[]): ReadonlySet<string> =>
  new Set(results.map(({ requirement }) => requirement))

/**
 * Tries a bank with a defect, and without it if a check does not see the defect.
 * @param breaks the requirements that the defect breaks.
 * @param bank the differences of the bank from the reference bank.
 * @param couldDiffer whether the defect could show at all; asked after the bank was tried with it.
 */
export const tryWithDefect = async (
  catalogue: Catalogue,
  {
    defect,
    breaks,
    bank,
    couldDiffer = () => true,
  }: {
    readonly defect: Defect
    readonly breaks: readonly string[]
    readonly bank: Faults
    readonly couldDiffer?: () => boolean
  },
  options: TrialOptions,
): Promise<{ readonly results: readonly CheckResult[]; readonly shown: Shown }> => {
  const wrong = await recordedTrial(catalogue, { ...bank, defect }, options)
  const { results } = wrong
  const red = violatedIn(results)
  const unseen = breaks.filter((requirement) => !red.has(requirement))
  const usual = unseen.length > 0 && couldDiffer() ? await recordedTrial(catalogue, bank, options) : wrong
  const passing = requirementsOf(usual.results.filter(({ verdict }) => verdict === 'pass'))
  const mismatched = requirementsOf(results.filter(({ mismatches = [] }) => mismatches.length > 0))
  const kindOf = (requirement: string): keyof Shown => {
    if (red.has(requirement)) return 'caught'
    if (textOf(wrong, requirement) === textOf(usual, requirement)) return 'hidden'
    if (mismatched.has(requirement)) return 'reported'
    return passing.has(requirement) ? 'missed' : 'notReached'
  }
  const kinds = groupBy(breaks, kindOf)
  const ofKind = (kind: keyof Shown): readonly string[] => kinds.get(kind) ?? []
  return {
    results,
    shown: {
      caught: ofKind('caught'),
      hidden: ofKind('hidden'),
      notReached: ofKind('notReached'),
      reported: ofKind('reported'),
      missed: ofKind('missed'),
    },
  }
}
