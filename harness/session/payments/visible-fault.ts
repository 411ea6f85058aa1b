import { DateTime } from 'luxon'
import { isIban } from '../invented-values.ts'
import { isObjectOrList } from '../../evidence/json.ts'
import { AMOUNT_FORMS, fill, merge, type Values } from '../../profile/template.ts'
import type { PaymentsProfile, Provocation, ReasonCode } from '../../profile/schema/payments.ts'

/**
 * Recognizes orders that are wrong by the content of the request. That an account is closed, or that funds are missing, is
 * known only from the profile, which may be wrong.
 */

/** A path in the body of a method, with the placeholder of the profile, its value, and the value in the changed order. */
interface Place {
  /** The placeholder, such as `creditorIban`. */
  readonly placeholder: string
  readonly valid: unknown
  readonly sent: unknown
}

const placesIn = (template: unknown, changed: unknown, values: Values): readonly Place[] => {
  if (isObjectOrList(template))
    return Object.entries(template).flatMap(([key, inner]) =>
      placesIn(inner, isObjectOrList(changed) ? changed[key] : undefined, values),
    )
  const placeholder = typeof template === 'string' ? /^\{(\w+)\}$/.exec(template)?.[1] : undefined
  return placeholder === undefined
    ? []
    : [{ placeholder, valid: fill(template, values), sent: fill(changed, values) }]
}

/** An amount may be changed to the same in another form. */
const isChanged = ({ placeholder, valid, sent }: Place): boolean =>
  AMOUNT_FORMS.some((amount) => amount === placeholder) ? Number(sent) !== Number(valid) : sent !== valid

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
    // An order without a date may be one for today.
    if (typeof sent !== 'string') return false
    const date = DateTime.fromISO(sent, { zone: 'utc' })
    return !date.isValid || date.toMillis() + 2 * DAY_MS < now.getTime()
  }

/** Whether the valid order carries its amount in several places, and the changed one another amount in some of them. */
const disagree = (places: readonly Place[]): boolean => {
  const amounts = places.filter(isOf(...AMOUNT_FORMS))
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

/** When an order is sent, and what stands in the place of its placeholders then. */
interface Moment {
  readonly now: Date
  readonly values: Values
}

/** Whether an order that is to be rejected with this code is wrong, independent of the data of the bank. */
export const hasVisibleFault = (
  { initiations }: Pick<PaymentsProfile, 'initiations'>,
  code: ReasonCode,
  order: Provocation,
  { now, values }: Moment,
): boolean => {
  const method = initiations.find(({ name }) => order.method === undefined || name === order.method)
  const template = method?.body ?? {}
  // Which of its ids make a message the same is not shown: only one that is repeated as it was is the same for certain.
  if (code === 'AM05')
    return (
      order.twice &&
      placesIn(template, template, values).some(isOf('instructionIdentification', 'endToEndIdentification'))
    )
  return isFaulty[code]?.(placesIn(template, merge(template, order.change), values), now) ?? false
}
