import { isExchange, isRedirectResult, type RedirectResult } from '../../evidence/record/answer.ts'
import { isWalk, type Walk } from '../../evidence/record/page-walk.ts'
import { isDelivery, type Delivery } from '../../evidence/record/webhook-event.ts'
import { ObservedDelivery } from './delivery.ts'
import { ObservedExchange, ObservedRedirect, type UsedExchanges } from './exchange.ts'
import { ObservedWalk } from './walk.ts'
import type { Exchange } from '../../evidence/exchange.ts'

/** The record of a scenario as its judges see it: the same shape, with observed exchanges, redirect results, walks and deliveries. */
export type Observed<T> = T extends Exchange
  ? ObservedExchange
  : T extends RedirectResult
    ? ObservedRedirect
    : T extends Walk
      ? ObservedWalk
      : T extends Delivery
        ? ObservedDelivery
        : T extends string | number | boolean | Date | null | undefined
          ? T
          : T extends readonly (infer Item)[]
            ? readonly Observed<Item>[]
            : { readonly [Key in keyof T]: Observed<T[Key]> }

/** @param used receives the id of each exchange that the judge reads. */
export const observe = <T>(record: T, used: UsedExchanges): Observed<T> =>
  observeValue(record, used) as Observed<T>

const observeValue = (value: unknown, used: UsedExchanges): unknown => {
  if (isExchange(value)) return new ObservedExchange(value, used)
  if (isRedirectResult(value)) return new ObservedRedirect(value, used)
  if (isWalk(value)) return new ObservedWalk(value, used)
  if (isDelivery(value)) return new ObservedDelivery(value, used)
  if (Array.isArray(value)) return value.map((item) => observeValue(item, used))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, observeValue(member, used)]))
}
