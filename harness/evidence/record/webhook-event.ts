import { isJsonText, isObject, type Members } from '../json.ts'
import { contentOf } from './encoded-event.ts'
import { Inconclusive } from '../signals.ts'
import { messageOf } from '../errors.ts'
import type { Exchange } from '../exchange.ts'

/** A webhook call of the target, and the event in it (interface, Events). */
export interface Delivery {
  readonly kind: 'delivery'
  /** The recorded call: its request is the target's, its response the sink's. */
  readonly exchange: Exchange
}

export const isDelivery = (value: unknown): value is Delivery =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'delivery'

/** The documented members of an event: to find out which call is which, not to judge one. */
export interface WebhookEvent {
  /** Distinguished by taskId, which only an accountEvent has. */
  readonly name: 'transactionEvent' | 'accountEvent'
  readonly consentId?: string
  readonly taskId?: string
  readonly taskStatus?: string
  readonly bankCode?: string
  readonly bankName?: string
  readonly eventType?: string
  readonly accounts: readonly { readonly accountId?: string; readonly eventType?: string }[]
}

/** The documented members of both events. */
const NAMES = ['consentId', 'accounts', 'eventType', 'taskId', 'taskStatus', 'bankCode', 'bankName'] as const

/**
 * The event in a body: the outermost object with a documented member. The interface does not show whether it is the
 * root.
 */
export const eventObject = (json: unknown): Members | undefined => {
  // Level by level and not recursive: a body may be deeply nested, or have many items.
  const left: unknown[] = [json]
  for (const value of left) {
    if (isObject(value) && NAMES.some((name) => Object.hasOwn(value, name))) return value
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) left.push(inner)
  }
  return undefined
}

const textOf = <Name extends string>(object: Members, name: Name): { readonly [Key in Name]?: string } => {
  const value = object[name]
  return (typeof value === 'string' ? { [name]: value } : {}) as { readonly [Key in Name]?: string }
}

export type DeliveredJson = { readonly json: unknown } | { readonly error: string }

/**
 * The content of a call as JSON, or why there is none.
 * @throws Inconclusive if the call is incomplete, or only a part was kept.
 */
export const deliveredJson = ({ exchange }: Delivery): DeliveredJson => {
  const { request, fault, id } = exchange
  if (fault !== undefined) throw new Inconclusive(`${id} did not come whole: ${fault.message}`)
  const { text = '', bytes = 0, sha256 } = request.body ?? {}
  if (sha256 !== undefined) throw new Inconclusive(`of the ${bytes} bytes of ${id} only the head was kept`)
  try {
    const json = contentOf(request)
    if (eventObject(json) !== undefined || isJsonText(text)) return { json }
    return { error: 'it has no member of an event, in JSON, as a form or in XML' }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

const readable = (delivery: Delivery): unknown => {
  try {
    const result = deliveredJson(delivery)
    return 'json' in result ? result.json : undefined
  } catch {
    return undefined
  }
}

/** Whether a call has content in a form that is not known. The interface does not show how a call is encoded. */
export const isEncodedOtherwise = (delivery: Delivery): boolean => {
  if ((delivery.exchange.request.body?.text ?? '').trim() === '') return false
  try {
    return 'error' in deliveredJson(delivery)
  } catch {
    return false
  }
}

/** The event of a call; undefined if it has no documented member. */
export const eventOf = (delivery: Delivery): WebhookEvent | undefined => {
  const event = eventObject(readable(delivery))
  if (event === undefined) return undefined
  const accounts = Array.isArray(event['accounts']) ? (event['accounts'] as unknown[]) : []
  return {
    // Null may stand for a missing member.
    name: (event['taskId'] ?? undefined) === undefined ? 'transactionEvent' : 'accountEvent',
    ...textOf(event, 'consentId'),
    ...textOf(event, 'taskId'),
    ...textOf(event, 'taskStatus'),
    ...textOf(event, 'bankCode'),
    ...textOf(event, 'bankName'),
    ...textOf(event, 'eventType'),
    accounts: accounts
      .filter(isObject)
      .map((item) => ({ ...textOf(item, 'accountId'), ...textOf(item, 'eventType') })),
  }
}
