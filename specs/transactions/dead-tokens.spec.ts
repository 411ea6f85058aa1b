import { isAccepted, NotReached } from '../../harness/check/index.ts'
import { nextPosition } from '../../harness/session/index.ts'
import { assertRefusedWith401, TOKEN_ENDS, type TokenEnd, type Variant } from '../shared/account-steps.ts'
import { checkInEachVariant, scenarioInEachVariant } from '../shared/each-variant.ts'
import {
  bindingOf,
  createWalker,
  listAccounts,
  MOST_TRIED,
  pageRequester,
  SMALLEST,
  withAtLeast,
} from './steps.ts'
import { TRX } from './requirements.ts'
import type { Session } from '../../harness/session/index.ts'

/** A walk over an account with two pages. @throws NotReached where none has. */
const walkTwoPages = async (session: Session, variant: Variant, accessToken: string) => {
  const walkBy = createWalker(session.app.accounts(variant), accessToken)
  const listed = withAtLeast(SMALLEST + 1, await listAccounts(session, variant, accessToken))
  for (const account of listed.slice(0, MOST_TRIED)) {
    const walk = await walkBy(account, [SMALLEST, 20])
    const [first, second] = walk.pages
    // A bank may answer an empty page behind a full one.
    if (first && second && isAccepted(second.exchange)) return { account, walk, first, second }
  }
  throw new NotReached('no account was answered with two pages of transactions')
}

/** Two pages before and after the end of their token, and a page with a new one. */
const askAroundTheEnd = async (session: Session, variant: Variant, endToken: TokenEnd['endToken']) => {
  const app = session.app.for(variant)
  const { accessToken } = await app.tokens()
  const accounts = app.accounts(variant)
  const { account, walk, first, second } = await walkTwoPages(session, variant, accessToken)
  await endToken(session, accessToken)
  const ask = pageRequester(accounts, accessToken, account, walk.size)
  // The later page before the first: a bank may notice the end of a token only in the first.
  const later = await ask(nextPosition(first.exchange, bindingOf(session, variant)))
  const pages = [
    { before: first.exchange, changed: await ask() },
    { before: second.exchange, changed: later },
  ]
  const next = await app.tokens()
  const [again] = withAtLeast(1, await listAccounts(session, variant, next.accessToken)).filter(
    ({ iban, accountId }) => (iban === undefined ? accountId === account.accountId : iban === account.iban),
  )
  const fresh = await accounts.transactions(next.accessToken, again ?? account, { size: walk.size })
  // The transactions may have become too old to be shown: then the page is empty.
  const after = isAccepted(fresh) ? fresh : await accounts.list(next.accessToken)
  return { pages, after }
}

const ROWS = {
  expired: [TRX.transactionsWithAnExpiredTokenHaveStatus401, TRX.secondVariantWithAnExpiredTokenHasStatus401],
  revoked: [TRX.transactionsWithARevokedTokenHaveStatus401, TRX.secondVariantWithARevokedTokenHasStatus401],
} as const

for (const { end, needs, wait, endToken, because } of TOKEN_ENDS) {
  const aroundTheEnd = scenarioInEachVariant(
    `pages of transactions with ${end === 'expired' ? 'an' : 'a'} ${end} token`,
    { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer', ...needs], ...wait },
    (session, variant) => askAroundTheEnd(session, variant, endToken),
  )

  checkInEachVariant(ROWS[end], aroundTheEnd, ({ pages, after }) => {
    for (const { before, changed } of pages) assertRefusedWith401({ before, changed, after }, because)
  })
}
