import { anywhere, jsonOf, responseOf } from '../../evidence/record/answer.ts'
import { NotReached } from '../../evidence/signals.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ReasonCode } from '../../profile/schema/payments.ts'

/** What is reported if a bank does not accept an order that the profile calls valid: its reason, and where to look. */

const PARTIES = ['payments.debtor', 'payments.creditor'] as const
const BODY = ['payments.initiations'] as const

const KEYS: Readonly<Record<ReasonCode, readonly string[]>> = {
  AC01: PARTIES,
  AC04: PARTIES,
  AG01: PARTIES,
  AM03: ['payments.currency'],
  AM04: ['payments.debtor', 'payments.amount'],
  AM05: BODY,
  AM09: BODY,
  AM10: BODY,
  DT01: [...BODY, 'payments.hours'],
  MS03: PARTIES,
  RC01: BODY,
  RR03: ['payments.creditor', ...BODY],
  TM01: ['payments.hours'],
}

const isReasonCode = (code: unknown): code is ReasonCode => typeof code === 'string' && code in KEYS

/** What a bank answered instead of an acceptance. */
export interface Rejection {
  readonly id: string
  readonly status: unknown
  /** The reasonCode and the additionalInformation, if a payment was created and rejected. */
  readonly reasonCode?: unknown
  readonly additionalInformation?: unknown
}

const shown = (code: unknown): string => (typeof code === 'string' ? code : JSON.stringify(code))

const quoted = (text: unknown): string =>
  typeof text === 'string' && text !== '' ? ` (${JSON.stringify(text)})` : ''

/** `payments/…/2 rejected … with AG01 ("not from this account")`. @param what was rejected, as a noun. */
export const describeRejection = (
  { id, status, reasonCode, additionalInformation }: Rejection,
  what: string,
): string =>
  reasonCode === undefined
    ? `${id} refused ${what} (HTTP status ${String(status)})`
    : `${id} rejected ${what} with ${shown(reasonCode)}${quoted(additionalInformation)}`

/** Further keys of the profile on which an order depends. */
interface OrderKeys {
  /** The one that says how the order differs from an ordinary one. */
  readonly key?: string | undefined
  /** Those that authenticate its request. */
  readonly authenticating?: readonly string[]
}

/** Why nothing can be judged after a valid order was not accepted, with the keys of the profile to look at. */
export const explainRejection = (
  rejection: Rejection,
  { key, authenticating = [] }: OrderKeys = {},
): string => {
  const { reasonCode, status } = rejection
  const isUnauthenticated = status === 401
  const keys = [
    ...(key === undefined ? [] : [key]),
    ...(isReasonCode(reasonCode)
      ? KEYS[reasonCode]
      : [
          ...(isUnauthenticated ? [] : ['payments.initiations']),
          'payments.authentication',
          ...authenticating,
        ]),
  ]
  if (key !== undefined)
    return `${describeRejection(rejection, `the order of ${key}`)}: look at ${keys.join(' and ')}`
  return `${describeRejection(rejection, 'the valid order of the profile')}: look at ${keys.join(' and ')}`
}

/** Judges nothing: a scenario stops here if the order that its later steps need was not accepted. @throws NotReached */
export const requireAccepted = (initiation: Exchange, keys?: OrderKeys): void => {
  const { status } = responseOf(initiation)
  const json = jsonOf(initiation)
  const [orderId] = anywhere(json, 'orderId')
  const [reasonCode = 'no reason code'] = anywhere(json, 'reasonCode')
  const [additionalInformation] = anywhere(json, 'additionalInformation')
  const { id } = initiation
  if (anywhere(json, 'status').includes('RJCT'))
    throw new NotReached(explainRejection({ id, status, reasonCode, additionalInformation }, keys))
  // A server error and 429 are no answer to the order: the next step, which needs its orderId, reports them.
  if (orderId === undefined && status >= 400 && status < 500 && status !== 429)
    throw new NotReached(explainRejection({ id, status }, keys))
}
