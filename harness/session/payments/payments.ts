import { addressOf } from '../../profile/operations.ts'
import { anywhere, fieldOf, jsonOf, need, type RedirectResult } from '../../evidence/record/answer.ts'
import { NotReached } from '../../evidence/signals.ts'
import {
  hasGrantedToken,
  partiesIn,
  rejectedAtSubmissionOf,
  type KeyedOrder,
  type RejectedOrder,
  type PaymentsProfile,
  type Rejection,
} from '../../profile/schema/payments.ts'
import { applicationsIn } from '../../profile/applications.ts'
import { isGuess } from '../../profile/guesses.ts'
import { isSecretHeader } from '../../profile/secrets.ts'
import { loadSignature, signedHeaders, type Sign } from '../../profile/signature.ts'
import { fill, merge, withOtherAmounts, type Values } from '../../profile/template.ts'
import { challengeOf, createVerifier } from '../pkce.ts'
import {
  basic,
  change as changes,
  unchanged,
  type Change,
  type Fields,
  type HttpRequest,
} from '../http/request.ts'
import { isSentBackGranted, openApprovals } from './approval.ts'
import { heldToken } from './client-token.ts'
import { dayAfter, untilOpen, untilTime, workingDayAfter } from './payment-days.ts'
import { provokingOrders, type ProvokingOrder } from './provoking-orders.ts'
import { requireAccepted } from './valid-order.ts'
import { chance, type Random } from '../random.ts'
import { messageOf } from '../../evidence/errors.ts'
import type { Members } from '../../evidence/json.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ApplicationProfile, CustomerProfile, Profile } from '../../profile/schema.ts'
import type { AuthorizationDriver } from '../authorization/driver.ts'
import type { Decision } from '../authorization/page-navigation.ts'
import type { TargetClock } from '../clock.ts'
import type { Http } from '../http/http.ts'

/** The result of the customer's authorization of one payment. */
export interface PaymentAuthorization {
  readonly orderId: string
  readonly redirectResult: RedirectResult
  /** The code exchange, if there was a code and it is needed. */
  readonly exchange?: Exchange
  /** The token for the submission. */
  readonly token?: string
  /** The value that shows the approval, if the bank gives one. */
  readonly approval?: string
  /** Whether the submission has all that it needs. A submission with the token of the application needs no code. */
  readonly isComplete: boolean
}

/** Replaces `{orderId}` in a text of the profile. */
const withOrder = (text: string, orderId: string): string => text.replaceAll('{orderId}', () => orderId)

/**
 * The orders of the profile that are valid at their initiation and rejected at their submission, and can be sent.
 * @param canMoveTime whether the scenario can reach a given time of day.
 */
export const ordersRejectedAtSubmission = (
  profile: Pick<PaymentsProfile, 'rejectedAtSubmission'>,
  canMoveTime: boolean,
): readonly KeyedOrder<RejectedOrder>[] =>
  rejectedAtSubmissionOf(profile).filter(({ order: { at } }) => at === undefined || canMoveTime)

export { REASON_CODES, REJECTIONS } from '../../profile/schema/payments.ts'
export type { ReasonCode, Rejection } from '../../profile/schema/payments.ts'

/** The parts of an order; a part that is left out gets a fresh valid value, the smallest amount for example. */
export interface Order {
  /** The name of an initiation method of the profile; by default the first. */
  readonly method?: string
  /** Values for the placeholders of the profile; undefined leaves the member out. */
  readonly values?: Values
  /** Merged over the body (RFC 7396): null removes a member. */
  readonly patch?: Members
}

/** An order that is valid at its initiation and rejected at its submission. */
export interface LateOrder extends Pick<KeyedOrder<RejectedOrder>, 'code' | 'key' | 'states'> {
  /** Whether the profile marks it as a guess. */
  readonly isGuess: boolean
  readonly order: Order
  /** Whether an equal order has to be submitted before, which leaves too little for this one. */
  readonly isSecond: boolean
  /** Lets the time pass at which its submission is rejected. */
  readonly reach: () => Promise<void>
}

