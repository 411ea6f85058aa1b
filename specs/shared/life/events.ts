import type { Delivery, Exchange } from '../../../harness/check/index.ts'
import type { Application, Walk } from '../../../harness/session/index.ts'

/** What has happened in a sequence of acts, and what was answered. */

/** A call with an access token. Grants, and the tokens of one grant, are counted from 0. */
interface Called {
  readonly does: 'list' | 'read' | 'page'
  readonly grant: number
  readonly token: number
  readonly exchange: Exchange
  /** How many listed accounts the customer does not share; undefined where the profile knows none of these. */
  readonly foreign: number | undefined
}

/** One account, and what its pages had. */
interface Walked {
  readonly does: 'walk'
  readonly account: string
  /** Whose account it is. */
  readonly customer: string
  readonly walk: Walk
}

/** A refresh after a booking at another bank. */
interface Refreshed {
  readonly does: 'refreshElsewhere'
  readonly account: string
  readonly grant: number
  readonly exchange: Exchange
  /** The pages of the account before the booking, and at the end of the time in which they must show it. */
  readonly walks?: { readonly earlier: Walk; readonly later: Walk }
  readonly heard?: Heard
  /** Its taskId; empty where it has none. */
  readonly task: string
}

/** The calls to the end of the time in which they come; where webhooks are listened to. */
interface Heard {
  readonly calls: readonly Delivery[]
  readonly within: number
  readonly isReached: boolean
}

interface Booked {
  readonly does: 'book'
  readonly account: string
  readonly customer: string
  readonly amount: number
  readonly isOwn: boolean
  /** How long it may take until it is shown, in ms; absent where that is not known. */
  readonly currentMs?: number
  /** The grants whose tokens have listed the account. */
  readonly listedBy: readonly number[]
  /** The grant whose token has just opened the account. */
  readonly openedBy?: number
  readonly booking: Exchange
  /** The detail and the pages before it, and after it, where a token opens the account. */
  readonly shown?: {
    readonly before: Exchange
    readonly after: Exchange
    readonly walks: { readonly earlier: Walk; readonly later: Walk }
  }
  readonly heard?: Heard
}

export type Event =
  | Called
  | Walked
  | Booked
  | {
      readonly does: 'authorize'
      readonly app: string
      readonly kind: Application['kind']
      readonly customer: string
      readonly consentId?: string
      /** The code exchange; absent where no code was given. */
      readonly exchange?: Exchange
    }
  | {
      readonly does: 'renew'
      readonly grant: number
      readonly exchange: Exchange
      /** Whether it gave an access token that differs from the one before. */
      readonly isNew: boolean
    }
  | { readonly does: 'revoke' | 'endConsent'; readonly grant: number; readonly at: Date }
  | Refreshed
  | { readonly does: 'pass'; readonly ms: number }
  | {
      readonly does: 'setWebhooks'
      readonly enabled: boolean
      /** The next full hour. */
      readonly nextHour: number
      readonly apps: readonly { readonly name: string; readonly securityHeader: string }[]
      readonly calls: readonly Delivery[]
    }
