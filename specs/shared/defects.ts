import type { Defect, Exchange, RuleChange, Wire } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

export { meetingFor } from './overlap.ts'

/**
 * The words in which all chapters write their defects.
 *
 * A chapter has hundreds of defects, and most of them differ in one small point: another kind of application, another
 * environment, another variant of the account operations, the second time instead of the first. Written out one by
 * one, what a defect breaks and what it does were repeated from file to file, and each chapter had its own functions
 * for it. So a defect is one entry of a table here (`breaking`), what it does to rules is put together from parts
 * (`where`, `fromTheNth`, `refusals`, `together` …), and what it does to HTTP messages from those of `defect-wires.ts`.
 *
 * All state lives in a function `(lawful) => …` or `(next) => …`, which is called once for each bank.
 */

type RequirementId = { readonly id: string }

/** A defect in a table. Its id is the key of the entry. */
interface DefectEntry extends Omit<Defect, 'id' | 'breaks'> {
  /** What it breaks beside the requirement of its table; those of other chapters by their ids. */
  readonly alsoBreaks?: readonly (RequirementId | string)[]
  /** The id of a second defect: the same one in a bank that is wrong in production only. */
  readonly inProduction?: string
}

/**
 * A table of defects that break the same requirement.
 *
 * The ids are frozen: recorded proofs refer to them.
 */
export const breaking = (
  requirement: RequirementId,
  entries: Readonly<Record<string, DefectEntry>>,
): readonly Defect[] =>
  Object.entries(entries).flatMap(([id, { alsoBreaks = [], inProduction, ...rest }]) => {
    const others = alsoBreaks.map((other) => (typeof other === 'string' ? { id: other } : other))
    const defect: Defect = { id, breaks: [requirement, ...others], ...rest }
    if (inProduction === undefined) return [defect]
    const story = `Wrong in production only: ${defect.story}`
    return [defect, { ...defect, id: inProduction, story, environment: 'production' }]
  })

// ---- Changes of rules

/** What a rule is asked about. */
export type FactsOf<Name extends keyof Rules> = Parameters<Rules[Name]>[0]

/** Replacements of these rules, or a function that makes them for one bank. */
type ChangeOf<Name extends keyof Rules> = Pick<Rules, Name> | ((lawful: Rules) => Pick<Rules, Name>)

type AnyRule = (facts: unknown) => unknown

/** The replacements that a change makes for one bank. */
export const changedRules = (change: RuleChange, lawful: Rules): Partial<Rules> =>
  typeof change === 'function' ? change(lawful) : change

/** Several changes of different rules at once. */
export const together =
  (...changes: readonly RuleChange[]): RuleChange =>
  (lawful) =>
    Object.assign({}, ...changes.map((change) => changedRules(change, lawful))) as Partial<Rules>

/**
 * A bank that is wrong in some cases only: where `applies`, the changed rules hold, and everywhere else the lawful ones.
 *
 * ```ts
 * where(isOfATpp, { accessIsFresh: () => true })
 * ```
 */
export const where =
  <Name extends keyof Rules>(
    applies: (facts: NoInfer<FactsOf<Name>>) => boolean,
    change: ChangeOf<Name>,
  ): RuleChange =>
  (lawful) => {
    const rules = Object.entries(changedRules(change, lawful)).map(([name, rule]) => [
      name,
      // The two rules have one name, and so one type; the type of a table of rules does not say so.
      (facts: FactsOf<Name>) =>
        (applies(facts) ? (rule as AnyRule) : (lawful[name as Name] as AnyRule))(facts),
    ])
    return Object.fromEntries(rules) as Pick<Rules, Name>
  }

/** A bank that answers the first `count - 1` calls of these rules as it should, and is wrong from then on. */
export const fromTheNth =
  <Name extends keyof Rules>(count: number, change: ChangeOf<Name>): RuleChange =>
  (lawful) => {
    let calls = 0
    return changedRules(
      where(() => (calls += 1) >= count, change),
      lawful,
    )
  }

/** A bank that is wrong every `count` calls of these rules. */
export const everyNth =
  <Name extends keyof Rules>(count: number, change: ChangeOf<Name>): RuleChange =>
  (lawful) => {
    let calls = 0
    return changedRules(
      where(() => (calls += 1) % count === 0, change),
      lawful,
    )
  }

// ---- Cases in which a bank is wrong

interface OfAnApplication {
  readonly client?: Pick<FactsOf<'newCode'>['client'], 'kind'>
  readonly grant?: Pick<FactsOf<'accessIsFresh'>['grant'], 'consentId'>
}

/** Whether a request, code or token is that of a TPP. Only a grant to a TPP has a consent. */
export const isOfATpp = ({ client, grant }: OfAnApplication): boolean =>
  client === undefined ? grant?.consentId !== undefined : client.kind === 'TPP'

