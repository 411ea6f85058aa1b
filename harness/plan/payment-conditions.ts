import { REASON_CODES } from '../profile/payments-codes.ts'
import { doomsIn } from '../session/payments-doom.ts'
import type { Need } from '../check/scenario.ts'
import type { Profile } from '../profile/schema.ts'
import type { ReasonCode } from '../profile/payments-codes.ts'

type PaymentNeed = Extract<
  Need,
  | 'payments'
  | `${string}-initiation`
  | 'further-initiation-at-once'
  | `${string}-rejection`
  | 'stranger-application'
  | 'payment-token'
  | 'any-amount'
  | `provoke-${ReasonCode}`
>

/** Which needs of the payment API a profile meets. */
export const paymentConditions = (
  { payments, applications, environment }: Profile,
  canMoveTime: boolean,
): Readonly<Record<PaymentNeed, boolean>> => {
  const isReached = (order: { readonly at?: string | undefined } | undefined): boolean =>
    order !== undefined && (order.at === undefined || canMoveTime)
  const provocations = payments?.provocations ?? {}
  const provoking = Object.fromEntries(
    REASON_CODES.map((code) => [`provoke-${code}`, isReached(provocations[code])]),
  ) as Readonly<Record<`provoke-${ReasonCode}`, boolean>>
  return {
    payments: payments !== undefined,
    'further-initiation': (payments?.initiations ?? []).length > 1,
    'further-initiation-at-once': (payments?.initiations ?? []).slice(1).some(({ future }) => !future),
    'future-initiation': (payments?.initiations ?? []).some(({ future }) => future),
    'stranger-application': applications.length > 1,
    'any-rejection': Object.values(provocations).some(
      (order) => order !== undefined && order.at === undefined,
    ),
    'payment-token': payments?.submission.token === 'granted',
    'submission-rejection': payments !== undefined && doomsIn(payments, canMoveTime).length > 0,
    'any-amount': environment === 'sandbox',
    ...provoking,
  }
}
