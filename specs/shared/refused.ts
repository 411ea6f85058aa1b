import { check, endOf, isRefusedBetween } from '../../harness/check/index.ts'
import type { Exchange, Observed, ObservedExchange, ObservedRedirect } from '../../harness/check/index.ts'
import type { GrantAttempt, Scenario } from '../../harness/session/index.ts'

/** Scenarios that try several requests with one change each, between two valid ones. */

type Acted = Exchange | GrantAttempt['redirectResult'] | GrantAttempt

/** The names of the attempts in a record: of single ones, and of lists. An attempt may be left out of it. */
export type NameOfAttempt<Seen, Kind = Acted> = {
  readonly [Name in keyof Seen]-?: Seen[Name] extends Kind | readonly Kind[] | undefined ? Name : never
}[keyof Seen] &
  string

type Attempt = ObservedExchange | ObservedRedirect | Observed<GrantAttempt>

/** The attempts of that name. */
export const attemptsOf = (record: unknown, name: string): readonly Attempt[] => {
  const { [name]: attempts = [] } = record as Readonly<Record<string, Attempt | readonly Attempt[]>>
  return [attempts].flat()
}

const answerTo = (attempt: Attempt): ObservedExchange | ObservedRedirect =>
  'redirectResult' in attempt ? endOf(attempt) : attempt

/**
 * States that attempts of a scenario are refused, between the valid ones that its record has as `before` and `after`.
 * @param reasons by the name of an attempt: why a conforming bank refuses it.
 */
export const checkRefused = <Seen extends { readonly before: Acted; readonly after: Acted }>(
  row: Parameters<typeof check>[0],
  scenario: Scenario<Seen>,
  reasons: { readonly [Name in NameOfAttempt<Seen>]?: string },
): void =>
  check<unknown, undefined>(row, scenario, (record) => {
    const [before, after] = ['before', 'after'].flatMap((name) => attemptsOf(record, name).map(answerTo))
    if (before === undefined || after === undefined) throw new Error('the record has no valid requests')
    for (const [name, because] of Object.entries<string>(reasons as Record<string, string>))
      for (const attempt of attemptsOf(record, name))
        isRefusedBetween({ before, changed: answerTo(attempt), after }, because)
  })
