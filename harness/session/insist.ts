import { brokeDown } from './answer.ts'
import type { Exchange } from '../evidence/exchange.ts'

/**
 * The answer to a request that is asked again where the target, or a gateway before it, broke down over it. Any request
 * may meet a breakdown: only one that meets it twice is to blame for it.
 */
export const askTwiceAtMost = async (ask: () => Promise<Exchange>): Promise<Exchange> => {
  const answer = await ask()
  return answer.response !== undefined && brokeDown(answer) ? ask() : answer
}
