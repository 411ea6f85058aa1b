import type { Exchange } from './exchange.ts'

/** Answers of an earlier run, which replace the network when a scenario is repeated from its log. */
export interface Tape {
  /**
   * The recorded answer to this request; undefined if it was never sent.
   * @throws Error if another request had this id: the scenario did not repeat itself.
   */
  exchange(request: {
    readonly id: string
    readonly method: string
    readonly url: string
  }): Exchange | undefined
  /** Called before a request is sent that must not be sent twice. */
  intends(id: string): void
  /** Called before an answer is used. */
  keeps(exchange: Exchange): void
}