/** Whether a request, code or token is that of a FAC. */
export const isOfAFac = (facts: OfAnApplication): boolean => !isOfATpp(facts)

type Place = Pick<FactsOf<'accessIsFresh'>, 'endpoint' | 'variant'>

/** Whether a call is for this operation, in any variant or in this one. */
export const isFor =
  (endpoint: Place['endpoint'], variant?: Place['variant']) =>
  (facts: Pick<Place, 'endpoint'> & Partial<Place>): boolean =>
    facts.endpoint === endpoint && (variant === undefined || facts.variant === variant)

// ---- Refusals

type RefusalFacts = FactsOf<'refusalBody'>

/** What is different in the answer to a refused request. */
interface RefusalChange {
  readonly status?: number
  readonly body?: (facts: RefusalFacts) => unknown
  /** Headers in the place of the lawful ones. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Refuses what should be refused, but with another answer. */
export const refusing =
  (
    applies: (facts: Omit<RefusalFacts, 'description'>) => boolean,
    { status, body, headers }: RefusalChange,
  ): RuleChange =>
  (lawful) => ({
    refusalStatus: (facts) => (status !== undefined && applies(facts) ? status : lawful.refusalStatus(facts)),
    refusalBody: (facts) => (body !== undefined && applies(facts) ? body(facts) : lawful.refusalBody(facts)),
    refusalHeaders: (facts) =>
      headers !== undefined && applies(facts) ? headers : lawful.refusalHeaders(facts),
  })

// ---- Tokens that the bank has issued

interface IssuedToken {
  readonly value: string
  readonly clientId: string
  readonly grantId: string
  readonly isOfATpp: boolean
  /** Whether a refresh brought it, and no code. */
  readonly isRenewed: boolean
}

/** The access tokens that a bank has issued, in their order, by their values. */
type IssuedTokens = ReadonlyMap<string | undefined, IssuedToken>

/** A change of rules that needs to know which access tokens the bank has issued. */
export const knowingTokens =
  (change: (issued: IssuedTokens) => RuleChange): RuleChange =>
  (lawful) => {
    const issued = new Map<string | undefined, IssuedToken>()
    const rules = changedRules(change(issued), lawful)
    const newAccessToken = rules.newAccessToken ?? lawful.newAccessToken
    return {
      ...rules,
      newAccessToken: async (facts) => {
        const value = await newAccessToken(facts)
        const { clientId, grantId } = facts.grant
        const isRenewed = facts.grantType === 'refresh_token'
        issued.set(value, { value, clientId, grantId, isOfATpp: isOfATpp(facts), isRenewed })
        return value
      },
    }
  }

/** A change of rules that is about access tokens that a refresh brought, and not about those of a code exchange. */
export const knowingRenewed = (
  change: (isRenewed: (facts: { readonly token: { readonly value: string } }) => boolean) => RuleChange,
): RuleChange => knowingTokens((issued) => change(({ token }) => issued.get(token.value)?.isRenewed === true))

/** Serves such a data call as the last caller who had a token that the bank has issued. */
export const servingTheLastCaller = (
  applies: (facts: FactsOf<'bearerToken'>, isIssued: (value: string | undefined) => boolean) => boolean,
): RuleChange =>
  knowingTokens((issued) => (lawful) => {
    let last: string | undefined
    return {
      bearerToken: (facts) => {
        const value = lawful.bearerToken(facts)
        if (issued.has(value)) last = value
        return applies(facts, (token) => issued.has(token)) ? last : value
      },
    }
  })

// ---- Consents that applications have created

interface CreatedConsent {
  readonly consentId: string
  readonly clientId: string
}

/** A change of rules that needs to know which consents were created, in their order. */
export const knowingConsents =
  (change: (created: readonly CreatedConsent[]) => RuleChange): RuleChange =>
  (lawful) => {
    const created: CreatedConsent[] = []
    return {
      ...changedRules(change(created), lawful),
      newConsentId: (facts) => {
        const consentId = lawful.newConsentId(facts)
        created.push({ consentId, clientId: facts.client.clientId })
        return consentId
      },
    }
  }

// ---- Requests at the same moment

/** Lets other requests that are under way come first. */
export const aMoment = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/**
 * Defects of HTTP messages: what a bank reads wrongly before a rule is asked, and what it answers wrongly after.
 *
 * A defect belongs into a rule wherever there is one for it (`defects.ts`); this is for the rest: the place of a
 * parameter in a form, a header, a member of a JSON answer, an address. Every wire here is made of two functions:
 * which requests it is about (`on`), and what is different about them.
 */

/** Which requests a wire is about. */
type RequestMatcher = (request: Request) => boolean

export const pathOf = ({ url }: Request): string => new URL(url).pathname

/** Requests with this method, or any, to the paths of this form. */
export const on =
  (method: string | undefined, path: RegExp): RequestMatcher =>
  (request) =>
    (method === undefined || request.method === method) && path.test(pathOf(request))

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>

/** The members of a value that is an object, and no members of any other. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** The members of a text that is a JSON object; undefined for any other text. */
export const parsedMembers = (text: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

export const without = (members: Members, ...names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))

/** The token of a Bearer header. */
export const bearerIn = (headers: Headers): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]

