import * as z from 'zod'
import {
  basePathSuchAs,
  basePathsLike,
  dotted,
  headerName,
  headers,
  part,
  path,
  statuses,
  textSuchAs,
} from './primitives.ts'

/** The requests of the account interface: what its Endpoints leave "not shown". Paths go behind the base path. */

/** A path that names an account in `{account-id}`. */
const accountPath = path.refine(
  (text) => text.includes('{account-id}'),
  'the path names the account as {account-id}',
)

/**
 * How the last page is known. `said`, the default: it has no link or cursor, or the answer says how many there are. `empty-page`: a page
 * without transactions follows it, and what an answer says of further pages is not read.
 */
const end = z.enum(['said', 'empty-page']).optional()

/** How the page behind a page is asked for. */
const paging = z.discriminatedUnion('kind', [
  z.strictObject({
    /** The answer has a link to the next page, absolute or relative; the last page has none. */
    kind: z.literal('link'),
    next: dotted.default('_links.next.href'),
    end,
  }),
  z.strictObject({
    /** The answer has the address of the next page in a header Link (RFC 8288); that of the last page has none. */
    kind: z.literal('link-header'),
    /** The relation by which the next page is known. */
    relation: z.string().min(1).default('next'),
    end,
  }),
  z.strictObject({
    /** The answer has a text that goes into the next request; the last page has none. */
    kind: z.literal('cursor'),
    next: dotted.meta({ examples: ['nextCursor'] }),
    /** The parameter of the request (first variant: of the query, second variant: of the body, joined by dots) that carries it. */
    parameter: textSuchAs('cursor'),
    end,
  }),
  z.strictObject({
    /** Pages are numbered, and the answer says how many there are. */
    kind: z.literal('number'),
    parameter: z.string().min(1).default('page'),
    first: z.int().default(1),
    count: dotted.default('pageCount'),
    end,
  }),
  z.strictObject({
    /** The request says behind how many transactions the page begins, and the answer how many there are in all. */
    kind: z.literal('offset'),
    parameter: z.string().min(1).default('offset'),
    /** What asks for the first page. */
    first: z.int().default(0),
    total: dotted.default('total'),
    end,
  }),
])

export type Paging = z.output<typeof paging>

/** Where the answer of detail and balances has what. */
const detail = {
  /** The IBAN of the account, or the id, as in a list: by it the answer is known to be that of the account asked for. */
  iban: dotted.default('account.accountReference.iban'),
  /** The balances: a list, an object that has each under a name of its own, or one alone. */
  balances: dotted.default('account.balances'),
  /** The amount within one balance. */
  amount: dotted.default('balanceAmount.amount'),
}

/** Where a page of transactions has what. */
const transactions = {
  /** The list of transactions; `$` where it is the answer itself. */
  transactions: dotted.default('transactions'),
  /** What distinguishes one transaction from another, within one transaction. */
  id: dotted.default('transactionId'),
}

/** The body that names the account: `{accountId}` or `{iban}` stand for it. */
const accountBody = (placeholder: '{accountId}' | '{iban}', name: string) =>
  z
    .record(z.string(), z.unknown())
    .refine((body) => JSON.stringify(body).includes(placeholder), `the body passes ${placeholder} on`)
    .default({ [name]: placeholder })

/** How a body names an account that was picked from the list, and one whose IBAN was typed. */
const account = {
  picked: accountBody('{accountId}', 'accountId'),
  typed: accountBody('{iban}', 'iban'),
}

const request = {
  /** The header that carries a new id with each request. */
  requestIdHeader: headerName.default('X-Request-ID'),
  /** The status codes of success. */
  success: statuses.default([200]),
}

