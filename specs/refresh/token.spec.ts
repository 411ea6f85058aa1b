import {
  change,
  check,
  days,
  isRefusedBetween,
  LIFETIME,
  MARGIN,
  NotReached,
  reachAge,
  refusalOf,
  scenario,
  tokenIn,
} from '../../harness/check/index.ts'
import type { Application, Session } from '../../harness/check/index.ts'
import { REF } from './requirements.ts'
import { heardOf, noTaskIsToldOf, refreshFresh } from './refreshing.ts'

/** Of the characters that a token may have (RFC 6750 §2.1), and about as long as one of 256 bits. */
const MADE_UP = 'No-bank-has-ever-issued-this-token-to-anyone'

type Party = Application['profile']
/** Nothing where the application comes to none. */
type TokenAsk = (party?: Party) => Promise<string>

/** Of the acting application where that comes to one, or else of the one that the profile has for it. */
const ofWhom = async (ask: TokenAsk, acting: Party): Promise<readonly string[]> => {
  for (const party of [acting, undefined])
    try {
      return [await ask(party)]
    } catch (error) {
      if (!(error instanceof NotReached)) throw error
    }
  return []
}

/** Access tokens for loans, and for payments as far as no customer has granted them: as the profile has them. */
const tokensOfOthers = async (session: Session): Promise<readonly string[]> => {
  const { app, profile } = session
  const { loans, payments, environment } = profile
  const isOwn = payments?.token.form['grant_type'] === 'client_credentials'
  const asks: readonly TokenAsk[] = [
    ...(loans !== undefined && environment === 'sandbox'
      ? [async (party?: Party) => tokenIn((await session.loans(party)).token)]
      : []),
    ...(isOwn ? [async (party?: Party) => tokenIn((await session.payments(party)).token)] : []),
  ]
  const tokens: string[] = []
  for (const ask of asks) tokens.push(...(await ofWhom(ask, app.profile)))
  return tokens
}

const without = scenario(
  'refreshes without an access token',
  { effect: 'notify', as: 'TPP', authorizations: 2, needs: ['customer'] },
  async (session) => {
    const { app } = session
    const others = await tokensOfOthers(session)
    const tokens = await app.tokens()
    const { clientId, clientSecret } = app.profile
    const before = await app.refreshAccounts(tokens)
    const changes = {
      missing: await app.refreshAccounts(tokens, change.noHeader('Authorization')),
      empty: await app.refreshAccounts(tokens, change.header('Authorization', 'Bearer')),
      basic: await app.refreshAccounts(tokens, change.basic(clientId, clientSecret)),
      refreshToken: await app.refreshAccounts(tokens, change.bearer(tokens.refreshToken)),
      unknown: await app.refreshAccounts(tokens, change.bearer(MADE_UP)),
    }
    const ofOthers = []
    for (const token of others) ofOthers.push(await app.refreshAccounts(tokens, change.bearer(token)))
    // Of another consent: a target may take one refresh of each in half a minute alone.
    return { before, ...changes, ofOthers, after: await refreshFresh(app) }
  },
)

check(
  REF.refreshWithoutTokenIsRefused,
  without,
  ({ before, missing, empty, basic, refreshToken, unknown, ofOthers, after }) => {
    isRefusedBetween({ before, changed: missing, after }, 'it has no Authorization header')
    isRefusedBetween({ before, changed: empty, after }, 'there is no token behind the word Bearer')
    isRefusedBetween({ before, changed: basic, after }, 'the Basic header of the client is no access token')
    isRefusedBetween({ before, changed: refreshToken, after }, 'the refresh token is no access token')
    isRefusedBetween({ before, changed: unknown, after }, 'the bank never issued the token')
    isRefusedBetween(
      { before, changed: ofOthers, after },
      'the access token is one for loans or for payments',
    )
  },
)