/** The two halves of a Basic header; empty strings for any other. The secret may have a colon. */
export const basicIn = (headers: Headers): readonly [clientId: string, secret: string] => {
  const [, encoded = ''] = (headers.get('authorization') ?? '').split(' ')
  const [clientId = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  return [clientId, secret.join(':')]
}

export const basicHeader = (clientId: string, secret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

/** Whether a form or query has the scope of a TPP: only that names a consent, after a colon. */
export const hasScopeOfATpp = (parameters: URLSearchParams): boolean =>
  parameters.get('scope')?.includes(':') === true

/** A request as the bank is about to read it. What is changed in it, it reads changed. */
export interface Incoming {
  method: string
  readonly url: URL
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Another body than the one that was sent. A change of `form` replaces it. */
  body: string
  readonly form: URLSearchParams
}

const incomingOf = async (request: Request): Promise<Incoming> => {
  const url = new URL(request.url)
  const body = await request.clone().text()
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  return {
    method: request.method,
    url,
    query: url.searchParams,
    headers,
    body,
    form: new URLSearchParams(body),
  }
}

const requestOf = ({ method, url, headers, body, form }: Incoming, formBefore: string): Request => {
  const sent = form.toString() === formBefore ? body : form.toString()
  return new Request(url, { method, headers, ...(method !== 'GET' && method !== 'HEAD' && { body: sent }) })
}

/** Changes what the bank reads of a request. */
export const readingRequests =
  (applies: RequestMatcher, change: (incoming: Incoming) => void): Wire =>
  (next) =>
  async (request) => {
    if (!applies(request)) return next(request)
    const incoming = await incomingOf(request)
    const formBefore = incoming.form.toString()
    change(incoming)
    return next(requestOf(incoming, formBefore))
  }

/** A JSON answer of the bank's own. */
export const jsonAnswer = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json(body, { status, headers })

/** Answers a request itself, where `answer` has an answer; any other request goes to the bank. */
export const answering =
  (applies: RequestMatcher, answer: (incoming: Incoming) => Response | undefined): Wire =>
  (next) =>
  async (request) =>
    (applies(request) ? answer(await incomingOf(request)) : undefined) ?? next(request)

/** What was asked, beside an answer. */
export interface Asked extends Incoming {
  /** Another request that the wire is about was under way when this one came. */
  readonly isConcurrent: boolean
}

/** An answer of the bank. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The members of a body that is a JSON object, and none for any other body. */
  readonly members: Members
}

/** What is sent in the place of parts of an answer; `json` in the place of its body. */
export interface Reworded {
  readonly status?: number
  /** Headers to set; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly text?: string
  readonly json?: unknown
}

const HAVE_NO_BODY: readonly number[] = [204, 205, 304]

const reworded = ({ status, headers, text }: Answer, change: Reworded): Response => {
  const body = 'json' in change ? JSON.stringify(change.json) : (change.text ?? text)
  const sent = change.status ?? status
  for (const [name, value] of Object.entries(change.headers ?? {}))
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  headers.delete('content-length')
  return new Response(HAVE_NO_BODY.includes(sent) ? null : body, { status: sent, headers })
}

/** Changes the answers to these requests. Where `reword` gives nothing, the answer is sent as it is. */
export const rewordingAnswers =
  (applies: RequestMatcher, reword: (answer: Answer, asked: Asked) => Reworded | undefined): Wire =>
  (next) => {
    let underWay = 0
    return async (request) => {
      if (!applies(request)) return next(request)
      const incoming = await incomingOf(request)
      const asked: Asked = { ...incoming, isConcurrent: underWay > 0 }
      underWay += 1
      const response = await next(request)
      underWay -= 1
      const text = await response.text()
      const headers = new Headers(response.headers)
      const answer: Answer = { status: response.status, headers, text, members: parsedMembers(text) ?? {} }
      return reworded(answer, reword(answer, asked) ?? {})
    }
  }

/** A wire with a state of its own for each bank: `make` is called once for each. */
export const perBank =
  (make: () => Wire): Wire =>
  (next) =>
    make()(next)

/** Several wires at once; the first is the nearest to the bank. */
export const wired =
  (...wires: readonly Wire[]): Wire =>
  (next: Exchange) =>
    wires.reduce((exchange, wire) => wire(exchange), next)