export const operations = z.strictObject({
  /** POST /v1/consents. */
  createConsent: part({
    path: path.default('/v1/consents'),
    ...request,
    success: statuses.default([200, 201]),
  }),
  /**
   * DELETE /v1/consents/{consent-id}, as the application that has created it: no part of what is judged. Where it is
   * bound, or `testHooks.revokeConsent`, the consents of a run are ended behind it.
   */
  deleteConsent: z
    .strictObject({
      path: path
        .refine((text) => text.includes('{consent-id}'), 'the path names the consent as {consent-id}')
        .default('/v1/consents/{consent-id}'),
      requestIdHeader: headerName.default('X-Request-ID'),
      success: statuses.default([200, 202, 204]),
    })
    .optional(),
  /** GET /auth/oauth/v2/authorize, in the customer's browser. */
  authorize: part({ path: path.default('/auth/oauth/v2/authorize') }),
  /** POST /auth/oauth/v2/token. */
  token: part({
    path: path.default('/auth/oauth/v2/token'),
    success: statuses.default([200]),
    /** The field of the token answer that carries the refresh token. */
    refreshToken: dotted.default('refresh_token'),
    /** The parameters of the refresh request; `{refresh_token}` stands for the token. */
    refreshForm: z
      .record(z.string(), z.string())
      .default({ grant_type: 'refresh_token', refresh_token: '{refresh_token}' }),
    /** Whether an access token must have expired before it is renewed: then the clock is moved before each refresh. */
    refreshesOnlyExpired: z.boolean().default(false),
    /** Where a refusal carries its code. */
    errorCode: dotted.default('error'),
  }),
  listAccounts: part({
    path: path.default('/v1/accounts'),
    ...request,
    /** The field of the answer that carries the list; `$` where the list is the answer itself. */
    accounts: dotted.default('accounts'),
    /** The IBAN within one account of the list; its id, where no IBAN is shown as a whole: then `customers` has each `accountId`. */
    iban: dotted.default('accountReference.iban'),
    /** Left out, a list whose answer has a next page as that of `listTransactions` has it is read to its end. */
    paging: paging.optional(),
  }),
  readAccount: part({
    path: accountPath.default('/v1/accounts/{account-id}'),
    ...request,
    ...detail,
  }),
  /** GET /v1/accounts/{account-id}/transactions. The parameter pageSize is documented. */
  listTransactions: part({
    path: accountPath.default('/v1/accounts/{account-id}/transactions'),
    ...request,
    /** Further parameters of the query, sent with every request. */
    query: z.record(z.string(), z.string()).default({}),
    ...transactions,
    paging: paging.prefault({ kind: 'link' }),
  }),
  /** PUT /refresh. */
  refresh: part({
    path: path.default('/refresh'),
    ...request,
    success: statuses.default([200, 201, 202]),
    /** `{consentId}` stands for the consent, here and below. Without it the consent is that of the token. */
    headers: headers.default({ 'PSU-IP-Address': '127.0.0.1' }),
    query: z.record(z.string(), z.string()).default({}),
    /** Sent as JSON. */
    body: z.record(z.string(), z.unknown()).optional(),
  }),
})

/**
 * The grants of the second variant, of which the interface shows nothing: the scope, and the endpoints where they are not
 * those of the first. They are asked, and answer, as `operations.authorize` and `operations.token` say.
 */
const ownOauth = z.strictObject({
  scope: textSuchAs('AIS'),
  /** Whether the scope of a TPP has a colon and a consentId behind it, as that of the first variant has. */
  consent: z.boolean().default(true),
  /** Before both paths, by environment; `/` for none. Left out, those of the first variant. */
  basePaths: z
    .strictObject({
      sandbox: basePathSuchAs('/sandbox'),
      production: basePathSuchAs('/'),
    })
    .optional(),
  authorize: z.strictObject({ path: path.meta({ examples: ['/oauth/authorize'] }) }).optional(),
  token: z.strictObject({ path: path.meta({ examples: ['/oauth/token'] }) }).optional(),
})

/** The operations of the second accounts variant; a target without it has no such part in its profile. */
export const secondVariant = z.strictObject({
  /** By environment; `/` for none. */
  basePaths: basePathsLike('/sandbox', '/'),
  /**
   * For a target whose tokens of the first variant do not open the second: then the customer grants each of them. Left
   * out, one grant opens both.
   */
  oauth: ownOauth.optional(),
  requestIdHeader: headerName.default('Request-ID'),
  listAccounts: part({
    path: path.default('/api/v1/accounts'),
    success: statuses.default([200]),
    accounts: dotted.default('accounts'),
    /** What picks an account of the list in the other operations, within one account of the list. */
    id: dotted.default('identification'),
    iban: dotted.default('iban'),
    paging: paging.optional(),
  }),
  readAccount: part({
    path: path.default('/api/v1/accounts/information'),
    success: statuses.default([200]),
    ...account,
    iban: dotted.default('account.iban'),
    balances: dotted.default('balances'),
    amount: dotted.default('amount.value'),
  }),
  listTransactions: part({
    path: path.default('/api/v1/accounts/transactions'),
    success: statuses.default([200]),
    ...account,
    /** The member of the body that carries the page size, as a number; joined by dots where it lies deeper. */
    pageSize: dotted.default('pageSize'),
    /** Further members of the body. */
    body: z.record(z.string(), z.unknown()).default({}),
    ...transactions,
    paging: paging.prefault({ kind: 'number' }),
  }),
})
