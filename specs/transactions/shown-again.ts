import { isObjectOrList } from '../../harness/evidence/json.ts'
import { attemptOf, inWholeRun } from '../../harness/check/index.ts'
import type { ObservedExchange, Selection, WholeRun } from '../../harness/check/index.ts'
import type { Scenario } from '../../harness/session/index.ts'
import { variantOf } from '../shared/each-variant.ts'
import { HOUR } from '../shared/tolerances.ts'
import type { Variant } from '../shared/account-steps.ts'

/** What two pages of the run say of one transaction. */

interface ShownRecord {
  readonly page: ObservedExchange
  readonly earlier: ObservedExchange
  /** Where the transaction is on the page. */
  readonly at: string
  readonly record: unknown
  readonly before: unknown
}

interface Difference {
  readonly path: string
  readonly values: readonly [before: unknown, now: unknown]
}

/** In what both have: a bank may add something later. */
const differencesOf = (before: unknown, now: unknown, path = ''): readonly Difference[] => {
  if (!isObjectOrList(before) || !isObjectOrList(now))
    return before === now ? [] : [{ path, values: [before, now] }]
  const later = new Map(Object.entries(now))
  return Object.entries(before).flatMap(([name, value]) =>
    later.has(name) ? differencesOf(value, later.get(name), `${path}.${name}`) : [],
  )
}

/** A word in letters or a truth value may be a state, which a booking changes. */
const isState = (value: unknown): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && /^[a-z_]+$/i.test(value))

/** A day, or an amount with decimals. A whole number may count places on the page. */
const isDayOrAmount = (value: unknown): boolean =>
  typeof value === 'number'
    ? !Number.isInteger(value)
    : typeof value === 'string' && /^(\d{4}-\d\d-\d\d|-?\d+[.,]\d+)$/.test(value)

/** A text of several words, or what became of one. */
const isText = (value: unknown): boolean =>
  typeof value === 'string' && /^(\[.*\]|[^:]*\S \S[^:]*)$/.test(value)

/** The same request, whichever page and size it asks for. */
const keyOf = (page: ObservedExchange): string => {
  const { url, headers, body } = page.request
  const [, token = ''] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? []
  return [attemptOf(page), token, new URL(url).pathname, body?.text.replaceAll(/:\s*\d+/g, '')].join(' ')
}

const shownRecordsIn = ({ exchanges, profile }: WholeRun, variant: Variant): readonly ShownRecord[] => {
  const bound = (variant === 'first' ? profile.operations : profile.secondVariant)?.listTransactions
  const seen = new Map<string, { readonly page: ObservedExchange; readonly record: unknown }>()
  const pages = exchanges.filter((page) => page.accepted && variantOf(profile, page) === variant)
  return pages.flatMap((page) => {
    const { value: records } = page.body.field(bound?.transactions ?? '')
    if (bound === undefined || !Array.isArray(records)) return []
    return records.flatMap((record: unknown, place): readonly ShownRecord[] => {
      const at = `${bound.transactions}.${place}`
      const { value: id } = page.body.field(`${at}.${bound.id}`)
      const key = `${keyOf(page)} ${String(id)}`
      const before = seen.get(key)
      if (id === undefined) return []
      seen.set(key, { page, record })
      return before === undefined ? [] : [{ page, earlier: before.page, at, record, before: before.record }]
    })
  })
}

/** Each transaction that was shown again. @param scenario where this surely occurs. */
export const shownAgain = (scenario: Scenario, variant: Variant): Selection<ShownRecord> =>
  inWholeRun(scenario, ['listTransactions']).each(
    (run) => shownRecordsIn(run, variant),
    'no transaction was shown twice',
  )

/** Judges that a transaction keeps its days and amounts unless its state has changed, and for an hour its texts. */
export const assertSameTransaction = ({ page, earlier, at, record, before }: ShownRecord): void => {
  const differences = differencesOf(before, record)
  const hasMoved = differences.some(({ values }) => values.every(isState))
  const isRecent = page.sentAt.getTime() - earlier.sentAt.getTime() < HOUR
  const [changed] = differences.filter(
    ({ values }) => !hasMoved && (values.every(isDayOrAmount) || (isRecent && values.every(isText))),
  )
  page.body
    .field(`${at}${changed?.path ?? ''}`)
    .satisfies(changed === undefined, `${String(changed?.values[0])}, as in ${earlier.id}`)
}
