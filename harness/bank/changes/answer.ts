/**
 * Changes of the bank's HTTP messages: what it reads wrongly before a rule is asked, and what it answers wrongly after.
 * A change belongs into a rule wherever there is one for it (`alter.ts`).
 */
import { counter, type Change } from './change.ts'
import type { Wire } from '../defect.ts'

/** The operations of the bank. Base paths are before these paths. */
const OPERATIONS = {
  createConsent: ['POST', /\/v1\/consents$/],
  authorize: ['GET', /^\/premium\/.*\/authorize$/],
  login: [undefined, /\/login-sessions\//],
  token: ['POST', /^\/premium\/.*\/token$/],
  listAccounts: ['GET', /\/v1\/accounts$/],
  readAccount: [undefined, /\/v1\/accounts\/(?:(?!information$)[^/]+|information)$/],
  listTransactions: [undefined, /\/v1\/accounts\/(?:[^/]+\/)?transactions$/],
  refresh: ['PUT', /\/refresh$/],
  settings: [undefined, /\/application(?:\/usage)?$/],
  paymentAuthorization: ['GET', /^(?:\/sandbox)?\/auth\/oauth\/v2\/authorize$/],
  paymentToken: ['POST', /^(?:\/sandbox)?\/auth\/oauth\/v2\/token$/],
  initiatePayment: ['POST', /\/payments\/(?!submission$).+$/],
  submitPayment: ['POST', /\/payments\/submission$/],
  paymentStatus: ['GET', /\/payments\/[^/]+\/status$/],
  loanToken: ['POST', /^\/paylater\/.*\/token$/],
  precalculate: ['PUT', /\/precalculation$/],
  submitLoan: ['POST', /\/v1\/applications$/],
  loanScenario: [undefined, /\/(?:process\/.*|scenario)$/],
  loanStatus: ['GET', /^\/paylater\/.*\/status$/],
  cancelLoan: ['DELETE', /\/v1\/applications\/[^/]+$/],
} as const satisfies Record<string, readonly [string | undefined, RegExp]>

export type Operation = keyof typeof OPERATIONS

const NAMES = Object.keys(OPERATIONS) as Operation[]

export const pathOf = ({ url }: Pick<Request, 'url'>): string => new URL(url).pathname

/** In a composed bank fifty changes read the same message: what is the same for all of them is read once. */
const once = <Message extends object, Value>(
  read: (message: Message) => Value,
  known = new WeakMap<Message, Value>(),
): ((message: Message) => Value) => {
  return (message) => {
    if (!known.has(message)) known.set(message, read(message))
    return known.get(message) as Value
  }
}

const texts = new WeakMap<Request | Response, Promise<string>>()
const textOf = once((message) => message.clone().text(), texts)

/** The message, whose text need not be read from it: a copy of its stream takes long. */
const withText = <Message extends Request | Response>(message: Message, text: string): Message => {
  texts.set(message, Promise.resolve(text))
  return message
}

const operationsOf = once((request: Request): readonly Operation[] => {
  const path = pathOf(request)
  return NAMES.filter((name) => {
    const [method, pattern] = OPERATIONS[name]
    return (method === undefined || method === request.method) && pattern.test(path)
  })
})

/** The requests that a change is about. */
export type Messages = Operation | readonly Operation[] | ((request: Request) => boolean)

/** Requests with this method, or any, to the paths of this form. */
export const on =
  (method: string | undefined, path: RegExp): ((request: Request) => boolean) =>
  (request) =>
    (method === undefined || request.method === method) && path.test(pathOf(request))

const matcherOf = (messages: Messages): ((request: Request) => boolean) => {
  if (typeof messages === 'function') return messages
  const operations = typeof messages === 'string' ? [messages] : messages
  return (request) => operationsOf(request).some((operation) => operations.includes(operation))
}

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>

/** The members of a value that is an object, and no members of any other. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** The members of a text that is a JSON object; undefined for any other text. */
export const parsedMembers = (text: string): Members | undefined => {
  // Most texts are pages and forms, and an error takes long to create.
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text) as Members
  } catch {
    return undefined
  }
}

