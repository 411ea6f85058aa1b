import { Inconclusive } from '../evidence/signals.ts'
import { brokeDown, isTurnedAway, jsonFault, responseOf } from '../session/answer.ts'
import { Subject } from './subject.ts'
import { ViolationError } from './violation.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Walk, WalkEnd, WalkedPage } from '../session/accounts.ts'
import type { Ledger, ObservedExchange } from './observe.ts'

/** What a judge sees of the pages of one account. Looking at a page makes the verdict rest on its exchange. */
export interface ObservedWalk {
  /** The pageSize that was asked for. */
  readonly size: number
  /** In the order in which they were walked; the last of them is where the walk ended. */
  readonly pages: readonly ObservedPage[]
  /** Why the walk ended: `last`, or what stopped it before; it rests on the page where that was. */
  readonly end: Subject
  /** What tells all the transactions apart, page after page. @throws Inconclusive where one of them does not say it. */
  readonly ids: readonly string[]
  /**
   * Judges that every page was answered with transactions, up to the last one.
   * @throws Inconclusive where a page broke down, or a link leads where nobody may follow it.
   */
  isWhole(): void
}

export interface ObservedPage {
  readonly exchange: ObservedExchange
  /** How many transactions it holds. */
  readonly size: Subject
  /** What tells its transactions apart, in their order. @throws Inconclusive where one of them does not say it. */
  readonly ids: readonly string[]
  /** The id of one of its transactions, counted from 0: to state something about it. */
  id(at: number): Subject
  /** Whether it says that no other page follows. */
  readonly isLast: boolean
}

type ObserveExchange = (exchange: Exchange, ledger: Ledger) => ObservedExchange

/** @param observeExchange how the exchange of a page is seen. */
export const observeWalk = (walk: Walk, ledger: Ledger, observeExchange: ObserveExchange): ObservedWalk => {
  const pages = walk.pages.map((page) => observePage(page, ledger, observeExchange))
  const last = walk.pages.at(-1)?.exchange
  const touch = (): string => {
    if (last === undefined) throw new Inconclusive('the walk has no page')
    ledger.add(last.id)
    return last.id
  }
  return {
    size: walk.size,
    pages,
    get end() {
      return new Subject('end of the walk', walk.end, touch())
    },
    get ids() {
      return pages.flatMap(({ ids }) => ids)
    },
    isWhole() {
      const exchange = touch()
      for (const page of walk.pages) ledger.add(page.exchange.id)
      if (walk.end === 'last') return
      if (walk.end === 'foreign-link')
        throw new Inconclusive(
          `${exchange} links to a page out of the target's base path, which was not asked for`,
        )
      if (last !== undefined && brokeDown(last)) throw new Inconclusive(`${exchange} ended in a breakdown`)
      if (last !== undefined && isTurnedAway(last))
        throw new Inconclusive(`${exchange} was turned away (429): see --rate`)
      if (last !== undefined && isWithoutJson(last))
        throw new Inconclusive(`the answer to ${exchange} is not JSON (${responseOf(last).status})`)
      throw new ViolationError({
        subject: 'the pages of the account',
        expected: 'one after the other, up to a last one',
        received: ENDS[walk.end](walk, last),
        exchange,
      })
    },
  }
}

const isWithoutJson = (page: Exchange): boolean => {
  const { status, body } = responseOf(page)
  return status >= 200 && status < 300 && body.bytes > 0 && jsonFault(page) !== undefined
}

const ENDS: Readonly<
  Record<Exclude<WalkEnd, 'last' | 'foreign-link'>, (walk: Walk, last: Exchange | undefined) => string>
> = {
  refused: ({ pages }, last) =>
    `no transactions on page ${pages.length} (${last === undefined ? 'nothing' : responseOf(last).status})`,
  loop: ({ pages }) => `a page ${pages.length} that leads back to one before, or was answered before`,
  endless: ({ pages }) => `no end after ${pages.length} pages`,
}

const observePage = (
  { exchange, ids, isLast }: WalkedPage,
  ledger: Ledger,
  observeExchange: ObserveExchange,
): ObservedPage => {
  const touch = (): string => {
    ledger.add(exchange.id)
    return exchange.id
  }
  return {
    // An account may have thousands of pages: what nobody looks at is not made.
    get exchange() {
      return observeExchange(exchange, ledger)
    },
    get size() {
      return new Subject('transactions on the page', ids.length, touch())
    },
    get ids() {
      touch()
      const at = ids.indexOf('')
      if (at < 0) return ids
      throw new Inconclusive(
        `${exchange.id} does not say what tells its transaction ${at + 1} from others (listTransactions.id)`,
      )
    },
    id: (at) => new Subject(`transaction ${at + 1} of the page`, ids[at], touch()),
    get isLast() {
      touch()
      return isLast
    },
  }
}
