import { systemCodeOf } from './errors.ts'
/**
 * Who sent a request: a scenario, the customer's browser, a test hook, the probe before a run, or the target, which
 * calls the webhook.
 */
export type Sender = 'scenario' | 'customer' | 'testHook' | 'probe' | 'target'

/** Header fields in their original order and case; a repeated field appears twice. */
export type HeaderFields = readonly (readonly [name: string, value: string])[]

/** A body as text. In a large one long texts are abbreviated, or only its head is kept, with the hash and the size of the whole. */
export interface Body {
  readonly text: string
  readonly bytes: number
  /** SHA-256 of the whole body (hex), present when `text` is only its head. */
  readonly sha256?: string
  /** SHA-256 of the whole body (hex), present when long texts in `text` are abbreviated. */
  readonly shortenedFrom?: string
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
 * the redirect. `address`: they entered the address of the last page. `code`: they entered only the code. `skipped`:
 * they skipped it.
 */
export interface Handover {
  readonly by: 'listener' | 'address' | 'code' | 'skipped'
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
  /** Who gave the access token of the request, counted from 0 in the order of the names in the profile; left out if not known. */
  readonly customer?: number
  /** The environment that it was meant for, if the scenario named one. */
  readonly environment?: string
  /** Paths of the answer, one of which has a value if the request was accepted. */
  readonly successFields?: readonly string[]
  /**
   * The path of the list in the answer, where the customer is known to have no account: an empty one is no refusal then,
   * and no proof of an acceptance.
   */
  readonly emptyList?: string
  /** Its Basic header has form-encoded credentials, since the target refused them as they are. */
  readonly formEncoded?: true
  /** Values of the answer that may be in a header, by their places in its JSON. */
  readonly inHeaders?: Readonly<Record<string, { readonly header: string; readonly pattern: string }>>
  /** The further pages of the list at this path: its JSON is read with their items. */
  readonly continued?: { readonly list: string; readonly pages: readonly Exchange[] }
  readonly request: SentRequest
  readonly response?: ReceivedResponse
  readonly fault?: Fault
  /** How the bank refuses, as the profile says: in JSON, or with pages. */
  readonly refusals?: 'json' | 'page'
  /**
   * How often the request was sent, where each answer was a server error or a page and an accepted request followed
   * each: then this is the target's answer, and neither an outage nor that of an intermediary.
   */
  readonly timesRepeated?: number
  /**
   * How often a request with an effect was sent, where each answer was a server error. No request followed each: this is
   * the target's answer only if the requests before and after are accepted.
   */
  readonly timesSent?: number
  /** The id of the exchange in which the same request was accepted, sent again after a refusal. */
  readonly acceptedAs?: string
  /** Other requests of its scenario were sent while it was answered. */
  readonly concurrent?: true
  /** For a request that a person sent. */
  readonly handover?: Handover
  /** The time of the target's clock when the request was sent, or received from the target, ISO 8601. */
  readonly sentAt: string
  /** The wall time between the first byte sent and the last byte received, in ms. */
  readonly durationMs: number
}

/** The beginning of the id of an exchange: one execution of a scenario, or of a value of a property. */
export const attemptOf = ({ id }: Pick<Exchange, 'id'>): string => id.slice(0, id.lastIndexOf('/'))

/** The id in the plan of the scenario that an exchange belongs to; values of a property and repetitions after a resume are numbered. */
export const scenarioOf = (exchange: Pick<Exchange, 'id'>): string =>
  attemptOf(exchange).replace(/(\.\d+)?(~\d+)?$/, '')

/** The value of the first header field of that name, whatever its case. */
export const headerOf = (headers: HeaderFields, name: string): string | undefined =>
  headers.find(([field]) => field.toLowerCase() === name.toLowerCase())?.[1]

const WORDS: Readonly<Record<Handover['by'], string>> = {
  listener: 'a person, whose browser was sent here',
  address: 'a person, who gave the address at the end',
  code: 'a person, who gave the code at the end',
  skipped: 'left out by the person who was asked',
}

/** How a request was sent that this program did not send. */
export const renderHandover = ({ by }: Handover): string => WORDS[by]

/**
 * What a request does to the world. `read` changes nothing, `consent` creates consents, grants and tokens, `notify`
 * asks for notifications, `apply` files a loan application, `pay` moves money.
 */
export const EFFECTS = ['read', 'consent', 'notify', 'apply', 'pay'] as const

export type Effect = (typeof EFFECTS)[number]

export interface OperationFacts {
  /** What it does to the world. A request names its operation, from which its effect follows. */
  readonly effect: Effect
  /** `json`: a successful answer is documented to carry data, which is JSON. `none`: no body is documented, and no page is an answer. */
  readonly answer?: 'json' | 'none'
  /** Whether it may be sent again after a server error although its method is not safe: it reads, or a second one does no harm. */
  readonly repeatable?: true
}

export const OPERATIONS = {
  createConsent: { effect: 'consent', answer: 'json', repeatable: true },
  deleteConsent: { effect: 'consent', answer: 'none', repeatable: true },
  authorize: { effect: 'consent' },
  token: { effect: 'consent', answer: 'json', repeatable: true },
  listAccounts: { effect: 'read', answer: 'json' },
  readAccount: { effect: 'read', answer: 'json', repeatable: true },
  listTransactions: { effect: 'read', answer: 'json', repeatable: true },
  refresh: { effect: 'notify', answer: 'json', repeatable: true },
  initiatePayment: { effect: 'pay', answer: 'json' },
  readPayment: { effect: 'read', answer: 'json' },
  authorizePayment: { effect: 'pay' },
  submitPayment: { effect: 'pay', answer: 'json' },
  loanToken: { effect: 'read', answer: 'json' },
  precalculateLoan: { effect: 'read', answer: 'json', repeatable: true },
  applyForLoan: { effect: 'apply', answer: 'json' },
  selectLoanScenario: { effect: 'apply' },
  readLoan: { effect: 'read', answer: 'json' },
  cancelLoan: { effect: 'apply', answer: 'none' },
  testHook: { effect: 'read' },
  configureWebhook: { effect: 'notify' },
  probe: { effect: 'read' },
} as const satisfies Readonly<Record<string, OperationFacts>>

/** Undefined for what is no operation of a request, such as a webhook. */
export const factsOfOperation = (operation: string): OperationFacts | undefined =>
  Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation as Operation] : undefined