const unanswered = scenario(
  'what is heard of refreshes without an access token',
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 2,
    needs: ['customer', 'webhook', 'other-bank-account'],
  },
  async (session) => {
    const { app, webhook } = session
    const { clientId, clientSecret } = app.profile
    await webhook.activate()
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    const first = await heardOf(session, before)
    const changes = [
      change.noHeader('Authorization'),
      change.basic(clientId, clientSecret),
      change.bearer(tokens.refreshToken),
      change.bearer(MADE_UP),
    ]
    const refused = []
    for (const one of changes) refused.push(await app.refreshAccounts(tokens, one))
    const after = await refreshFresh(app)
    const last = await heardOf(session, after)
    const but = [before, after].map((refresh) => app.taskIdIn(refresh))
    return { consentId: tokens.consentId ?? '', but, before, first, refused, after, last }
  },
)

check(REF.refreshWithoutTokenIsRefused, unanswered, ({ consentId, but, first, last, ...record }) => {
  const { before, refused, after } = record
  isRefusedBetween({ before, changed: refused, after }, 'it has no access token')
  if (!first.isHeard || !last.isHeard)
    throw new NotReached('nothing was heard of a refresh that was accepted')
  noTaskIsToldOf(last.calls.slice(first.calls.length), { consents: [consentId], but })
})

const expired = scenario(
  'refreshes with a token that has expired',
  { effect: 'notify', as: 'TPP', authorizations: 2, needs: ['customer', 'clock'], waitsMs: days(91) },
  async (session) => {
    const { app, clock } = session
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    await reachAge(session, tokens.exchange, LIFETIME + MARGIN)
    const anHourLate = await app.refreshAccounts(tokens)
    await clock.pass(days(1))
    const aDayLate = await app.refreshAccounts(tokens)
    return { before, late: [anHourLate, aDayLate], after: await refreshFresh(app) }
  },
)

check(REF.refreshWithAnExpiredTokenHasStatus401, expired, ({ before, late, after }) => {
  isRefusedBetween({ before, changed: late, after }, 'its access token was issued more than 90 days before')
  for (const call of late) refusalOf(call).status.equals(401)
})

const renewed = scenario(
  'refreshes with expired tokens of a grant that was renewed',
  { effect: 'notify', as: 'TPP', authorizations: 2, needs: ['customer', 'clock'], waitsMs: days(120) },
  async (session) => {
    const { app, clock } = session
    const issued = await app.tokens()
    const first = await app.refreshAccounts(issued)
    await clock.pass(days(30), days(30))
    const renewal = await app.renew(issued)
    const next = { ...issued, ...renewal.tokens }
    const second = await app.refreshAccounts(next)
    await reachAge(session, issued.exchange, LIFETIME + MARGIN)
    const superseded = await app.refreshAccounts(issued)
    await reachAge(session, renewal.exchange, LIFETIME + MARGIN)
    const last = await app.refreshAccounts(next)
    const isNew = next.accessToken !== issued.accessToken
    const expired = { superseded, last }
    return { isNew, renewal: renewal.exchange, first, second, expired, after: await refreshFresh(app) }
  },
)

check(REF.refreshWithAnExpiredTokenHasStatus401, renewed, ({ isNew, renewal, expired, ...controls }) => {
  const { first, second, after } = controls
  if (!renewal.accepted || !isNew) throw new NotReached('the renewal gave no new access token')
  const { superseded, last } = expired
  isRefusedBetween(
    { before: first, changed: superseded, after },
    'its access token was issued more than 90 days before, whatever its grant has got since',
  )
  isRefusedBetween(
    { before: second, changed: last, after },
    'its access token came of a renewal more than 90 days before',
  )
  for (const call of [superseded, last]) refusalOf(call).status.equals(401)
})

const revoked = scenario(
  'a refresh with a token that was revoked',
  { effect: 'notify', as: 'TPP', authorizations: 2, needs: ['customer', 'revocation'] },
  async ({ app, levers }) => {
    const tokens = await app.tokens()
    const before = await app.refreshAccounts(tokens)
    await levers.revokeToken(tokens.accessToken)
    const changed = await app.refreshAccounts(tokens)
    return { before, changed, after: await refreshFresh(app) }
  },
)

check(REF.refreshWithARevokedTokenHasStatus401, revoked, ({ before, changed, after }) => {
  isRefusedBetween({ before, changed, after }, 'the user has revoked its access token')
  refusalOf(changed).status.equals(401)
})