/** The payment operations of one application. Every method sends one valid request, or the same with one change. */
export interface Payments {
  readonly profile: PaymentsProfile
  readonly application: ApplicationProfile
  /** The token response of the application (needs: payment-bearer). @throws NotReached if it authenticates otherwise. */
  readonly token: Exchange
  /** The same as a list; empty if the application authenticates otherwise. */
  readonly tokens: readonly Exchange[]
  /**
   * Values of an order that no other order has. Its date is a working day at least that many days ahead, by default
   * two.
   */
  freshValues(daysAhead?: number): Values
  /** POST /payments/ecomm/sba, or a further initiation method. */
  initiate(order?: Order, change?: Change): Promise<Exchange>
  /**
   * Initiates a valid order that later steps need. @throws NotReached if the bank does not accept it, with the bank's
   * reason and the keys of the profile to look at.
   * @param key of the profile that says how the order differs from an ordinary one.
   */
  initiateValid(
    order?: Order,
    key?: string,
  ): Promise<{ readonly initiation: Exchange; readonly orderId: string }>
  /** The orders that are rejected with this code, or with any, and can be sent (needs: provoke-AC01 …). */
  provocations(rejection: Rejection): readonly ProvokingOrder[]
  /** The orders that only their submission rejects, and that can be sent (needs: submission-rejection). */
  lateRejections(): readonly LateOrder[]
  /** GET /payments/{orderId}/status */
  status(orderId: string, change?: Change): Promise<Exchange>
  /** Whether the customer can be asked to authorize it: an approval needs the address in the answer to the initiation. */
  canAuthorize(orderId: string): boolean
  /** Lets the customer authorize a payment; a code is exchanged for a token. */
  authorize(orderId: string, decision?: Decision): Promise<PaymentAuthorization>
  /** POST /payments/submission with the token or the value of the authorization; without one, as the application alone. */
  submit(
    payment: Pick<PaymentAuthorization, 'orderId' | 'token' | 'approval'>,
    change?: Change,
  ): Promise<Exchange>
  /** The orderId in the answer to an initiation. @throws NotReached if there is none. */
  orderIdOf(initiation: Exchange): string
}

interface PaymentsContext {
  readonly profile: Profile
  readonly baseUrl: string
  readonly http: Http
  readonly driver: AuthorizationDriver
  readonly clock: TargetClock
  readonly customer: CustomerProfile | undefined
  readonly random?: Random
}

/** Payments of this program are recognizable by these words. */
const REMITTANCE = 'Conformance check, may be returned'
const LABEL = 'CONF'
/** Far enough ahead to be in the future in every time zone. */
const FUTURE_DAYS = 2

/** Opens the operations of an application and requests its token. */
type Ask = (whose?: ApplicationProfile) => Promise<Payments>

/** @throws NotReached if the profile has no payment API, or the application gets no token. */
export const createPayments = (context: PaymentsContext): Ask => {
  const initiations = new Map<string, Exchange>()
  return async (whose) => {
    const { profile: target, clock } = context
    const { payments: profile } = target
    if (profile === undefined) throw new NotReached('the profile has no payment API (payments)')
    const applications = applicationsIn(target)
    const name = whose?.name ?? profile.application
    const acting = name === undefined ? applications[0] : applications.find((one) => one.name === name)
    if (acting === undefined)
      throw new NotReached(
        `the profile has no application ${name === undefined ? '' : `${name} `}in ${target.environment} (applications[].environments)`,
      )
    await awaitOpening(profile, clock, target.timeZone)
    const { signature } = profile
    const sign = signature === undefined ? undefined : await loadSignature(signature)
    return openPayments(context, profile, { application: acting, sign, initiations })
  }
}

/** Another scenario may have moved a shared clock to the night. A clock that cannot be moved is not waited for. */
const awaitOpening = async ({ hours }: PaymentsProfile, clock: TargetClock, zone: string): Promise<void> => {
  if (hours === undefined || clock.kind === 'wall') return
  const ms = untilOpen(clock.now(), hours, zone)
  if (ms > 0) await clock.pass(ms)
}

/** The headers of a template. One with a placeholder that has no value is left out. */
const filledHeaders = (
  templates: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string | undefined>>,
): Fields =>
  Object.entries(templates).flatMap(([name, template]) => {
    const lacks = Object.entries(values).some(
      ([key, value]) => value === undefined && template.includes(`{${key}}`),
    )
    return lacks ? [] : [[name, String(fill(template, values))] as const]
  })

interface Opening {
  readonly application: ApplicationProfile
  readonly sign: Sign | undefined
  /** The answers to initiations, by orderId. */
  readonly initiations: Map<string, Exchange>
}

