import { mayBeOfAnother } from '../../../evidence/record/answer-kind.ts'
import { isQuery } from '../repeatable.ts'
import type { Layer } from './layer.ts'

/** A firewall or gateway that refuses at random accepts the next one; what comes again is judged as the refusal it is. */
export const repeatedAfterFirewall: Layer = async (sending, next) => {
  const exchange = await next(sending)
  return isQuery(sending.request) && mayBeOfAnother(exchange) ? next(sending) : exchange
}
