import type { Effect } from './effect.ts'

/**
 * Who sent a request: a scenario, the customer's browser, a lever of the target, the probe before a run, or the target
 * itself, which calls the application's webhook.
 */
export type Sender = 'scenario' | 'customer' | 'lever' | 'probe' | 'target'

/** Header fields in the order and the case in which they stood on the wire; a repeated field stands twice. */
export type HeaderFields = readonly (readonly [name: string, value: string])[]

/** A body as text; of a body above the limit only the head is kept, with the hash and the size of the whole. */
export interface Body {
  readonly text: string
  readonly bytes: number
  /** SHA-256 of the whole body (hex), present when `text` is only its head. */
  readonly sha256?: string
}

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderFields
  readonly body?: Body
}

export interface ReceivedResponse {
  readonly status: number
  readonly headers: HeaderFields
  readonly body: Body
}

/** Why no whole response came. `cause` is the system's own code, for example ECONNRESET. */
export interface Fault {
  readonly kind: 'unresolved' | 'refused' | 'tls' | 'timeout' | 'reset' | 'protocol' | 'too-large'
  readonly cause: string
  readonly message: string
  /** The status that had come before the rest did not. */
  readonly status?: number
}

/**
 * What a person brought back from a link that they opened in a browser of their own, where nobody sees what the bank
 * answers. `listener`: the redirect came to this machine. `address`: they gave the address of the page at the end.
 * `code`: the code alone. `nobody`: they left it out.
 */
export interface Handover {
  readonly by: 'listener' | 'address' | 'code' | 'nobody'
  readonly address?: string
  readonly code?: string
}

/** One recorded request with its response, with the fault that came instead, or with what a person made of it. */
export interface Exchange {
  readonly kind: 'exchange'
  /** `<scenario>/<n>`, the same in every run of the same plan; `<scenario>/w<n>` for a webhook call of the target. */
  readonly id: string
  readonly sender: Sender
  /** The operation in the profile's words: createConsent, token, listAccounts … */
  readonly operation: string
  readonly effect: Effect
  /** Where the answer shows that the request was granted: paths of the profile, of which one is enough. */
  readonly fruit?: readonly string[]
  readonly request: SentRequest
  readonly response?: ReceivedResponse
  readonly fault?: Fault
  /** Of a request that a person has sent. */
  readonly handover?: Handover
  /** The time of the target's clock when the request was sent, or received from the target, ISO 8601. */
  readonly sentAt: string
  /** The wall time between the first byte sent and the last byte received, in ms. */
  readonly durationMs: number
}

/** The value of the first header field of that name, whatever its case. */
export const headerOf = (headers: HeaderFields, name: string): string | undefined =>
  headers.find(([field]) => field.toLowerCase() === name.toLowerCase())?.[1]
