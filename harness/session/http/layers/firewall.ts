import { mayBeOfFirewall } from '../../../evidence/record/answer-kind.ts'
import { isQuery } from '../repeatable.ts'
import type { Layer } from './layer.ts'

/** A firewall that refuses at random accepts the next one; a page that comes again is judged as the refusal it is. */
export const repeatedAfterFirewall: Layer = async (sending, next) => {
  const exchange = await next(sending)
  return isQuery(sending.request) && mayBeOfFirewall(exchange) ? next(sending) : exchange
}
