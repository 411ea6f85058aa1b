import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import {
  brokeDown,
  isTurnedAway,
  jsonFault,
  mayBeOfIntermediary,
  responseOf,
} from '../../evidence/record/answer.ts'
import { describeAnswer } from '../../evidence/record/answer-kind.ts'
import { held, Subject, ViolationError } from '../verdict.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Walk, WalkEnd, WalkedPage } from '../../evidence/record/page-walk.ts'
import { ObservedExchange, serverError, type UsedExchanges } from './exchange.ts'

/** What a judge sees of the pages of one account. The verdict rests on the exchanges of the pages that it reads. */
export class ObservedWalk {
  /** The pageSize that was asked for. */
  readonly size: number
  /** In the order in which they were requested; the walk ended at the last one. */
  readonly pages: readonly ObservedPage[]
  readonly #walk: Walk
  readonly #used: UsedExchanges

  constructor(walk: Walk, used: UsedExchanges) {
    this.size = walk.size
    this.pages = walk.pages.map((page) => new ObservedPage(page, used))
    this.#walk = walk
    this.#used = used
  }

  /** Why the walk ended: `last`, or what stopped it before. The verdict rests on the last page. */
  get end(): Subject {
    return new Subject('end of the walk', this.#walk.end, this.#use().id)
  }

  /** The ids of all transactions, page after page. @throws Inconclusive if a transaction has no id. */
  get ids(): readonly string[] {
    return this.pages.flatMap(({ ids }) => ids)
  }

  /** Judges that no transaction is on the pages twice. */
  repeatsNothing(): void {
    const seen = new Set<string>()
    for (const page of this.pages)
      for (const [at, id] of page.ids.entries()) {
        page.id(at).satisfies(!seen.has(id), 'a transaction that is not on an earlier place')
        seen.add(id)
      }
  }

  /**
   * Judges that every page was answered with transactions, up to the last one.
   * @throws Inconclusive if a page was a server error that may pass, or a link leads out of the base path and may not be followed.
   */
  isWhole(): void {
    const last = this.#use()
    const { end, pages, leadsTo = 'a page' } = this.#walk
    for (const { exchange } of pages) this.#used.note(exchange)
    if (end === 'last') return held()
    if (end === 'foreign-link')
      throw new Inconclusive(
        `${last.id} links to ${leadsTo}, which is out of the target's base path and was not asked for`,
      )
    if (end === 'empty-pages') throw new NotReached(EMPTY_PAGES(last))
    if (brokeDown(last)) throw serverError(last, 'a page of transactions')
    if (isTurnedAway(last))
      throw new Inconclusive(`${last.id} was answered 429 (too many requests): see --rate`)
    if (mayBeOfIntermediary(last))
      throw new Inconclusive(
        `${last.id} was answered with ${describeAnswer(last)}: an intermediary may have given it`,
      )
    if (isWithoutJson(last))
      throw new Inconclusive(`the answer to ${last.id} is not JSON (${responseOf(last).status})`)
    throw new ViolationError({
      subject: 'the pages of the account',
      expected: 'one after the other, up to a last one',
      received: ENDS[end](this.#walk, last),
      exchange: last.id,
    })
  }

  /** The page where the walk ended. The verdict rests on it. */
  #use(): Exchange {
    const last = this.#walk.pages.at(-1)?.exchange
    if (last === undefined) throw new Inconclusive('the walk has no page')
    this.#used.note(last)
    return last
  }
}

/** Whether it breaks something depends on how the bank ends its pages. */
const EMPTY_PAGES = ({ id }: Exchange): string =>
  `${id} is an empty page that names another one: where an empty page ends the pages of this bank, say \`listTransactions.paging.end: empty-page\` in the profile`

const isWithoutJson = (page: Exchange): boolean => {
  const { status, body } = responseOf(page)
  return (
    page.timesRepeated === undefined &&
    status >= 200 &&
    status < 300 &&
    body.bytes > 0 &&
    jsonFault(page) !== undefined
  )
}

const ENDS: Readonly<
  Record<Exclude<WalkEnd, 'last' | 'foreign-link' | 'empty-pages'>, (walk: Walk, last: Exchange) => string>
> = {
  refused: ({ pages }, last) => `no transactions on page ${pages.length} (${responseOf(last).status})`,
  loop: ({ pages }) => `a page ${pages.length} that leads back to an earlier page, or repeats one`,
  endless: ({ pages }) => `no end after ${pages.length} pages`,
}

export class ObservedPage {
  readonly #page: WalkedPage
  readonly #used: UsedExchanges

  constructor(page: WalkedPage, used: UsedExchanges) {
    this.#page = page
    this.#used = used
  }

  get exchange(): ObservedExchange {
    return new ObservedExchange(this.#page.exchange, this.#used)
  }

  /** How many transactions it holds. */
  get size(): Subject {
    const { exchange, ids } = this.#use()
    return new Subject('transactions on the page', ids.length, exchange.id)
  }

  /** The ids of its transactions, in their order. @throws Inconclusive if a transaction has no id. */
  get ids(): readonly string[] {
    const { exchange, ids } = this.#use()
    const at = ids.indexOf('')
    if (at < 0) return ids
    throw new Inconclusive(
      `${exchange.id}: its transaction ${at + 1} has no id under the path of the profile (listTransactions.id)`,
    )
  }

  /** The id of one of its transactions, counted from 0. */
  id(at: number): Subject {
    const { exchange, ids } = this.#use()
    return new Subject(`transaction ${at + 1} of the page`, ids[at], exchange.id)
  }

  /** Whether the page says that no other page follows. */
  get isLast(): boolean {
    return this.#use().isLast
  }

  /** Notes that the verdict rests on this page. */
  #use(): WalkedPage {
    this.#used.note(this.#page.exchange)
    return this.#page
  }
}
