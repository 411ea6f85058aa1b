import {
  assertRefusedWith401,
  inventedIds,
  TOKEN_ENDS,
  type TokenEnd,
  type Variant,
} from '../shared/account-steps.ts'
import { checkInEachVariant, scenarioInEachVariant } from '../shared/each-variant.ts'
import type { Session } from '../../harness/session/index.ts'
import { listAccounts } from './steps.ts'
import { ACC } from './requirements.ts'

/** The same calls before and after the end of their token, and with a new one. */
const askAroundTheEnd = async (session: Session, variant: Variant, endToken: TokenEnd['endToken']) => {
  const app = session.app.for(variant)
  const accounts = app.accounts(variant)
  const { accessToken } = await app.tokens()
  const { list, first } = await listAccounts(accounts, accessToken)
  const before = { list, detail: await accounts.read(accessToken, first) }
  const [accountId = ''] = inventedIds(session.random, [first])
  await endToken(session, accessToken)
  // The detail before and after the list: a bank may notice the end of a token only in its list.
  const changed = {
    detail: await accounts.read(accessToken, first),
    list: await accounts.list(accessToken),
    detailAgain: await accounts.read(accessToken, first),
    // Whether an account exists, too, is answered only with a token.
    detailOfNone: await accounts.read(accessToken, { accountId }),
  }
  const next = await app.tokens()
  const fresh = await listAccounts(accounts, next.accessToken)
  const after = { list: fresh.list, detail: await accounts.read(next.accessToken, fresh.first) }
  return { before, changed, after }
}

const ROWS = {
  expired: [ACC.detailWithAnExpiredTokenHasStatus401, ACC.secondVariantWithAnExpiredTokenHasStatus401],
  revoked: [ACC.detailWithARevokedTokenHasStatus401, ACC.secondVariantWithARevokedTokenHasStatus401],
} as const

for (const { end, needs, wait, endToken, because } of TOKEN_ENDS) {
  const token = `${end === 'expired' ? 'an' : 'a'} ${end} token`
  const aroundTheEnd = scenarioInEachVariant(
    { first: `an account detail with ${token}`, second: `the second variant with ${token}` },
    { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', ...needs], ...wait },
    (session, variant) => askAroundTheEnd(session, variant, endToken),
  )

  checkInEachVariant(ROWS[end], aroundTheEnd, ({ before, changed, after }, variant) => {
    // The list of the first variant is judged with the other data calls, in the chapter on tokens.
    if (variant === 'second')
      assertRefusedWith401({ before: before.list, changed: changed.list, after: after.list }, because)
    for (const detail of [changed.detail, changed.detailAgain, changed.detailOfNone])
      assertRefusedWith401({ before: before.detail, changed: detail, after: after.detail }, because)
  })
}
