import { held, inWholeRun } from '../../harness/check/index.ts'
import { jsonIn } from '../../harness/evidence/json.ts'
import { fieldOf } from '../../harness/evidence/record/answer.ts'
import { linkIn } from '../../harness/session/index.ts'
import type { ObservedExchange, Selection, WholeRun } from '../../harness/check/index.ts'
import type { Scenario } from '../../harness/session/index.ts'
import { variantOf } from '../shared/each-variant.ts'
import { idsOn, violation } from './assertions.ts'

/** A page of the second variant, whichever scenario has asked for it. */
interface SizedPage {
  readonly page: ObservedExchange
  /** The pageSize of the request. */
  readonly asked: unknown
  readonly count: number
  /** Whether the bank says that another page follows. */
  readonly isInner: boolean
}

type Binding = NonNullable<WholeRun['profile']['secondVariant']>['listTransactions']

const isInner = (page: ObservedExchange, count: number, { paging }: Binding, request: unknown): boolean => {
  // Such a bank says of its last page with transactions, too, that another one follows.
  if (paging.end === 'empty-page') return false
  if (paging.kind === 'link-header')
    return linkIn([['Link', String(page.header('Link').value)]], paging.relation) !== undefined
  if (paging.kind === 'link' || paging.kind === 'cursor') return Boolean(page.body.field(paging.next).value)
  const place = Number(fieldOf(request, paging.parameter) ?? paging.first) - paging.first
  if (!(place >= 0)) return false
  return paging.kind === 'number'
    ? place + 1 < Number(page.body.field(paging.count).value)
    : place + count < Number(page.body.field(paging.total).value)
}

const sizedPagesIn = ({ exchanges, profile }: WholeRun): readonly SizedPage[] => {
  const bound = profile.secondVariant?.listTransactions
  if (bound === undefined) return []
  return exchanges.flatMap((page) => {
    // An empty page counts too, though its `accepted` is false.
    const count = variantOf(profile, page) === 'second' ? idsOn(page, bound)?.length : undefined
    const request = jsonIn(page.request.body?.text ?? '')
    if (count === undefined) return []
    return [
      { page, asked: fieldOf(request, bound.pageSize), count, isInner: isInner(page, count, bound, request) },
    ]
  })
}

/** Each page of the second variant in the run. @param scenario where this surely occurs. */
export const sizedPages = (scenario: Scenario): Selection<SizedPage> =>
  inWholeRun(scenario, ['listTransactions']).each(sizedPagesIn, 'no page of the second variant was answered')

/** Asserts how many transactions a page has. */
export const assertCount = ({ page, asked, count }: SizedPage, isRight: boolean, expected: string): void => {
  if (isRight) return held()
  throw violation(
    page.id,
    `the transactions of a page for a pageSize of ${String(asked)}`,
    expected,
    String(count),
  )
}
