import * as z from 'zod'
import { AMOUNT_FORMS, passesOnAmount } from '../template.ts'
import { approval } from './authorization.ts'
import { currency, factOrders, paymentFacts, timeOfDay } from './payment-facts.ts'
import {
  actingApplications,
  basePathsLike,
  headerName,
  headers,
  iban,
  jsonObject,
  part,
  path,
  textSuchAs,
} from './primitives.ts'

/**
 * The payment API: what its Endpoints and Authentication leave "not shown". The fields of a status record are
 * documented, and cannot be bound.
 */

/** The reason codes of a rejected payment, in the order of the interface (Errors, 6). */
export const REASON_CODES = [
  'AC01',
  'AC04',
  'AG01',
  'AM03',
  'AM04',
  'AM05',
  'AM09',
  'AM10',
  'DT01',
  'MS03',
  'RC01',
  'RR03',
  'TM01',
] as const

export type ReasonCode = (typeof REASON_CODES)[number]

/** What orders are rejected with: a reason code, or any of them. */
export const REJECTIONS = [...REASON_CODES, 'any'] as const

export type Rejection = (typeof REJECTIONS)[number]

/** What stands in the place of a placeholder of an order. */
export const ORDER_VALUES = [
  'instructionIdentification',
  'creationDateTime',
  'endToEndIdentification',
  'remittanceInformation',
  ...AMOUNT_FORMS,
  'currency',
  'date',
  'today',
  'yesterday',
  'debtorName',
  'debtorIban',
  'creditorName',
  'creditorIban',
] as const

/** What a provocation may say in addition: values of an accepted order that the run has sent just before. */
export const EARLIER_VALUES = [
  'earlierInstructionIdentification',
  'earlierEndToEndIdentification',
  'earlierOrderId',
] as const

export const AT_ONCE = {
  instructionIdentification: '{instructionIdentification}',
  creationDateTime: '{creationDateTime}',
  debtor: { name: '{debtorName}', iban: '{debtorIban}' },
  creditor: { name: '{creditorName}', iban: '{creditorIban}' },
  instructedAmount: { value: '{amount}', currency: '{currency}' },
  endToEndIdentification: '{endToEndIdentification}',
  remittanceInformation: '{remittanceInformation}',
}

const initiation = z.strictObject({
  /** Your own label; provocations use it. */
  name: textSuchAs('ecomm'),
  path: path.meta({ examples: ['/payments/ecomm/sba'] }),
  /**
   * Sent as JSON. `{amount}` alone becomes a number, `{amountText}` has two decimals, `{amountMinor}` is a number of
   * hundredths and `{amountMinorText}` the same as a text, `{date}` is a requested execution date, YYYY-MM-DD. Each order has an instructionIdentification and an endToEndIdentification of its own.
   */
  body: jsonObject.refine((body) => passesOnAmount(body), 'the body passes {amount} on').default(AT_ONCE),
  /** Whether `{date}` may lie in the future. */
  future: z.boolean().default(false),
})

export const USUAL_INITIATIONS: [z.output<typeof initiation>, z.output<typeof initiation>] = [
  { name: 'ecomm', path: '/payments/ecomm/sba', body: AT_ONCE, future: false },
  {
    name: 'standard',
    path: '/payments/standard/sba',
    body: { ...AT_ONCE, requestedExecutionDate: '{date}' },
    future: true,
  },
]

/** The ways to initiate a payment; the first is POST /payments/ecomm/sba, the others are further methods. */
const initiations = z.array(initiation).nonempty().default(USUAL_INITIATIONS)

/**
 * When payments are taken, on working days, by `timeZone`: where the clock can be moved, it is moved there. Where `to` is
 * not later than `from`, it is the one of the next day.
 */
const hours = z.strictObject({ from: timeOfDay, to: timeOfDay })

/** How an order has to differ from a valid one, so that its initiation or only its submission is rejected. */
const rejectedOrder = z.strictObject({
  /** The name of one of `initiations`; the first, if it is left out. */
  method: z.string().min(1).optional(),
  /** Merged over the body (RFC 7396): null removes a member. */
  change: jsonObject.default({}),
  /** The time of day at which it is sent, or authorized and submitted; it needs `testHooks.advanceClock`. */
  at: timeOfDay.optional(),
  /** The same order is sent twice, and the second is meant: of two that are submitted, the first leaves too little for it. */
  twice: z.boolean().default(false),
})