export const without = <Value>(
  members: Readonly<Record<string, Value>>,
  ...names: readonly string[]
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))

/** A request as the bank is about to read it. What `read` changes in it, the bank reads changed. */
export interface Incoming {
  method: string
  readonly operation: Operation | undefined
  readonly url: URL
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Another body than the one that was sent. A change of `form` replaces it. */
  body: string
  readonly form: URLSearchParams
  /** The members of a body that is a JSON object. */
  readonly members: Members
  /** Another request that the change is about was under way when this one came. */
  readonly isConcurrent: boolean
}

const incomingOf = async (request: Request, isConcurrent: boolean): Promise<Incoming> => {
  const url = new URL(request.url)
  const body = await textOf(request)
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  return {
    method: request.method,
    operation: operationsOf(request)[0],
    url,
    query: url.searchParams,
    headers,
    body,
    form: new URLSearchParams(body),
    members: parsedMembers(body) ?? {},
    isConcurrent,
  }
}

const requestOf = ({ method, url, headers, body, form }: Incoming, formBefore: string): Request => {
  const sent = form.toString() === formBefore ? body : form.toString()
  const hasBody = sent !== '' && method !== 'GET' && method !== 'HEAD'
  return withText(new Request(url, { method, headers, ...(hasBody && { body: sent }) }), hasBody ? sent : '')
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The members of a body that is a JSON object, and none for any other body. */
  readonly members: Members
}

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await textOf(response)
  return {
    status: response.status,
    headers: new Headers(response.headers),
    text,
    members: parsedMembers(text) ?? {},
  }
}

/** What is sent in the place of parts of an answer. */
export interface Difference {
  readonly status?: number
  /** Headers to set; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly text?: string | Uint8Array<ArrayBuffer>
  /** The JSON value that is sent as the body. */
  readonly json?: unknown
}

const HAVE_NO_BODY: readonly number[] = [204, 205, 304]

const changedResponse = ({ status, headers, text }: Answer, change: Difference): Response => {
  const body = 'json' in change ? JSON.stringify(change.json) : (change.text ?? text)
  const sent = change.status ?? status
  for (const [name, value] of Object.entries(change.headers ?? {}))
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  headers.delete('content-length')
  const bodyless = HAVE_NO_BODY.includes(sent) || body === ''
  const response = new Response(bodyless ? null : body, { status: sent, headers })
  return typeof body === 'string' ? withText(response, bodyless ? '' : body) : response
}

/** An earlier exchange, as the bank read and sent it. */
export interface Exchanged {
  readonly asked: Incoming
  readonly answer: Answer
}

/** What has happened before in this bank. */
export interface MessagePast {
  /** The number of this message, from 1, among those that the change is about and that meet its conditions. */
  readonly calls: number
  /** The earlier exchanges that the change is about, and those of the operations that it remembers, in their order. */
  readonly earlier: readonly Exchanged[]
}

/**
 * Serves one of the messages that a change is about; `exchange` has the bank answer it.
 * @param count counts the message, and returns its past; undefined if the change does not apply to it.
 */
type Serve = (
  asked: Incoming,
  exchange: (changed?: Request) => Promise<Response>,
  count: () => MessagePast | undefined,
) => Promise<Response>

/** A bank whose messages are served in another way. */
const served =
  (messages: Messages, remembered: readonly Operation[], serve: Serve): Change<Incoming> =>
  (conditions) => ({
    wire: (next) => {
      const [isMeant, isRemembered] = [matcherOf(messages), matcherOf(remembered)]
      const numberOf = counter(conditions)
      const earlier: Exchanged[] = []
      let underWay = 0
      return async (request) => {
        const isTheirs = isMeant(request)
        if (!isTheirs && !isRemembered(request)) return next(request)
        underWay += 1
        const asked = await incomingOf(request, underWay > 1)
        const count = (): MessagePast | undefined => {
          const calls = numberOf(asked)
          return calls === undefined ? undefined : { calls, earlier }
        }
        const response = await (
          isTheirs ? serve(asked, (changed) => next(changed ?? request), count) : next(request)
        ).finally(() => (underWay -= 1))
        earlier.push({ asked, answer: await answerOf(response) })
        return response
      }
    },
  })

