import {
  check,
  days,
  isAccepted,
  isRefusedBetween,
  NotReached,
  positionBehind,
  refusalOf,
  scenario,
} from '../../harness/check/index.ts'
import { asking, createWalker, listedBy, SMALLEST, withAtLeast } from './asking.ts'
import { TRX } from './requirements.ts'
import { bindingOf } from './walks.ts'
import type { Observed, Session } from '../../harness/check/index.ts'
import type { Variant } from './asking.ts'

const HOUR = days(1) / 24

/** So many accounts are looked at for one of two pages. */
const LOOKED_AT = 3

/** The pages of an account that has two of them, as far as any has. */
const walkTwoPages = async (session: Session, variant: Variant, accessToken: string) => {
  const walkBy = createWalker(session.app.accounts(variant), accessToken)
  const listed = withAtLeast(SMALLEST + 1, await listedBy(session, variant, accessToken))
  for (const account of listed.slice(0, LOOKED_AT)) {
    const walk = await walkBy(account, [SMALLEST, 20])
    const [first, second] = walk.pages
    if (first && second) return { account, walk, first, second }
  }
  throw new NotReached('no account was answered with two pages of transactions')
}

/** The same two pages before and after the end of their token, and with one that was granted anew. */
const aroundTheEnd = async (
  session: Session,
  variant: Variant,
  end: (accessToken: string) => Promise<void>,
) => {
  const { accessToken } = await session.app.tokens()
  const accounts = session.app.accounts(variant)
  const { account, walk, first, second } = await walkTwoPages(session, variant, accessToken)
  await end(accessToken)
  const ask = asking(accounts, accessToken, account, walk.size)
  // The later page before the first one: a look at the first may be what shows the end of the token.
  const later = await ask(positionBehind(first.exchange, bindingOf(session, variant)))
  const changed = [await ask(), later]
  const next = await session.app.tokens()
  const [again] = withAtLeast(1, await listedBy(session, variant, next.accessToken)).filter(
    ({ iban, accountId }) => (iban === undefined ? accountId === account.accountId : iban === account.iban),
  )
  const fresh = await accounts.transactions(next.accessToken, again ?? account, { size: walk.size })
  // The transactions may have become too old to be shown, and leave an empty page.
  const after = isAccepted(fresh) ? fresh : await accounts.list(next.accessToken)
  return { before: [first.exchange, second.exchange], changed, after }
}

const EXPIRED = 'its access token was issued 90 days and an hour before'
const REVOKED = 'the user has revoked its access token'

const have401 = (
  { before, changed, after }: Observed<Awaited<ReturnType<typeof aroundTheEnd>>>,
  because: string,
): void => {
  for (const [at, page] of before.entries()) {
    const dead = changed[at]
    if (dead === undefined) continue
    isRefusedBetween({ before: page, changed: dead, after }, because)
    refusalOf(dead).status.equals(401)
  }
}

const expired = scenario(
  'pages of transactions with an expired token',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'clock'], waitsMs: days(90) },
  (session) => aroundTheEnd(session, 'first', () => session.clock.pass(days(90) + HOUR)),
)

check(TRX.transactionsWithAnExpiredTokenHaveStatus401, expired, (record) => have401(record, EXPIRED))

const expiredInTheSecond = scenario(
  'pages of transactions with an expired token in the second variant',
  {
    effect: 'consent',
    as: 'each',
    authorizations: 2,
    needs: ['customer', 'clock', 'second-variant'],
    waitsMs: days(90),
  },
  (session) => aroundTheEnd(session, 'second', () => session.clock.pass(days(90) + HOUR)),
)

check(TRX.secondVariantWithAnExpiredTokenHasStatus401, expiredInTheSecond, (record) =>
  have401(record, EXPIRED),
)

const revoked = scenario(
  'pages of transactions with a revoked token',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'revocation'] },
  (session) => aroundTheEnd(session, 'first', (token) => session.levers.revokeToken(token)),
)

check(TRX.transactionsWithARevokedTokenHaveStatus401, revoked, (record) => have401(record, REVOKED))

const revokedInTheSecond = scenario(
  'pages of transactions with a revoked token in the second variant',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'revocation', 'second-variant'] },
  (session) => aroundTheEnd(session, 'second', (token) => session.levers.revokeToken(token)),
)

check(TRX.secondVariantWithARevokedTokenHasStatus401, revokedInTheSecond, (record) =>
  have401(record, REVOKED),
)
