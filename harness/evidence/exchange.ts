import type { Effect } from './effect.ts'

/**
 * Who sent a request: a scenario, the customer's browser, a test hook, the probe before a run, or the target, which
 * calls the webhook.
 */
export type Sender = 'scenario' | 'customer' | 'testHook' | 'probe' | 'target'

/** Header fields in their original order and case; a repeated field appears twice. */
export type HeaderFields = readonly (readonly [name: string, value: string])[]

/** A body as text. If it is too large, only its head is kept, with the hash and the size of the whole. */
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

/** Why there is no complete response. `cause` is the code of the system, such as ECONNRESET. */
export interface Fault {
  readonly kind: 'unresolved' | 'refused' | 'tls' | 'timeout' | 'reset' | 'protocol' | 'too-large'
  readonly cause: string
  readonly message: string
  /** The status, if it had arrived before the fault. */
  readonly status?: number
}

/**
 * What a person brought back from a link that they opened in their own browser. `listener`: this machine received
 * the redirect. `address`: they entered the address of the last page. `code`: they entered only the code. `nobody`:
 * they skipped it.
 */
export interface Handover {
  readonly by: 'listener' | 'address' | 'code' | 'nobody'
  readonly address?: string
  readonly code?: string
}

/** One recorded request with its response, its fault, or what a person brought back. */
export interface Exchange {
  readonly kind: 'exchange'
  /** `<scenario>/<n>`, the same in every run of the same plan; `<scenario>/w<n>` for a webhook call of the target. */
  readonly id: string
  readonly sender: Sender
  /** The operation in the profile's words: createConsent, token, listAccounts … */
  readonly operation: string
  readonly effect: Effect
  /** Paths of the answer, one of which has a value if the request was accepted. */
  readonly successFields?: readonly string[]
  readonly request: SentRequest
  readonly response?: ReceivedResponse
  readonly fault?: Fault
  /** For a request that a person sent. */
  readonly handover?: Handover
  /** The time of the target's clock when the request was sent, or received from the target, ISO 8601. */
  readonly sentAt: string
  /** The wall time between the first byte sent and the last byte received, in ms. */
  readonly durationMs: number
}

/** The value of the first header field of that name, whatever its case. */
export const headerOf = (headers: HeaderFields, name: string): string | undefined =>
  headers.find(([field]) => field.toLowerCase() === name.toLowerCase())?.[1]

const WORDS: Readonly<Record<Handover['by'], string>> = {
  listener: 'a person, whose browser was sent here',
  address: 'a person, who gave the address at the end',
  code: 'a person, who gave the code at the end',
  nobody: 'left out by the person who was asked',
}

/** How a request was sent that this program did not send. */
export const renderHandover = ({ by }: Handover): string => WORDS[by]