type Reword = (answer: Answer, asked: Incoming, past: MessagePast) => Difference | undefined

const reworded =
  (isMeant: (answer: Answer) => boolean) =>
  (messages: Messages, change: Difference | Reword, ...remembered: readonly Operation[]): Change<Incoming> =>
    served(messages, remembered, async (asked, exchange, count) => {
      const response = await exchange()
      const sent = await answerOf(response)
      const past = isMeant(sent) ? count() : undefined
      if (past === undefined) return response
      const difference = typeof change === 'function' ? change(sent, asked, past) : change
      return difference === undefined ? response : changedResponse(sent, difference)
    })

/** Other answers to requests that the bank fulfils, redirects included. */
export const answer = reworded(({ status }) => status < 400)

/** Other answers to requests that the bank refuses. */
export const refusal = reworded(({ status }) => status >= 400)

/** A header of the answers; undefined removes it. */
export const header = (messages: Messages, name: string, value: string | undefined): Change<Incoming> =>
  answer(messages, { headers: { [name]: value } })

/** A status of the answers. */
export const status = (messages: Messages, code: number): Change<Incoming> =>
  answer(messages, { status: code })

/** Another JSON body, made of the members of the conforming one. */
export const body = (
  messages: Messages,
  change: (members: Members, asked: Incoming, past: MessagePast) => unknown,
  ...remembered: readonly Operation[]
): Change<Incoming> =>
  answer(messages, (sent, asked, past) => ({ json: change(sent.members, asked, past) }), ...remembered)

/** Another value of a member, or none for undefined. */
export const field = (messages: Messages, name: string, value: unknown): Change<Incoming> =>
  body(messages, (members) => ({ ...members, [name]: value }))

/** Another reading of requests: what is changed in them, the bank reads changed. */
export const read = (
  messages: Messages,
  change: (asked: Incoming, past: MessagePast) => void,
  ...remembered: readonly Operation[]
): Change<Incoming> =>
  served(messages, remembered, (asked, exchange, count) => {
    const past = count()
    if (past === undefined) return exchange()
    const formBefore = asked.form.toString()
    change(asked, past)
    return exchange(requestOf(asked, formBefore))
  })

/** Answers in the place of the bank; where there is none, the bank answers. */
export const reply = (
  messages: Messages,
  answered: (asked: Incoming, past: MessagePast) => Response | undefined,
  ...remembered: readonly Operation[]
): Change<Incoming> =>
  served(messages, remembered, async (asked, exchange, count) => {
    const past = count()
    return (past && answered(asked, past)) ?? exchange()
  })

/** An answer of the bank's own. */
export const jsonAnswer = (
  code: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json(value, { status: code, headers })

/** A wire of its own, for the few that no other word expresses. */
export const replaceWire =
  (wire: Wire, where: Messages = () => true): Change<Incoming> =>
  (conditions) => ({
    wire: (next) => {
      const changed = wire(next)
      const [isMeant, numberOf] = [matcherOf(where), counter(conditions)]
      return async (request) =>
        isMeant(request) && numberOf(await incomingOf(request, false)) !== undefined
          ? changed(request)
          : next(request)
    },
  })

/** Other answers to requests of any kind, pages and refusals included. The earlier ones are not remembered. */
export const rewrite = (
  change: (sent: Answer, request: Request) => Difference | undefined,
): Change<Incoming> =>
  replaceWire((next) => async (request) => {
    const response = await next(request)
    const sent = await answerOf(response)
    const difference = change(sent, request)
    return difference === undefined ? response : changedResponse(sent, difference)
  })

/** Another reading of requests of any kind. The earlier ones are not remembered. */
export const reread = (change: (asked: Incoming, request: Request) => void): Change<Incoming> =>
  replaceWire((next) => async (request) => {
    const asked = await incomingOf(request, false)
    const formBefore = asked.form.toString()
    change(asked, request)
    return next(requestOf(asked, formBefore))
  })
