import { NotReached } from '../evidence/signals.ts'
import { anywhere, fieldOf, jsonOf, need } from './answer.ts'
import { fill, merge, withOtherAmounts } from './payments-body.ts'
import { doomIn } from './payments-doom.ts'
import { untilOpen, untilTime, workingDayAfter } from './payments-dates.ts'
import { isSentBackGranted, withOrder } from './payments-authorization.ts'
import { heldToken } from './payments-token.ts'
import { challengeOf, createVerifier } from './pkce.ts'
import { chance } from './random.ts'
import { basic, unchanged } from './request.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { ReasonCode } from '../profile/payments-codes.ts'
import type { PaymentsProfile } from '../profile/payments.ts'
import type { ApplicationProfile, CustomerProfile, Profile } from '../profile/schema.ts'
import type { Decision } from './customer.ts'
import type { Http } from './http.ts'
import type { Landing } from './landing.ts'
import type { PaymentAuthorization } from './payments-authorization.ts'
import type { Members, Values } from './payments-body.ts'
import type { Random } from './random.ts'
import type { Change, Fields, HttpRequest } from './request.ts'
import type { TargetClock } from './session.ts'
import type { Way } from './way.ts'

export { REASON_CODES } from '../profile/payments-codes.ts'
export type { ReasonCode } from '../profile/payments-codes.ts'

/** What an order says; what is left out is valid, fresh, and of the smallest amount. */
export interface Order {
  /** The name of an initiation method of the profile; the first, if it is left out. */
  readonly method?: string
  /** In the place of the placeholders of the profile; undefined leaves the member out. */
  readonly values?: Values
  /** Merged over the body (RFC 7396): null removes a member. */
  readonly patch?: Members
}

/** The payment operations, as one application asks them. Every method sends one valid request, or one with one change. */
export interface Payments {
  readonly profile: PaymentsProfile
  readonly application: ApplicationProfile
  /** The answer that the application has its token from. */
  readonly token: Exchange
  /** Values of an order that no other order has; its date is a working day at least so many days ahead, two if that is left out. */
  freshValues(daysAhead?: number): Values
  /** POST /payments/ecomm/sba, or a further initiation method. */
  initiate(order?: Order, change?: Change): Promise<Exchange>
  /** The orders that provoke a rejection (needs: provoke-AC01 …); the last of them is meant. */
  provoke(code: ReasonCode): Promise<readonly Exchange[]>
  /** An order that its submission rejects, and the time at which it does (needs: submission-rejection). */
  initiateDoomed(code: ReasonCode): Promise<Exchange>
  /** GET /payments/{orderId}/status */
  status(orderId: string, change?: Change): Promise<Exchange>
  /** The customer's browser walks the authorization of a payment to its end; a code is exchanged for a token. */
  authorize(orderId: string, decision?: Decision): Promise<PaymentAuthorization>
  /** POST /payments/submission, with the token of the authorization; without one, with that of the initiation. */
  submit(payment: Pick<PaymentAuthorization, 'orderId' | 'token'>, change?: Change): Promise<Exchange>
  /** The orderId that an initiation answered. @throws NotReached where it answered none. */
  orderIdOf(initiation: Exchange): string
}

export interface PaymentsContext {
  readonly profile: Profile
  readonly baseUrl: string
  readonly http: Http
  readonly way: Way
  readonly clock: TargetClock
  readonly customer: CustomerProfile | undefined
  readonly random?: Random
}

/** Payments that carry nobody's words but these are told apart from a customer's own. */
const REMITTANCE = 'Conformance check, may be returned'
const LABEL = 'CONF'
/** Far enough ahead to be in the future wherever the bank is. */
const FUTURE_DAYS = 2

/** A token that has been asked for already, for each application. */
type Ask = (whose?: ApplicationProfile) => Promise<Payments>

/** @throws NotReached where the profile names no payment API, or the application comes to no token. */
export const createPayments =
  (context: PaymentsContext): Ask =>
  async (whose) => {
    const { profile: target, clock } = context
    const { payments: profile, applications } = target
    if (profile === undefined) throw new NotReached('the profile names no payment API (payments)')
    const acting = whose ?? applications.find(({ name }) => name === profile.application) ?? applications[0]
    if (acting === undefined) throw new NotReached('the profile names no application')
    await awaitOpening(profile, clock)
    return openPayments(context, profile, acting)
  }

/** Other scenarios may have left a clock that all share at night. Where it cannot be moved, it is as late as it is. */
const awaitOpening = async ({ hours }: PaymentsProfile, clock: TargetClock): Promise<void> => {
  if (hours === undefined || clock.kind === 'wall') return
  const ms = untilOpen(clock.now(), hours)
  if (ms > 0) await clock.pass(ms)
}