export type RejectedOrder = z.output<typeof rejectedOrder>

export type Provocation = RejectedOrder & {
  /** Of placeholders, in the place of those of a valid order. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** One order, or a list of orders that are rejected for the same reason: each is sent, and judged. */
const rejectedOrders = z
  .union([z.array(rejectedOrder).nonempty(), rejectedOrder])
  .transform((orders): readonly RejectedOrder[] => [orders].flat())
  .optional()

const byCode = part(
  Object.fromEntries(REASON_CODES.map((code) => [code, rejectedOrders])) as Record<
    ReasonCode,
    typeof rejectedOrders
  >,
)

/** A party of the orders that move money. */
const party = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(70)
    .meta({ examples: ['Anna Nováková'] }),
  iban: iban.meta({ examples: ['SK2998010000002600001129'] }),
})

/** What differs in one environment, each as a whole; what is left out is the same as in the other. */
const ownPayments = z.strictObject({
  debtor: party.optional(),
  creditor: party.optional(),
  facts: paymentFacts.unwrap().optional(),
  provocations: byCode.unwrap().optional(),
  rejectedAtSubmission: byCode.unwrap().optional(),
})

/** The payment API; left out where the target does not offer it. */
export const payments = z.strictObject({
  /** The names of those of `applications` that initiate; the first one, if it is left out. */
  applications: actingApplications,
  /** By environment; `/` for none. */
  basePaths: basePathsLike('/sandbox/api/v1', '/api/v1'),
  /** Of the OAuth endpoints for payments, by environment; `/` for none. */
  oauthBasePaths: basePathsLike('/sandbox', '/'),
  /** The header that carries a new id with each request. */
  requestIdHeader: headerName.default('Request-ID'),
  /**
   * Whether the bank pays once where a request arrives again unchanged, by that header or an id of the order: then it is
   * sent again after 429, or 503 with Retry-After.
   */
  idempotent: z.boolean().default(false),
  /**
   * How the application authenticates in the payment operations. `bearer`: with a token of `token`. `basic`: with client id
   * and secret in the Authorization header. `other`: with `headers`, `signature` or the certificate of the connection alone.
   */
  authentication: z.enum(['bearer', 'basic', 'other']).default('bearer'),
  /**
   * Headers of all payment operations. `{redirectUri}` stands for the first one of the application, `{clientId}` for its
   * id, `{orderId}` for the payment, `{approval}` for the value of its approval: a header without a value is left out.
   */
  headers: headers.default({}),
  /**
   * A module (.ts, .js or .mjs, from the folder of the profile) whose default export signs a payment request:
   * `(request) => headers`. The request has method, url, headers, body, the application's name and client id, and now.
   */
  signature: z
    .string()
    .regex(/\.(ts|js|mjs)$/, 'the name of a module ends with .ts, .js or .mjs')
    .optional()
    .meta({ examples: ['sign-payments.ts'] }),
  /** How the application comes to the token that it initiates with, where `authentication` is `bearer`. */
  token: part({
    path: path.default('/auth/oauth/v2/token'),
    form: z.record(z.string(), z.string()).default({ grant_type: 'client_credentials', scope: 'PISP' }),
    /** `basic`: client id and secret stand in the Authorization header. `form`: in client_id and client_secret. */
    credentials: z.enum(['basic', 'form']).default('basic'),
  }),
  /** Left out, the customer authorizes a payment by an OAuth grant, as `authorize` says. */
  approval: approval.optional(),
  /** Where the customer authorizes one payment, in the browser. */
  authorize: part({
    /** `{orderId}` stands for the payment, here and in the scope. */
    path: path.default('/auth/oauth/v2/authorize'),
    scope: z.string().min(1).default('PISP'),
    /** The parameter of the query that carries the orderId, wherever else it stands. */
    parameter: z.string().min(1).default('orderId'),
  }),
  initiations,
  /** GET /payments/{orderId}/status. */
  status: part({
    path: path
      .refine((text) => text.includes('{orderId}'), 'the path names the payment as {orderId}')
      .default('/payments/{orderId}/status'),
  }),
  /** POST /payments/submission. */
  submission: part({
    path: path.default('/payments/submission'),
    /**
     * `granted`: the token that the customer's authorization gives. `client`: that of the initiation, as it always is
     * with an `approval`, or without tokens.
     */
    token: z.enum(['granted', 'client']).default('granted'),
    /** Sent as JSON; `{orderId}` stands for the payment, `{approval}` for the value of its approval. Left out, the request has no body. */
    body: jsonObject.optional(),
  }),
  /** From whose account the payments go: one of the first customer's. */
  debtor: party.meta({ examples: [{ name: 'Anna Nováková', iban: 'SK2998010000002600001129' }] }),
  creditor: party.meta({ examples: [{ name: 'Ján Novák', iban: 'SK1198010000004000007788' }] }),
  /** Those of an environment in which these accounts do not exist, with other facts and orders. */
  environments: z
    .strictObject({ sandbox: ownPayments.optional(), production: ownPayments.optional() })
    .optional(),
  /** The name of the one of `customers` who authorizes payments; the first, if it is left out. */
  customer: z.string().min(1).optional(),
  /** The smallest amount that the target takes; payments that are submitted are of this amount. */
  amount: z.number().min(0.01).default(0.01),
  currency: currency.default('EUR'),
  hours: hours.optional(),
  facts: paymentFacts,
  /** Reason code → an order that its initiation rejects, or several: those that do not follow from `facts`. */
  provocations: byCode,
  /**
   * Reason code → an order that is rejected with it only when it is submitted, or several. A code that is named neither here nor among
   * the provocations is not judged.
   */
  rejectedAtSubmission: byCode,
})

