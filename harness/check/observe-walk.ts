import { Inconclusive } from '../evidence/signals.ts'
import { brokeDown, isTurnedAway, jsonFault, responseOf } from '../session/answer.ts'
import { Subject } from './subject.ts'
import { ViolationError } from './violation.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Walk, WalkEnd, WalkedPage } from '../session/accounts.ts'
import type { Ledger, ObservedExchange } from './observe.ts'

type ObserveExchange = (exchange: Exchange, ledger: Ledger) => ObservedExchange

/** What a judge sees of the pages of one account. Looking at a page makes the verdict rest on its exchange. */
export class ObservedWalk {
  /** The pageSize that was asked for. */
  readonly size: number
  /** In the order in which they were walked; the last of them is where the walk ended. */
  readonly pages: readonly ObservedPage[]
  readonly #walk: Walk
  readonly #ledger: Ledger

  /** @param observeExchange how the exchange of a page is seen. */
  constructor(walk: Walk, ledger: Ledger, observeExchange: ObserveExchange) {
    this.size = walk.size
    this.pages = walk.pages.map((page) => new ObservedPage(page, ledger, observeExchange))
    this.#walk = walk
    this.#ledger = ledger
  }

  /** Why the walk ended: `last`, or what stopped it before; it rests on the page where that was. */
  get end(): Subject {
    return new Subject('end of the walk', this.#walk.end, this.#touched().id)
  }

  /** What tells all the transactions apart, page after page. @throws Inconclusive where one of them does not say it. */
  get ids(): readonly string[] {
    return this.pages.flatMap(({ ids }) => ids)
  }

  /**
   * Judges that every page was answered with transactions, up to the last one.
   * @throws Inconclusive where a page broke down, or a link leads where nobody may follow it.
   */
  isWhole(): void {
    const last = this.#touched()
    const { end, pages } = this.#walk
    for (const page of pages) this.#ledger.add(page.exchange.id)
    if (end === 'last') return
    if (end === 'foreign-link')
      throw new Inconclusive(
        `${last.id} links to a page out of the target's base path, which was not asked for`,
      )
    if (brokeDown(last)) throw new Inconclusive(`${last.id} ended in a breakdown`)
    if (isTurnedAway(last)) throw new Inconclusive(`${last.id} was turned away (429): see --rate`)
    if (isWithoutJson(last))
      throw new Inconclusive(`the answer to ${last.id} is not JSON (${responseOf(last).status})`)
    throw new ViolationError({
      subject: 'the pages of the account',
      expected: 'one after the other, up to a last one',
      received: ENDS[end](this.#walk, last),
      exchange: last.id,
    })
  }

  /** The page where the walk ended: whoever looks at it rests the verdict on it. */
  #touched(): Exchange {
    const last = this.#walk.pages.at(-1)?.exchange
    if (last === undefined) throw new Inconclusive('the walk has no page')
    this.#ledger.add(last.id)
    return last
  }
}

const isWithoutJson = (page: Exchange): boolean => {
  const { status, body } = responseOf(page)
  return status >= 200 && status < 300 && body.bytes > 0 && jsonFault(page) !== undefined
}

const ENDS: Readonly<
  Record<Exclude<WalkEnd, 'last' | 'foreign-link'>, (walk: Walk, last: Exchange) => string>
> = {
  refused: ({ pages }, last) => `no transactions on page ${pages.length} (${responseOf(last).status})`,
  loop: ({ pages }) => `a page ${pages.length} that leads back to one before, or was answered before`,
  endless: ({ pages }) => `no end after ${pages.length} pages`,
}

/** An account may have thousands of pages: what nobody looks at is not made. */
export class ObservedPage {
  readonly #page: WalkedPage
  readonly #ledger: Ledger
  readonly #observeExchange: ObserveExchange

  constructor(page: WalkedPage, ledger: Ledger, observeExchange: ObserveExchange) {
    this.#page = page
    this.#ledger = ledger
    this.#observeExchange = observeExchange
  }

  get exchange(): ObservedExchange {
    return this.#observeExchange(this.#page.exchange, this.#ledger)
  }

  /** How many transactions it holds. */
  get size(): Subject {
    const { exchange, ids } = this.#touched()
    return new Subject('transactions on the page', ids.length, exchange.id)
  }

  /** What tells its transactions apart, in their order. @throws Inconclusive where one of them does not say it. */
  get ids(): readonly string[] {
    const { exchange, ids } = this.#touched()
    const at = ids.indexOf('')
    if (at < 0) return ids
    throw new Inconclusive(
      `${exchange.id} does not say what tells its transaction ${at + 1} from others (listTransactions.id)`,
    )
  }

  /** The id of one of its transactions, counted from 0: to state something about it. */
  id(at: number): Subject {
    const { exchange, ids } = this.#touched()
    return new Subject(`transaction ${at + 1} of the page`, ids[at], exchange.id)
  }

  /** Whether it says that no other page follows. */
  get isLast(): boolean {
    return this.#touched().isLast
  }

  /** Whoever looks at it rests the verdict on it. */
  #touched(): WalkedPage {
    this.#ledger.add(this.#page.exchange.id)
    return this.#page
  }
}