const openPayments = async (
  { profile: target, baseUrl, http, way, clock, customer, random = chance }: PaymentsContext,
  profile: PaymentsProfile,
  application: ApplicationProfile,
): Promise<Payments> => {
  const base = baseUrl + profile.basePaths[target.environment]
  const oauth = baseUrl + profile.oauthBasePaths[target.environment]
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
      url: oauth + profile.token.path,
      headers: [
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ...(isBasic ? [['Authorization', basic(clientId, clientSecret)] as const] : []),
      ],
      form: isBasic ? form : [...form, ...own],
    })
  }

  const askForToken = (): Promise<Exchange> => ask(Object.entries(profile.token.form))

  const token = await askForToken()
  let held = heldToken(token, clock.now())

  /** The token of the application; a new one, where time has passed and it may have expired. */
  const clientToken = async (): Promise<string> => {
    if (clock.now() >= held.until) held = heldToken(await askForToken(), clock.now())
    return held.value
  }

  const headersOf = (bearer: string, hasBody: boolean): Fields => [
    [profile.requestIdHeader, random.uuid()],
    ['Authorization', `Bearer ${bearer}`],
    ...(hasBody ? [['Content-Type', 'application/json'] as const] : []),
  ]

  const send = (request: Omit<HttpRequest, 'sender'>, change: Change): Promise<Exchange> =>
    http.send(change({ sender: 'scenario', ...request }))

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
    date: workingDayAfter(clock.now(), daysAhead),
    debtorName: profile.debtor.name,
    debtorIban: profile.debtor.iban,
    creditorName: profile.creditor.name,
    creditorIban: profile.creditor.iban,
  })

  const initiate: Payments['initiate'] = async ({ method, values, patch = {} } = {}, change = unchanged) => {
    const { path, body } = methodOf(method)
    const all = withOtherAmounts({ ...freshValues(), ...values })
    return send(
      {
        operation: 'initiatePayment',
        method: 'POST',
        url: base + path,
        headers: headersOf(await clientToken(), true),
        text: JSON.stringify(merge(fill(body, all), fill(patch, all))),
      },
      change,
    )
  }

  const moveTo = async (time: string | undefined): Promise<void> => {
    if (time !== undefined) await clock.pass(untilTime(clock.now(), time))
  }

  const scopeFor = (orderId: string): string => withOrder(profile.authorize.scope, orderId)

  const walk = (orderId: string, decision: Decision, verifier: string): Promise<Landing> => {
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
      url: `${oauth}${withOrder(profile.authorize.path, encodeURIComponent(orderId))}?${query.toString()}`,
      headers: [],
    }
    return way.authorize({ http: paying(http), customer, decision, redirectUri }, request)
  }

  return {
    profile,
    application,
    token,
    freshValues,
    initiate,

    async provoke(code) {
      const provocation = profile.provocations[code]
      if (provocation === undefined) throw new NotReached(`the profile says not how ${code} is provoked`)
      const { method, change: patch, at, twice } = provocation
      await moveTo(at)
      const order = { values: freshValues(), patch, ...(method !== undefined && { method }) }
      const first = await initiate(order)
      return twice ? [first, await initiate(order)] : [first]
    },

    async initiateDoomed(code) {
      const doom = doomIn(profile, code)
      const initiation = await initiate({
        patch: doom.change,
        ...(doom.method !== undefined && { method: doom.method }),
      })
      await moveTo(doom.at)
      return initiation
    },

    status: async (orderId, change = unchanged) =>
      send(
        {
          operation: 'readPayment',
          method: 'GET',
          url: base + withOrder(profile.status.path, encodeURIComponent(orderId)),
          headers: headersOf(await clientToken(), false),
        },
        change,
      ),

    async authorize(orderId, decision = 'grant') {
      const verifier = createVerifier(random)
      const landing = await walk(orderId, decision, verifier)
      if (profile.submission.token === 'client')
        return { orderId, landing, isComplete: landing.code !== undefined || isSentBackGranted(landing) }
      if (landing.code === undefined) return { orderId, landing, isComplete: false }
      const exchange = await ask([
        ['grant_type', 'authorization_code'],
        ['code', landing.code],
        ['scope', scopeFor(orderId)],
        ['code_verifier', verifier],
        ['redirect_uri', redirectUri],
      ])
      const granted = exchange.response && fieldOf(jsonOf(exchange), 'access_token')
      if (typeof granted !== 'string') return { orderId, landing, exchange, isComplete: false }
      return { orderId, landing, exchange, token: granted, isComplete: true }
    },

    async submit({ orderId, token: granted }, change = unchanged) {
      const { path, body } = profile.submission
      return send(
        {
          operation: 'submitPayment',
          method: 'POST',
          url: base + path,
          headers: headersOf(granted ?? (await clientToken()), body !== undefined),
          ...(body !== undefined && { text: JSON.stringify(fill(body, { orderId })) }),
        },
        change,
      )
    },

    orderIdOf(initiation) {
      const [orderId] = anywhere(jsonOf(initiation), 'orderId')
      return need(initiation, typeof orderId === 'number' ? String(orderId) : orderId, 'an orderId')
    },
  }
}

/** Every page of this authorization is a step towards a payment. */
const paying = (http: Http): Http => ({
  ...http,
  send: (request, ...rest) => http.send({ ...request, operation: 'authorizePayment' }, ...rest),
})
