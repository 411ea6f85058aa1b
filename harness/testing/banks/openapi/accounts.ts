import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { authorize, decide, signIn } from './authorization.ts'
import { dayOf, isDay, timestamp } from './clock.ts'
import type { Environment } from './environment.ts'
import {
  BASIC_CHALLENGE,
  basicApplication,
  conforming,
  jsonBody,
  operations,
  parametersOf,
  problem,
  queryOf,
} from './http.ts'
import type { Account, Entry } from './seed.ts'
import { type Grant, oauthError, tokenEndpoint } from './tokens.ts'

const euros = (cents: number): { currency: string; value: string } => ({
  currency: 'EUR',
  value: (cents / 100).toFixed(2),
})

const isAccountGrant = ({ scope }: Grant): boolean => /^PREMIUM_AIS(:|$)/.test(scope)

const summary = ({ accountId, iban, kind, bank }: Account) => ({
  accountId,
  iban,
  kind,
  currency: 'EUR',
  bank,
})

const transaction = ({ entryReference, bookedAt, cents, counterparty, purpose }: Entry) => ({
  entryReference,
  bookingDate: dayOf(bookedAt),
  bookedAt: timestamp(bookedAt),
  amount: euros(cents),
  counterparty,
  purpose,
})

const day = z.string().refine(isDay, 'must be a date such as 2026-03-31').optional()

const transactionQuery = z.object({
  pageSize: z
    .string()
    .regex(/^([1-9]\d?|1\d\d|200)$/, 'must be 1 to 200')
    .default('50'),
  dateFrom: day,
  dateTo: day,
  cursor: z.string().optional(),
})

function transactionPage(c: Context, account: Account): unknown {
  const { values, repeated } = parametersOf(queryOf(c))
  if (repeated.size > 0) throw problem(400, 'FORMAT_ERROR', 'A parameter came more than once.')
  const { pageSize, dateFrom, dateTo, cursor } = conforming(transactionQuery, Object.fromEntries(values))
  const size = Number(pageSize)
  const matching = account.entries
    .filter(({ bookedAt }) => dayOf(bookedAt) >= (dateFrom ?? '') && dayOf(bookedAt) <= (dateTo ?? '9999'))
    .reverse()
  // The cursor names the last entry seen, so that new entries do not shift the pages.
  const seen = matching.findIndex(({ entryReference }) => entryReference === cursor)
  if (cursor !== undefined && seen === -1) throw problem(400, 'FORMAT_ERROR', 'cursor: is unknown')
  const page = matching.slice(seen + 1, seen + 1 + size)
  const last = page.at(-1)
  const next = queryOf(c)
  next.set('cursor', last?.entryReference ?? '')
  return {
    accountId: account.accountId,
    transactions: page.map(transaction),
    page: {
      size: page.length,
      total: matching.length,
      ...(last !== matching.at(-1) && { next: `${c.req.path}?${next.toString()}` }),
    },
  }
}

/** Consents, authorization, accounts and refresh: everything below the base path of the account API. */
export function accountApi(environment: Environment): Hono {
  const { accounts, clock, consents, tokens } = environment

  const createConsent = (c: Context): Response => {
    const application = basicApplication(c)
    if (application === undefined) {
      throw problem(
        401,
        'CLIENT_INVALID',
        'HTTP Basic with the id and the secret is needed.',
        BASIC_CHALLENGE,
      )
    }
    if (application.kind !== 'TPP') throw problem(403, 'TPP_ONLY', 'Only a TPP creates consents.')
    if ((c.req.header('x-request-id') ?? '') === '') {
      throw problem(400, 'FORMAT_ERROR', 'The header X-Request-ID is missing.')
    }
    const consent = { consentId: randomUUID(), applicationId: application.id, createdAt: clock.now() }
    consents.set(consent.consentId, consent)
    return c.json({ consentId: consent.consentId, createdAt: timestamp(consent.createdAt) }, 201)
  }

  const accountOf = (c: Context): Account => {
    const { customer } = tokens.grantOf(c, isAccountGrant)
    const account = accounts
      .ofCustomer(customer)
      .find(({ accountId }) => accountId === c.req.param('accountId'))
    if (account === undefined) throw problem(404, 'ACCOUNT_UNKNOWN', 'There is no such account.')
    return account
  }

  const refresh = async (c: Context): Promise<Response> => {
    const grant = tokens.grantOf(c, ({ consentId }) => consentId !== undefined)
    const { consentId } = await jsonBody(c, z.object({ consentId: z.string() }))
    if (consentId !== grant.consentId) {
      throw problem(403, 'CONSENT_MISMATCH', 'The token belongs to another consent.')
    }
    for (const account of accounts.ofCustomer(grant.customer)) accounts.fetchEntries(account)
    return c.json({ taskId: randomUUID() }, 202)
  }

  return operations([
    ['POST', '/v1/consents', createConsent],
    ['GET', '/auth/oauth/v2/authorize', authorize(environment)],
    ['POST', '/auth/oauth/v2/authorize/sign-in', signIn(environment)],
    ['POST', '/auth/oauth/v2/authorize/decision', decide(environment)],
    [
      'POST',
      '/auth/oauth/v2/token',
      tokenEndpoint({
        authorization_code: (application, form) => tokens.exchange(application, form),
        refresh_token: (application, form) => tokens.refresh(application, form),
        client_credentials: (application, form) => {
          if (application.kind !== 'TPP')
            throw oauthError('unauthorized_client', 'Only a TPP initiates payments.')
          if (form.get('scope') !== 'PIS_ORDER')
            throw oauthError('invalid_scope', 'The scope must be PIS_ORDER.')
          return tokens.issue({ application, scope: 'PIS_ORDER', revoked: false }, { renewable: false })
        },
      }),
    ],
    [
      'GET',
      '/v1/accounts',
      (c) => {
        const { customer } = tokens.grantOf(c, isAccountGrant)
        return c.json({ accounts: accounts.ofCustomer(customer).map(summary) })
      },
    ],
    [
      'GET',
      '/v1/accounts/:accountId',
      (c) => {
        const account = accountOf(c)
        const balance = { amount: euros(account.cents), asOf: timestamp(clock.now()) }
        const balances = ['BOOKED', 'AVAILABLE'].map((kind) => ({ kind, ...balance }))
        return c.json({ ...summary(account), balances })
      },
    ],
    ['GET', '/v1/accounts/:accountId/transactions', (c) => c.json(transactionPage(c, accountOf(c)))],
    ['PUT', '/refresh', refresh],
  ])
}
