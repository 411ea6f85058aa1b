import { check, inWholeRun, note, Selection } from '../../harness/check/index.ts'
import type { ObservedExchange, RecordOf, WholeRun } from '../../harness/check/index.ts'
import {
  placeOf,
  scenario,
  type Need,
  type Scenario,
  type ScenarioOptions,
  type Session,
} from '../../harness/session/index.ts'
import type { Variant } from './account-steps.ts'

/** Scenarios, checks and notes that are the same in both variants of the account operations. */

type InEachVariant<Of> = Readonly<Record<Variant, Of>>

type Requirement = Parameters<typeof check>[0]

/** The requirements that say the same of the first and of the second variant. */
export type RowsOfVariants = readonly [first: Requirement, second: Requirement]

/** @param title that of the second variant ends with `in the second variant`, unless both are given. */
export const scenarioInEachVariant = <Record>(
  title: string | InEachVariant<string>,
  options: ScenarioOptions | ((variant: Variant) => ScenarioOptions),
  act: (session: Session, variant: Variant) => Promise<Record>,
): InEachVariant<Scenario<Record>> => {
  const titles =
    typeof title === 'string' ? { first: title, second: `${title} in the second variant` } : title
  const optionsOf = typeof options === 'function' ? options : () => options
  const { needs = [], ...others } = optionsOf('second')
  const ofSecond = { ...others, needs: [...needs, 'second-variant'] as readonly Need[] }
  return {
    first: scenario(titles.first, optionsOf('first'), (session) => act(session, 'first')),
    second: scenario(titles.second, ofSecond, (session) => act(session, 'second')),
  }
}

/** A link to a later page has any path. Only the second variant has its requests in bodies. */
export const variantOf = (profile: WholeRun['profile'], answer: ObservedExchange): Variant => {
  const { key } = placeOf(profile, answer)?.part ?? {}
  return (key ?? answer.request.method).match(/^(secondVariant|POST)/) ? 'second' : 'first'
}

/** Each answer of the run with data. @param scenarios where this surely occurs. */
export const dataInEachVariant = (
  scenarios: InEachVariant<Scenario>,
  operations: Parameters<typeof inWholeRun>[1],
): InEachVariant<Selection<ObservedExchange>> => {
  const answersOf = (variant: Variant): Selection<ObservedExchange> =>
    inWholeRun(scenarios[variant], operations).each(
      ({ exchanges, profile }) =>
        exchanges.filter((answer) => answer.accepted && variantOf(profile, answer) === variant),
      'no request was answered with data',
    )
  return { first: answersOf('first'), second: answersOf('second') }
}

/** See `Selection.where`. */
export const whereInEachVariant = <Record>(
  { first, second }: InEachVariant<Scenario<Record>>,
  isMeant: (record: RecordOf<Scenario<Record>>) => boolean,
  because: string,
): InEachVariant<Selection<RecordOf<Scenario<Record>>>> => ({
  first: first.where(isMeant, because),
  second: second.where(isMeant, because),
})

interface Options {
  readonly needs?: readonly Need[]
}

/** States a check of each of two rows, with one judge. */
export function checkInEachVariant<Record>(
  rows: RowsOfVariants,
  scenarios: InEachVariant<Scenario<Record>>,
  judge: (record: RecordOf<Scenario<Record>>, variant: Variant) => void,
  options?: Options,
): void
export function checkInEachVariant<Record>(
  rows: RowsOfVariants,
  selections: InEachVariant<Selection<Record>>,
  judge: (record: Record, variant: Variant) => void,
  options?: Options,
): void
export function checkInEachVariant(
  [first, second]: RowsOfVariants,
  of: InEachVariant<Scenario | Selection<unknown>>,
  judge: (record: never, variant: Variant) => void,
  options?: Options,
): void {
  const state = (row: Requirement, variant: Variant): void => {
    const judged = of[variant]
    const judgeRecord = (record: unknown): void => judge(record as never, variant)
    if (judged instanceof Selection) check(row, judged, judgeRecord, options)
    else check(row, judged, judgeRecord, options)
  }
  state(first, 'first')
  state(second, 'second')
}

export const noteInEachVariant = <Record>(
  notShown: Parameters<typeof note>[0],
  scenarios: InEachVariant<Scenario<Record>>,
  describe: (record: RecordOf<Scenario<Record>>, variant: Variant) => string | undefined,
): void => {
  note(notShown, scenarios.first, (record) => describe(record, 'first'))
  note(notShown, scenarios.second, (record) => describe(record, 'second'))
}