export type Operation = keyof typeof OPERATIONS

/** An operation of an exchange: the target calls the webhook. */
export type SeenOperation = Operation | 'webhook'

/** Why a request got no complete response, in words of the network and not of the library. */

const ENDINGS = {
  DEADLINE: 'no whole answer came before the deadline of one request',
  UNCONNECTED: 'no connection came about before the deadline of one request',
  RUN_ENDED: 'the run ended before the answer was whole',
  RUN_KILLED: 'the run was killed before the answer was whole',
  TOO_LARGE: 'the answer is larger than can be read',
} as const

/** A request that this program ended, and why. */
export class Ended extends Error {
  override readonly name = 'Ended'
  readonly code: keyof typeof ENDINGS
  constructor(code: keyof typeof ENDINGS) {
    super(ENDINGS[code])
    this.code = code
  }
}

const kinds: readonly (readonly [RegExp, Fault['kind'], string])[] = [
  [/^DEADLINE$/, 'timeout', ENDINGS.DEADLINE],
  [/^UNCONNECTED$/, 'timeout', ENDINGS.UNCONNECTED],
  [/^RUN_ENDED$/, 'timeout', ENDINGS.RUN_ENDED],
  [/^RUN_KILLED$/, 'timeout', ENDINGS.RUN_KILLED],
  [/^(ENOTFOUND|EAI_)/, 'unresolved', 'the host name cannot be resolved'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/, 'refused', 'nothing listens there'],
  [
    /^(EMFILE|ENFILE|ENOBUFS|EADDRNOTAVAIL|EACCES|EPERM)$/,
    'refused',
    'this machine opens no further connection',
  ],
  [/^Z_|BROTLI|^ERR__ERROR_FORMAT/, 'protocol', 'the coding of the answer cannot be undone'],
  [/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_|EPROTO|ALTNAME/, 'tls', 'the TLS connection was not made'],
  [/TIMEOUT|ETIMEDOUT|ABORT/, 'timeout', ENDINGS.DEADLINE],
  [/TOO_LARGE|EXCEEDED|OVERFLOW/, 'too-large', ENDINGS.TOO_LARGE],
  [
    /ECONNRESET|EPIPE|SOCKET|DESTROYED|CLOSED/,
    'reset',
    'the connection was closed before the answer was whole',
  ],
]

/** Whether it was answered with a status of success. */
export const isSuccess = ({ response }: Pick<Exchange, 'response'>): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300

const codeOf = (error: Error): string => systemCodeOf(error) ?? error.name

const rootOf = (error: Error): Error => {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return rootOf(error.errors[0])
  return error.cause instanceof Error ? rootOf(error.cause) : error
}

const OURS =
  /^(UND_ERR_(INVALID_ARG|INVALID_RETURN_VALUE|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)|ERR_INVALID_)/

/** Whether the request could not be sent at all because of an error of this program. */
export const isOurs = (error: Error): boolean => {
  const root = rootOf(error)
  return OURS.test(codeOf(root)) || (root instanceof TypeError && !('code' in root))
}

export const faultOf = (error: Error): Fault => {
  const root = rootOf(error)
  const cause = codeOf(root)
  const known = kinds.find(([pattern]) => pattern.test(cause))
  return known === undefined
    ? { kind: 'protocol', cause, message: `the answer is not HTTP as it should be: ${root.message}` }
    : { kind: known[1], cause, message: known[2] }
}

/** The fault as text for the reason of a verdict. */
export const renderFault = ({ message, cause, status }: Fault): string =>
  `${message} (${cause}${status === undefined ? '' : `, after the status ${status}`})`
