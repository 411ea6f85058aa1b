import { OPERATIONS, type OperationFacts } from '../../evidence/exchange.ts'
import type { HttpRequest } from './request.ts'

/** Which requests may be sent more than once: it depends on what they do to the world. */

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const factsOf = ({ operation }: HttpRequest): OperationFacts => OPERATIONS[operation]

/** Whether it only reads by its operation and by its method: it may be sent again whatever happened to the first one. */
export const isSafe = (request: HttpRequest): boolean =>
  factsOf(request).effect === 'read' && SAFE_METHODS.has(request.method)

/** Whether this request of a scenario may be sent again after a server error. */
const isRepeatable = (request: HttpRequest): boolean =>
  request.sender === 'scenario' && (factsOf(request).repeatable === true || isSafe(request))

/** Whether this request only reads, so that it may be repeated. */
export const isQuery = (request: HttpRequest): boolean =>
  factsOf(request).effect === 'read' && isRepeatable(request)

/** A second consent, grant of tokens or refresh of accounts does no harm. */
export const isRepeatableWrite = (request: HttpRequest): boolean =>
  factsOf(request).effect !== 'read' && isRepeatable(request)

/** Whether a second request could pay or apply a second time. A page is only read, and a DELETE cancels. */
export const mayActTwice = (request: HttpRequest): boolean => {
  const { effect } = factsOf(request)
  const movesMoney = effect === 'pay' || effect === 'apply'
  return movesMoney && !SAFE_METHODS.has(request.method) && request.method !== 'DELETE'
}
