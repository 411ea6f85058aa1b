import { isIban } from '../invented-values.ts'
import { merge } from '../../profile/template.ts'
import { isObjectOrList } from '../../evidence/json.ts'
import type { PaymentsProfile, ReasonCode } from '../../profile/schema/payments.ts'

/**
 * Recognizes orders that are wrong by the content of the request. That an account is closed, or that funds are missing, is
 * known only from the profile, which may be wrong.
 */

/** A path in the body of a method, with the placeholder of the profile and the value in the changed order. */
interface Place {
  /** The placeholder, such as `creditorIban`. */
  readonly placeholder: string
  readonly sent: unknown
}

const placesIn = (template: unknown, changed: unknown): readonly Place[] => {
  if (isObjectOrList(template))
    return Object.entries(template).flatMap(([key, inner]) =>
      placesIn(inner, isObjectOrList(changed) ? changed[key] : undefined),
    )
  const placeholder = typeof template === 'string' ? /^\{(\w+)\}$/.exec(template)?.[1] : undefined
  return placeholder === undefined ? [] : [{ placeholder, sent: changed }]
}

const isChanged = ({ placeholder, sent }: Place): boolean => sent !== `{${placeholder}}`
const isOf =
  (...placeholders: readonly string[]) =>
  ({ placeholder }: Place): boolean =>
    placeholders.includes(placeholder)

const isMalformedIban = ({ sent }: Place): boolean => typeof sent === 'string' && !isIban(sent)
const isBlank = ({ sent }: Place): boolean => typeof sent !== 'string' || sent.trim() === ''

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))
const isNoCurrency = ({ sent }: Place): boolean => typeof sent === 'string' && !CURRENCIES.has(sent)

const DAY_MS = 24 * 60 * 60 * 1000

/** Whether a date is in the past in every time zone, or does not exist. */
const isInvalidDate =
  (now: Date) =>
  ({ sent }: Place): boolean => {
    const time = typeof sent === 'string' ? Date.parse(sent) : Number.NaN
    return Number.isNaN(time) || time + 2 * DAY_MS < now.getTime()
  }

const AMOUNTS = ['amount', 'amountText', 'amountMinor', 'amountMinorText'] as const

/** Whether the valid order carries its amount in several places, and the changed one another amount in some of them. */
const disagree = (places: readonly Place[]): boolean => {
  const amounts = places.filter(isOf(...AMOUNTS))
  return amounts.some(isChanged) && !amounts.every(isChanged)
}

const isFaulty: Partial<Record<ReasonCode, (places: readonly Place[], now: Date) => boolean>> = {
  AC01: (places) => places.filter(isOf('debtorIban', 'creditorIban')).filter(isChanged).some(isMalformedIban),
  AM03: (places) => places.filter(isOf('currency')).filter(isChanged).some(isNoCurrency),
  AM10: disagree,
  DT01: (places, now) =>
    places.filter(isOf('date', 'creationDateTime')).filter(isChanged).some(isInvalidDate(now)),
  RR03: (places) => places.filter(isOf('creditorName')).filter(isChanged).some(isBlank),
}

type Provoking = Pick<PaymentsProfile, 'initiations' | 'provocations'>

/** Whether the order of `provocations` for this code is wrong, independent of the data of the bank. */
export const hasVisibleFault = (
  { initiations, provocations }: Provoking,
  code: ReasonCode,
  now: Date,
): boolean => {
  const order = provocations[code]
  if (order === undefined) return false
  const method = initiations.find(({ name }) => order.method === undefined || name === order.method)
  const template = method?.body ?? {}
  if (code === 'AM05')
    return (
      order.twice &&
      placesIn(template, template).some(isOf('instructionIdentification', 'endToEndIdentification'))
    )
  return isFaulty[code]?.(placesIn(template, merge(template, order.change)), now) ?? false
}
