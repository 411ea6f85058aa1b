import type { Exchange } from './exchange.ts'

/** What was got from the network before, and stands in for it when an act is done again from its log. */
export interface Tape {
  /**
   * The answer that this request had; nothing where it was never sent.
   * @throws Error where another request had this id: then the act goes another way than before.
   */
  exchange(request: {
    readonly id: string
    readonly method: string
    readonly url: string
  }): Exchange | undefined
  /** Is told before a request is sent that must not be sent twice. */
  intends(id: string): void
  /** Is told before an answer is relied on. */
  keeps(exchange: Exchange): void
}