const openPayments = async (
  { profile: target, baseUrl, http, driver, clock, customer: first, random = chance }: PaymentsContext,
  profile: PaymentsProfile,
  { application, sign, initiations }: Opening,
): Promise<Payments> => {
  const { debtor, creditor } = partiesIn(profile, target.environment)
  const customer = target.customers.find(({ name }) => name === profile.customer) ?? first
  const { clientId, clientSecret } = application
  const [registered] = application.redirectUris
  const redirectUri = registered?.uri ?? ''

  const identifier = (): string => LABEL + random.bytes(12).toString('hex').toUpperCase()

  const ask = (form: Fields): Promise<Exchange> => {
    const isBasic = profile.token.credentials === 'basic'
    const own: Fields = [
      ['client_id', clientId],
      ['client_secret', clientSecret],
    ]
    return http.send({
      operation: 'token',
      sender: 'scenario',
      method: 'POST',
      url: baseUrl + addressOf(target, 'payments.token'),
      headers: [
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ...(isBasic ? [['Authorization', basic(clientId, clientSecret)] as const] : []),
      ],
      form: isBasic ? form : [...form, ...own],
    })
  }

  const askForToken = (): Promise<Exchange> => ask(Object.entries(profile.token.form))

  const tokens = profile.authentication === 'bearer' ? [await askForToken()] : []
  const [token] = tokens
  let held = token && heldToken(token, clock.now())

  /** The token of the application; a new one if it may have expired. */
  const clientToken = async (): Promise<string> => {
    if (held === undefined || clock.now() >= held.until) held = heldToken(await askForToken(), clock.now())
    return held.value
  }

  /** @param granted the token of an authorization, in the place of that of the application. */
  const authentication = async (granted?: string): Promise<Fields> => {
    switch (profile.authentication) {
      case 'bearer':
        return [['Authorization', `Bearer ${granted ?? (await clientToken())}`]]
      case 'basic':
        return [['Authorization', basic(clientId, clientSecret)]]
      case 'other':
        return []
    }
  }

  const headersOf = async (
    hasBody: boolean,
    { orderId, token: granted, approval }: Partial<PaymentAuthorization> = {},
  ): Promise<Fields> => [
    [profile.requestIdHeader, random.uuid()],
    ...(await authentication(granted)),
    ...filledHeaders(profile.headers, { redirectUri, clientId, orderId, approval }),
    ...(hasBody ? [['Content-Type', 'application/json'] as const] : []),
  ]

  /** The headers that the module of the profile adds. A request that is to be without credentials has no header at all. */
  const signatureOf = async (request: HttpRequest): Promise<Fields> => {
    if (sign === undefined || request.headers.length === 0) return []
    try {
      const headers = await signedHeaders(sign, {
        method: request.method,
        url: request.url,
        headers: Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value])),
        body: request.text ?? '',
        environment: target.environment,
        application: { name: application.name, clientId },
        now: clock.now(),
      })
      return Object.entries(headers)
    } catch (error) {
      throw new NotReached(messageOf(error))
    }
  }

  const send = async (request: Omit<HttpRequest, 'sender'>, change: Change): Promise<Exchange> => {
    const changed = change({ sender: 'scenario', ...request })
    const signature = await signatureOf(changed)
    const signed = signature.reduce((one, [name, value]) => changes.header(name, value)(one), changed)
    const secrets = signature
      .filter(([name, value]) => isSecretHeader(name, value))
      .map(([name, value]) => ({ name, value }))
    return http.send(signed, () => secrets)
  }

  const approvals =
    profile.approval &&
    openApprovals(
      { profile: target, http: paying(http), driver, customer, redirectUri },
      profile.approval,
      initiations,
    )

  const methodOf = (name: string | undefined) => {
    const { initiations } = profile
    const method = initiations.find((each) => name === undefined || each.name === name)
    if (method === undefined) throw new NotReached(`the profile names no initiation method ${name ?? ''}`)
    return method
  }

  const freshValues = (daysAhead = FUTURE_DAYS): Values => ({
    instructionIdentification: identifier(),
    creationDateTime: clock.now().toISOString(),
    endToEndIdentification: identifier(),
    remittanceInformation: REMITTANCE,
    amount: profile.amount,
    currency: profile.currency,
    date: workingDayAfter(clock.now(), daysAhead, target.timeZone),
    today: dayAfter(clock.now(), 0, target.timeZone),
    yesterday: dayAfter(clock.now(), -1, target.timeZone),
    debtorName: debtor.name,
    debtorIban: debtor.iban,
    creditorName: creditor.name,
    creditorIban: creditor.iban,
  })

  const initiate: Payments['initiate'] = async ({ method, values, patch = {} } = {}, change = unchanged) => {
    const initiationMethod = methodOf(method)
    const { body, future } = initiationMethod
    const at = profile.initiations.indexOf(initiationMethod)
    // A method without dates in the future takes that of today.
    const today = future ? {} : { date: workingDayAfter(clock.now(), 0, target.timeZone) }
    const all = withOtherAmounts({ ...freshValues(), ...values, ...today })
    const initiation = await send(
      {
        operation: 'initiatePayment',
        method: 'POST',
        url: baseUrl + addressOf(target, `payments.initiations.${at}`),
        headers: await headersOf(true),
        text: JSON.stringify(merge(fill(body, all), fill(patch, all))),
      },
      change,
    )
    approvals?.keep(initiation)
    return initiation
  }

  const moveTo = async (time: string | undefined): Promise<void> => {
    if (time !== undefined) await clock.pass(untilTime(clock.now(), time, target.timeZone))
  }

  const scopeFor = (orderId: string): string => withOrder(profile.authorize.scope, orderId)

  const walk = (orderId: string, decision: Decision, verifier: string): Promise<RedirectResult> => {
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: scopeFor(orderId),
      state: random.bytes(12).toString('base64url'),
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      [profile.authorize.parameter]: orderId,
    })
    const request: HttpRequest = {
      operation: 'authorizePayment',
      sender: 'customer',
      method: 'GET',
      url: `${baseUrl}${withOrder(addressOf(target, 'payments.authorize'), encodeURIComponent(orderId))}?${query.toString()}`,
      headers: [],
    }
    return driver.authorize(
      { http: paying(http), customer, decision, redirectUri, isToBeGranted: decision === 'grant' },
      request,
    )
  }

  const initiateValid: Payments['initiateValid'] = async (order, key) => {
    const initiation = await initiate(order)
    const keys = (['headers', 'signature'] as const).filter(
      (name) => Object.keys(profile[name] ?? {}).length > 0,
    )
    requireAccepted(initiation, { key, authenticating: keys.map((name) => `payments.${name}`) })
    return { initiation, orderId: orderIdOf(initiation) }
  }

  return {
    profile,
    application,
    tokens,
    get token() {
      if (token === undefined)
        throw new NotReached(
          `the payment operations have no token of the application (payments.authentication: ${profile.authentication})`,
        )
      return token
    },
    freshValues,
    initiate,
    orderIdOf,

    initiateValid,

    provocations: (rejection) =>
      provokingOrders(
        {
          profile,
          canMoveTime: clock.kind !== 'wall',
          isGuess: (key) => isGuess(target, key),
          freshValues,
          initiate,
          initiateValid,
          moveTo,
        },
        rejection,
      ),

    lateRejections: () =>
      ordersRejectedAtSubmission(profile, clock.kind !== 'wall').map(({ code, key, states, order }) => ({
        code,
        key,
        states,
        isGuess: isGuess(target, key),
        order: { patch: order.change, ...(order.method !== undefined && { method: order.method }) },
        isSecond: order.twice,
        reach: () => moveTo(order.at),
      })),

    status: async (orderId, change = unchanged) =>
      send(
        {
          operation: 'readPayment',
          method: 'GET',
          url: baseUrl + withOrder(addressOf(target, 'payments.status'), encodeURIComponent(orderId)),
          headers: await headersOf(false, { orderId }),
        },
        change,
      ),

    canAuthorize: (orderId) => approvals === undefined || approvals.has(orderId),

    async authorize(orderId, decision = 'grant') {
      if (approvals !== undefined) {
        const { redirectResult, value, isComplete } = await approvals.approve(orderId, decision)
        return { orderId, redirectResult, isComplete, ...(value !== undefined && { approval: value }) }
      }
      const verifier = createVerifier(random)
      const redirectResult = await walk(orderId, decision, verifier)
      if (!hasGrantedToken(profile))
        return {
          orderId,
          redirectResult,
          isComplete: redirectResult.code !== undefined || isSentBackGranted(redirectResult),
        }
      if (redirectResult.code === undefined) return { orderId, redirectResult, isComplete: false }
      const exchange = await ask([
        ['grant_type', 'authorization_code'],
        ['code', redirectResult.code],
        ['scope', scopeFor(orderId)],
        ['code_verifier', verifier],
        ['redirect_uri', redirectUri],
      ])
      const granted = exchange.response && fieldOf(jsonOf(exchange), 'access_token')
      if (typeof granted !== 'string') return { orderId, redirectResult, exchange, isComplete: false }
      return { orderId, redirectResult, exchange, token: granted, isComplete: true }
    },

    async submit(authorization, change = unchanged) {
      const { orderId, approval } = authorization
      const { body } = profile.submission
      return send(
        {
          operation: 'submitPayment',
          method: 'POST',
          url: baseUrl + addressOf(target, 'payments.submission'),
          headers: await headersOf(body !== undefined, authorization),
          ...(body !== undefined && { text: JSON.stringify(fill(body, { orderId, approval })) }),
        },
        change,
      )
    },
  }
}

const orderIdOf = (initiation: Exchange): string => {
  const [orderId] = anywhere(jsonOf(initiation), 'orderId')
  return need(initiation, typeof orderId === 'number' ? String(orderId) : orderId, 'an orderId')
}

/** Every page of this authorization is a step towards a payment. */
const paying = (http: Http): Http => ({
  ...http,
  send: (request, ...rest) => http.send({ ...request, operation: 'authorizePayment' }, ...rest),
})