export type PaymentsProfile = z.output<typeof payments>

/** From whose account payments go in an environment, and to whose. */
export const partiesIn = (
  { debtor, creditor, environments }: PaymentsProfile,
  environment: 'sandbox' | 'production',
): Pick<PaymentsProfile, 'debtor' | 'creditor'> => {
  const own = environments?.[environment]
  return { debtor: own?.debtor ?? debtor, creditor: own?.creditor ?? creditor }
}

/** The same payment API with the facts and the rejected orders of an environment. */
export const ordersIn = (
  payments: PaymentsProfile,
  environment: 'sandbox' | 'production',
): PaymentsProfile => {
  const {
    facts = payments.facts,
    provocations: rejected = payments.provocations,
    rejectedAtSubmission: late = payments.rejectedAtSubmission,
  } = payments.environments?.[environment] ?? {}
  return { ...payments, facts, provocations: rejected, rejectedAtSubmission: late }
}

/** An order that is rejected, with its code and its key: that of an order in a list has its place. */
export interface KeyedOrder<Order, Code = ReasonCode> {
  readonly code: Code
  readonly key: string
  /** What the profile states with it, after "the profile states that". */
  readonly states: string
  readonly order: Order
}

const keyed = <Order>(
  name: string,
  code: ReasonCode,
  orders: readonly Order[] = [],
): readonly KeyedOrder<Order>[] =>
  orders.map((order, at) => ({
    code,
    key: `payments.${name}.${code}${orders.length > 1 ? `.${at}` : ''}`,
    states: `this order is rejected with ${code}`,
    order,
  }))

/** The orders that follow from the facts, and those that the profile describes. */
export const provocationsOf = (
  payments: PaymentsProfile,
  rejection: Rejection,
): readonly KeyedOrder<Provocation, Rejection>[] => [
  ...factOrders(payments).filter(({ code, order }) => code === rejection && order.method !== undefined),
  ...(rejection === 'any' ? [] : keyed('provocations', rejection, payments.provocations[rejection])),
]

/** The orders of all codes that only their submission rejects. */
export const rejectedAtSubmissionOf = ({
  rejectedAtSubmission: orders,
}: Pick<PaymentsProfile, 'rejectedAtSubmission'>): readonly KeyedOrder<RejectedOrder>[] =>
  REASON_CODES.flatMap((code) => keyed('rejectedAtSubmission', code, orders[code]))

/** Whether a payment is submitted with a token of its own, which the customer's authorization gives. */
export const hasGrantedToken = ({ authentication, approval, submission }: PaymentsProfile): boolean =>
  authentication === 'bearer' && approval === undefined && submission.token === 'granted'
