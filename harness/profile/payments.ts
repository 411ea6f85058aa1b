import * as z from 'zod'
import { basePath, headerName, path } from './primitives.ts'
import { hours, initiations, provocations, rejectedAtSubmission } from './payments-orders.ts'

/**
 * The payment API: what its Endpoints and Authentication leave "not shown". The fields of a status record are
 * documented, and nobody can bind them.
 */

const json = z.record(z.string(), z.unknown())

/** A party of the orders that move money. */
const party = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(70)
    .meta({ examples: ['Anna Nováková'] }),
  iban: z
    .string()
    .regex(
      /^[A-Z]{2}\d{2}[0-9A-Z]{1,30}$/,
      'an IBAN in its electronic form: capitals and digits, without blanks',
    )
    .meta({ examples: ['SK2998010000002600001129'] }),
})

/** The payment API; left out where the target does not offer it. */
export const payments = z.strictObject({
  /** The name of the one of `applications` that initiates; the first, if it is left out. */
  application: z.string().min(1).optional(),
  /** By environment; `/` for none. */
  basePaths: z
    .strictObject({ sandbox: basePath.prefault('/sandbox/api/v1'), production: basePath.prefault('/api/v1') })
    .prefault({}),
  /** Of the OAuth endpoints for payments, by environment; `/` for none. */
  oauthBasePaths: z
    .strictObject({ sandbox: basePath.prefault('/sandbox'), production: basePath.prefault('/') })
    .prefault({}),
  /** The header that carries a new id with each request. */
  requestIdHeader: headerName.default('Request-ID'),
  /** How the application comes to the token that it initiates with. */
  token: z
    .strictObject({
      path: path.default('/auth/oauth/v2/token'),
      /** The parameters of the request. */
      form: z.record(z.string(), z.string()).default({ grant_type: 'client_credentials', scope: 'PISP' }),
      /** `basic`: client id and secret stand in the Authorization header. `form`: in client_id and client_secret. */
      credentials: z.enum(['basic', 'form']).default('basic'),
    })
    .prefault({}),
  /** Where the customer authorizes one payment, in the browser. */
  authorize: z
    .strictObject({
      /** `{orderId}` stands for the payment, here and in the scope. */
      path: path.default('/auth/oauth/v2/authorize'),
      scope: z.string().min(1).default('PISP'),
      /** The parameter of the query that carries the orderId, wherever else it stands. */
      parameter: z.string().min(1).default('orderId'),
    })
    .prefault({}),
  initiations,
  /** GET /payments/{orderId}/status. */
  status: z
    .strictObject({
      path: path
        .refine((text) => text.includes('{orderId}'), 'the path names the payment as {orderId}')
        .default('/payments/{orderId}/status'),
    })
    .prefault({}),
  /** POST /payments/submission. */
  submission: z
    .strictObject({
      path: path.default('/payments/submission'),
      /** `granted`: the token that the customer's authorization gives. `client`: that of the initiation. */
      token: z.enum(['granted', 'client']).default('granted'),
      /** Sent as JSON; `{orderId}` stands for the payment. Left out, the request has no body. */
      body: json.optional(),
    })
    .prefault({}),
  /** From whose account the payments go: one of the first customer's. */
  debtor: party.meta({ examples: [{ name: 'Anna Nováková', iban: 'SK2998010000002600001129' }] }),
  creditor: party.meta({ examples: [{ name: 'Ján Novák', iban: 'SK1198010000004000007788' }] }),
  /** The smallest amount that the target takes; payments that are submitted are of this amount. */
  amount: z.number().min(0.01).default(0.01),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'a currency has three capitals')
    .default('EUR'),
  hours: hours.optional(),
  provocations,
  rejectedAtSubmission,
})

export type PaymentsProfile = z.output<typeof payments>
