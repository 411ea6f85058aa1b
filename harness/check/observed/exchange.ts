import { pseudonymsIn } from '../../evidence/redaction/secret-facts.ts'
import { containsInAnySpelling } from '../../evidence/redaction/spellings.ts'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import {
  brokeDown,
  endOf,
  isAccepted,
  isEmptyList,
  isRedirectResult,
  isTurnedAway,
  isUnreadable,
  jsonFault,
  jsonOf,
  mayBeOfIntermediary,
  responseOf,
  unseen,
  type RedirectResult,
} from '../../evidence/record/answer.ts'
import {
  describeAnswer,
  isNoAnswer,
  isPageOfFirewall,
  kindOfAnswer,
  mayBeOfFirewall,
  showsNoViolation,
  type AnswerKind,
} from '../../evidence/record/answer-kind.ts'
import { factsOf } from '../facts.ts'
import { stringsIn } from '../../evidence/redaction/secret-facts.ts'
import { combined, ObservedBody } from './body.ts'
import { held, Subject, ViolationError } from '../verdict.ts'
import type { Exchange, ReceivedResponse, SentRequest } from '../../evidence/exchange.ts'

/** The ids of the exchanges that a judge has read: its verdict rests on these. */
export class UsedExchanges extends Set<string> {
  /** Those that an intermediary may have answered. */
  readonly #doubtful = new Map<string, Exchange>()
  readonly #refusals = new Set<string>()
  readonly #disclosing = new Set<string>()

  /** Notes that the verdict rests on this exchange. */
  note(exchange: Exchange): void {
    this.add(exchange.id)
    if (showsNoViolation(exchange)) this.#doubtful.set(exchange.id, exchange)
    else this.#doubtful.delete(exchange.id)
  }

  /** Notes that an exchange was refused as expected. */
  noteRefusal({ id }: Exchange): void {
    this.#refusals.add(id)
  }

  /** Notes that an answer has data that it must not have. */
  noteDisclosure({ id }: Exchange): void {
    this.#disclosing.add(id)
  }

  override clear(): void {
    super.clear()
    this.#doubtful.clear()
    this.#refusals.clear()
    this.#disclosing.clear()
  }

  isDisclosure(id: string): boolean {
    return this.#disclosing.has(id)
  }

  /**
   * An exchange because of which a violation may not be the bank's: an intermediary may have answered it. An expected
   * refusal is one only if the violation is in the refusal itself, such as its status.
   * @param violated the id of the exchange that shows the violation.
   */
  doubtAbout(violated: string | undefined): Exchange | undefined {
    const own = violated === undefined ? undefined : this.#doubtful.get(violated)
    return own ?? [...this.#doubtful.values()].find(({ id }) => !this.#refusals.has(id))
  }
}

/** What a judge sees of one exchange. Every exchange that the judge reads is noted as one that its verdict rests on. */
export class ObservedExchange {
  #exchange: Exchange
  readonly #used: UsedExchanges

  constructor(exchange: Exchange, used: UsedExchanges) {
    this.#exchange = exchange
    this.#used = used
  }

  get id(): string {
    return this.#exchange.id
  }

  get operation(): string {
    return this.#exchange.operation
  }

  /** Whether other requests of its scenario were sent while it was answered: then their order is not known. */
  get isConcurrent(): boolean {
    return this.#exchange.concurrent === true
  }

  /** Whether the target closed the connection without an answer that arrived. */
  get isCutOff(): boolean {
    return this.#exchange.fault?.kind === 'reset'
  }

  get request(): SentRequest {
    return this.#exchange.request
  }

  /** Who gave the access token of the request, counted from 0 in the order of the names, if that is known. */
  get customer(): number | undefined {
    return this.#exchange.customer
  }

