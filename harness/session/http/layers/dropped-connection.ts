import type { Exchange } from '../../../evidence/exchange.ts'
import type { Layer } from './layer.ts'

/** A server may close an idle connection while a request is sent on it: this is not an answer to the request. */
const wasDropped = ({ fault }: Exchange): boolean => fault?.kind === 'reset' && fault.status === undefined

/** Sends a request that reads once more, over a new connection, if its connection was dropped. */
export const redialed: Layer = async (sending, next) => {
  const exchange = await next(sending)
  return sending.isRepeatable && wasDropped(exchange) ? next({ ...sending, isRepeatable: false }) : exchange
}
