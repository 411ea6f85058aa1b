import { check, days, isRefusedBetween, refusalOf, scenario } from '../../harness/check/index.ts'
import type { Observed, Session } from '../../harness/check/index.ts'
import { listedBy } from './asking.ts'
import type { Variant } from './lists.ts'
import { ACC } from './requirements.ts'

const HOUR = days(1) / 24

/** The same calls before and after the end of their token, and with one that was granted anew. */
const aroundTheEnd = async (
  session: Session,
  variant: Variant,
  end: (accessToken: string) => Promise<void>,
) => {
  const accounts = session.app.accounts(variant)
  const { accessToken } = await session.app.tokens()
  const { list, first } = await listedBy(accounts, accessToken)
  const before = { list, detail: await accounts.read(accessToken, first) }
  await end(accessToken)
  // The detail before the list: a look at the list may be what shows the end of the token.
  const detail = await accounts.read(accessToken, first)
  const changed = {
    detail,
    list: await accounts.list(accessToken),
    again: await accounts.read(accessToken, first),
  }
  const next = await session.app.tokens()
  const fresh = await listedBy(accounts, next.accessToken)
  const after = { list: fresh.list, detail: await accounts.read(next.accessToken, fresh.first) }
  return { before, changed, after }
}

type Around = Observed<Awaited<ReturnType<typeof aroundTheEnd>>>

const has401 = (
  [before, changed, after]: readonly [
    Around['before']['list'],
    Around['before']['list'],
    Around['before']['list'],
  ],
  because: string,
): void => {
  isRefusedBetween({ before, changed, after }, because)
  refusalOf(changed).status.equals(401)
}

const detailHas401 = ({ before, changed, after }: Around, because: string): void => {
  has401([before.detail, changed.detail, after.detail], because)
  has401([before.detail, changed.again, after.detail], because)
}

const listHas401 = ({ before, changed, after }: Around, because: string): void =>
  has401([before.list, changed.list, after.list], because)

const EXPIRED = 'its access token was issued 90 days and an hour before'
const REVOKED = 'the user has revoked its access token'

const expired = scenario(
  'an account detail with an expired token',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'clock'], waitsMs: days(90) },
  (session) => aroundTheEnd(session, 'first', () => session.clock.pass(days(90) + HOUR)),
)

check(ACC.detailWithAnExpiredTokenHasStatus401, expired, (record) => detailHas401(record, EXPIRED))

const expiredInTheSecond = scenario(
  'the second variant with an expired token',
  {
    effect: 'consent',
    as: 'each',
    authorizations: 2,
    needs: ['customer', 'clock', 'second-variant'],
    waitsMs: days(90),
  },
  (session) => aroundTheEnd(session, 'second', () => session.clock.pass(days(90) + HOUR)),
)

check(ACC.secondVariantWithAnExpiredTokenHasStatus401, expiredInTheSecond, (record) => {
  listHas401(record, EXPIRED)
  detailHas401(record, EXPIRED)
})

const revoked = scenario(
  'an account detail with a revoked token',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'revocation'] },
  (session) => aroundTheEnd(session, 'first', (token) => session.levers.revokeToken(token)),
)

check(ACC.detailWithARevokedTokenHasStatus401, revoked, (record) => detailHas401(record, REVOKED))

const revokedInTheSecond = scenario(
  'the second variant with a revoked token',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', 'revocation', 'second-variant'] },
  (session) => aroundTheEnd(session, 'second', (token) => session.levers.revokeToken(token)),
)

check(ACC.secondVariantWithARevokedTokenHasStatus401, revokedInTheSecond, (record) => {
  listHas401(record, REVOKED)
  detailHas401(record, REVOKED)
})