  /** The values of its headers, and all strings in its JSON. */
  get strings(): readonly string[] {
    const { headers, body } = responseOf(this.#exchange)
    return [...headers.map(([, value]) => value), ...stringsIn(body.text)]
  }

  /** When it was sent, by the clock of the target. */
  get sentAt(): Date {
    return new Date(this.#exchange.sentAt)
  }

  get response(): ReceivedResponse {
    return responseOf(this.#use())
  }

  get status(): Subject {
    return this.#subject('status', this.response.status)
  }

  /** The values of a repeated header as one list (RFC 9110 §5.3). */
  header(name: string): Subject {
    return this.#subject(`header ${name}`, combined(this.response.headers, name))
  }

  /** Judges that the answer does not contain this secret in any spelling. @param name how a message calls the secret. */
  hides(secret: string, name: string): void {
    const place = placeOf(secret, this.#use())
    if (place === undefined) return held()
    this.discloses(name, place)
  }

  /** @throws ViolationError since the answer has what it must not have. @param name how a message calls that. */
  discloses(name: string, place = 'body'): never {
    this.#used.noteDisclosure(this.#exchange)
    throw new ViolationError({
      subject: place,
      expected: `nothing of ${name}`,
      received: name,
      exchange: this.id,
    })
  }

  get body(): ObservedBody {
    return new ObservedBody({
      subject: (name, value) => this.#subject(name, value),
      json: () => this.#json(),
      text: () => this.response.body.text,
      isJson: () => jsonFault(this.#use()) === undefined,
    })
  }

  get accepted(): boolean {
    return isAccepted(this.#use())
  }

  /** Whose the answer is: that of the bank, of an intermediary, or none. */
  get kind(): AnswerKind {
    const exchange = this.#use()
    responseOf(exchange)
    return kindOfAnswer(exchange)
  }

  /** What came instead of an answer of the bank, in words: "an HTML page (200)". */
  get described(): string {
    return describeAnswer(this.#use())
  }

  /** Judges that the target accepted the request. @param because why a conforming bank accepts it. */
  isAccepted(because: string): void {
    expectAcceptance(this.#use(), because)
  }

  /** Judges that a Basic header was accepted with client_id and secret as they are. */
  takesPlainCredentials(): void {
    const form = this.#use().formEncoded ? 'form-encoded first (RFC 6749 §2.3.1)' : 'as they are'
    const words =
      'client_id and secret as they are: the target knows the client only where they are form-encoded'
    this.#subject('Basic header', form).satisfies(form === 'as they are', words)
  }

  /**
   * Judges that the target refused the request. A server error (5xx) is not a refusal: a violation if it came each time
   * between accepted requests, otherwise `inconclusive`.
   */
  isRefused(because: string): void {
    expectRefusal(this.#use(), because)
    this.#used.noteRefusal(this.#exchange)
  }

  /** Notes that the answer is one of those that count as a refusal here, such as a redirect to another version. */
  countsAsRefused(): void {
    held()
    this.#used.noteRefusal(this.#exchange)
  }

  /**
   * Whether each repetition of a request with an effect was answered with a server error (`timesSent`): this is judged only
   * once the requests before and after were accepted. To ask for it does not note the exchange.
   */
  get isServerErrorEachTime(): boolean {
    return this.#exchange.timesSent !== undefined
  }

  /** Whether it was refused, and accepted when it was sent again. */
  get isAcceptedAgain(): boolean {
    return this.#exchange.acceptedAs !== undefined
  }

  /** Notes that the requests before and after this one were accepted: then a server error each time is the target's answer. */
  liesBetweenAccepted(): void {
    const { timesSent, ...exchange } = this.#exchange
    if (timesSent === undefined) return
    this.#exchange = { ...exchange, timesRepeated: timesSent }
    this.#used.note(this.#exchange)
  }

  /**
   * Judges that a server error is not the target's answer: one that came each time, between accepted requests.
   * @param expected words that follow "expected".
   * @throws Inconclusive for a server error that may pass.
   */
  isNoServerError(expected: string): void {
    const exchange = this.#use()
    responseOf(exchange)
    if (brokeDown(exchange)) throw serverError(exchange, expected)
    held()
  }

  /** Notes that the verdict rests on this exchange; judges nothing. @throws Inconclusive if there is no complete response. */
  use(): void {
    responseOf(this.#use())
  }

  #use(): Exchange {
    this.#used.note(this.#exchange)
    return this.#exchange
  }

  #subject(name: string, value: unknown): Subject {
    return new Subject(name, value, this.#use().id)
  }

  #json(): unknown {
    const fault = jsonFault(this.#use())
    if (fault === undefined) return jsonOf(this.#exchange)
    throw new Inconclusive(`the answer to ${this.id} is not JSON: ${fault}`)
  }
}

/** The part of an answer that contains a secret; undefined if none does. */
const placeOf = (secret: string, exchange: Exchange): string | undefined => {
  const { headers, body } = responseOf(exchange)
  const places = [
    ['body', body.text] as const,
    ...headers.map(([field, value]) => [`header ${field}`, value] as const),
  ]
  const isIn = (text: string): boolean =>
    containsInAnySpelling(text, secret) ||
    pseudonymsIn(text).some((one) => factsOf(one).contains?.includes(secret) === true)
  return places.find(([, text]) => isIn(text))?.[0]
}

/** What a judge sees of the end of an authorization. */
export class ObservedRedirect {
  readonly exchange: ObservedExchange
  readonly #redirectResult: RedirectResult
  readonly #used: UsedExchanges

  constructor(redirectResult: RedirectResult, used: UsedExchanges) {
    this.exchange = new ObservedExchange(redirectResult.exchange, used)
    this.#redirectResult = redirectResult
    this.#used = used
  }

  /** @throws NotReached if a person brought only the code: then it is not known how the bank showed it. */
  get outcome(): RedirectResult['outcome'] {
    return this.#withAddress().outcome
  }

  get code(): Subject {
    return this.#subject('authorization code', this.#redirectResult.code)
  }

  /** The address to which the browser was redirected, without the query. */
  get address(): Subject {
    const redirect = this.#redirect()
    return this.#subject('redirect', redirect && redirect.origin + redirect.pathname)
  }

  /** A parameter of the redirect's query. */
  parameter(name: string): Subject {
    return this.#subject(
      `redirect parameter "${name}"`,
      this.#redirect()?.searchParams.get(name) ?? undefined,
    )
  }

  /** A parameter of the redirect's fragment. */
  fragment(name: string): Subject {
    const parameters = new URLSearchParams(this.#redirect()?.hash.slice(1))
    return this.#subject(`redirect fragment "${name}"`, parameters.get(name) ?? undefined)
  }

  /** The names of the parameters in the query of the redirect, repeated ones included. */
  get names(): readonly string[] {
    return [...(this.#redirect()?.searchParams.keys() ?? [])]
  }

  get decision(): RedirectResult['decision'] {
    return this.#seen(this.#redirectResult.decision !== 'unasked', 'whether the customer was asked').decision
  }

  /** On how many pages of the recipe the customer acted. */
  get pages(): Subject {
    const { acted } = this.#seen(false, 'what the customer was shown')
    return this.#subject('pages that the customer acted on', acted.length)
  }

  get accepted(): boolean {
    return isAccepted(this.#use())
  }

  isAccepted(because: string): void {
    expectAcceptance(this.#use(), because)
  }

  isRefused(because: string): void {
    expectRefusal(this.#use(), because)
    this.#used.noteRefusal(this.#redirectResult.exchange)
  }

  /** Notes that the verdict rests on the exchange of this redirect result. */
  #use(): RedirectResult {
    const { exchange } = this.#redirectResult
    this.#used.note(exchange)
    if (exchange.handover === undefined || exchange.handover.by === 'skipped') responseOf(exchange)
    return this.#redirectResult
  }

  /** @throws NotReached if a person authorized in a browser of their own, and the suite did not see this. */
  #seen(isSeen: boolean, what: string): RedirectResult {
    const redirectResult = this.#use()
    if (redirectResult.exchange.handover === undefined || isSeen) return redirectResult
    throw new NotReached(unseen(redirectResult.exchange, what))
  }

  #withAddress(): RedirectResult {
    return this.#seen(this.#redirectResult.isCodeAlone !== true, 'where the bank has sent the customer')
  }

  #redirect(): URL | undefined {
    const { redirect } = this.#withAddress()
    return redirect === undefined ? undefined : new URL(redirect)
  }

  #subject(name: string, value: unknown): Subject {
    return new Subject(name, value, this.#use().exchange.id)
  }
}

const describe = (attempt: Exchange | RedirectResult): { readonly id: string; readonly end: string } => {
  const exchange = isRedirectResult(attempt) ? attempt.exchange : attempt
  if (isRedirectResult(attempt)) return { id: exchange.id, end: endOf(attempt) }
  const { status } = responseOf(exchange)
  return { id: exchange.id, end: `${status}${missingFields(attempt)}` }
}

/** Which fields of the profile were missing in the answer: the profile may be wrong about them. */
const missingFields = (attempt: Exchange): string => {
  const { successFields } = attempt
  return successFields === undefined || isAccepted(attempt) ? '' : `, without ${successFields.join(' or ')}`
}

/**
 * What a server error shows: a violation if it came each time, between accepted requests; otherwise nothing, since any
 * target may be out of order for a while. @param expected words that follow "expected".
 */
export const serverError = (
  attempt: Exchange | RedirectResult,
  expected: string,
): ViolationError | Inconclusive => {
  const { id, end } = describe(attempt)
  const exchange = isRedirectResult(attempt) ? attempt.exchange : attempt
  if (exchange.timesRepeated === undefined)
    return new Inconclusive(`${id} was answered with a server error (${end})`)
  return repeatedAnswer(exchange, `a server error (${end})`, expected)
}

/** The same answer came each time, between accepted requests. */
const repeatedAnswer = (
  { id, timesRepeated = 0 }: Exchange,
  answer: string,
  expected: string,
): ViolationError =>
  new ViolationError({
    subject: 'the request',
    expected,
    received: `${answer} each of ${timesRepeated} times, between accepted requests`,
    exchange: id,
  })

/** What is said of an answer that another server than the bank has given. */
export const ofAnother = ({ id, described }: Pick<ObservedExchange, 'id' | 'described'>): Inconclusive =>
  new Inconclusive(
    `${id} was answered with ${described}, which is not the bank's answer: an intermediary may have given it`,
  )

const ofIntermediary = (exchange: Exchange): Inconclusive => {
  const { id } = exchange
  const described = describeAnswer(exchange)
  return mayBeOfFirewall(exchange) || isPageOfFirewall(exchange)
    ? new Inconclusive(
        `${id} was answered with ${described}, which may be that of a firewall: \`refusals\` of the profile says how the bank refuses`,
      )
    : ofAnother({ id, described })
}

const expectAcceptance = (attempt: Exchange | RedirectResult, because: string): void => {
  if (isAccepted(attempt)) return held()
  const { id, end } = describe(attempt)
  if (brokeDown(attempt)) throw serverError(attempt, `to be accepted: ${because}`)
  if (isTurnedAway(attempt))
    throw new Inconclusive(`${id} was answered with too many requests (${end}): see --rate`)
  if (mayBeOfIntermediary(attempt))
    throw ofIntermediary(isRedirectResult(attempt) ? attempt.exchange : attempt)
  if (!isRedirectResult(attempt) && attempt.timesRepeated !== undefined)
    throw repeatedAnswer(attempt, describeAnswer(attempt), `to be accepted: ${because}`)
  if (isUnreadable(attempt)) throw new Inconclusive(`the answer to ${id} is not JSON (${end})`)
  throw new ViolationError({
    subject: 'the request',
    expected: `to be accepted: ${because}`,
    received: `a refusal (${end})`,
    exchange: id,
  })
}

const expectRefusal = (attempt: Exchange | RedirectResult, because: string): void => {
  const { id, end } = describe(attempt)
  if (isEmptyList(attempt))
    throw new NotReached(
      `${id} answered an empty list of accounts, as the valid request does for a customer without an account: it takes one with an account to judge this (customers[].hasAccounts)`,
    )
  if (isAccepted(attempt))
    throw new ViolationError({
      subject: 'the request',
      expected: `to be refused: ${because}`,
      received: `its acceptance (${end})`,
      exchange: id,
    })
  if (!isRedirectResult(attempt) && attempt.acceptedAs !== undefined)
    throw new ViolationError({
      subject: 'the request',
      expected: `to be refused: ${because}`,
      received: `a refusal (${end}), and its acceptance when it was sent again`,
      exchange: attempt.acceptedAs,
    })
  if (brokeDown(attempt)) throw serverError(attempt, `to be refused: ${because}`)
  if (isTurnedAway(attempt))
    throw new Inconclusive(`${id} was not refused but answered with too many requests (${end}): see --rate`)
  if (!isRedirectResult(attempt) && isNoAnswer(attempt)) throw ofIntermediary(attempt)
  held()
}
