import { check } from '../../harness/check/index.ts'
import { days, property, scenario } from '../../harness/session/index.ts'
import { ACC } from '../accounts/requirements.ts'
import { TRX } from '../transactions/requirements.ts'
import { grantsIn, lives, MOST_GRANTS, YEAR, WITHOUT_TIME } from '../shared/life/acts.ts'
import { live } from '../shared/life/live.ts'
import { describeLife, keeps } from '../shared/life/model.ts'
import { TOK } from './requirements.ts'

/** Lives of customers, judged by the model in specs/shared/life: what is wrong only later, or only the second time. */

/** What a test hook does not do is left out of a sequence. */
const options = { effect: 'consent', as: 'any', needs: ['customer', 'revocation'] } as const

const BOOKINGS = { needs: ['own-account', 'booking'] } as const

const year = scenario(
  "a year of two customers' lives",
  {
    ...options,
    effect: 'notify',
    authorizations: grantsIn(YEAR),
    needs: [...options.needs, 'clock'],
    waitsMs: days(245),
  },
  (session) => live(session, YEAR, { waits: true }),
)

const day = scenario(
  'what two customers do on one day',
  { ...options, authorizations: grantsIn(WITHOUT_TIME) },
  (session) => live(session, WITHOUT_TIME),
)

const drawn = property(
  "a customer's life",
  { ...options, authorizations: MOST_GRANTS, needs: [...options.needs, 'clock'], waitsMs: days(20) },
  lives,
  live,
  { render: describeLife },
)

for (const life of [year, day]) {
  check(TOK.revokedTokenIsRefused, life, keeps('revokedIsRefused'))
  check(TOK.revokedTokenHasStatus401, life, keeps('revokedIs401'))
  check(TOK.refusedDataCallIsChallenged, life, keeps('refusalIsChallenged'))
  check(TOK.revocationEndsTheRefreshToken, life, keeps('revokedIsNotRenewed'))
  check(TOK.revocationEndsNoOtherGrant, life, keeps('othersLive'), { needs: ['second-customer'] })
  check(ACC.nothingElseIsListed, life, keeps('onlyOwnAccounts'), { needs: ['second-customer-account'] })
  check(ACC.balanceOfTheOwnBankIsCurrent, life, keeps('balanceIsMoved'), BOOKINGS)
  check(TRX.transactionsOfTheOwnBankAreCurrent, life, keeps('bookingIsListed'), BOOKINGS)
  check(TRX.pagesRepeatNothing, life, keeps('nothingIsTwice'))
  check(TRX.pagesLeaveNothingOut, life, keeps('nothingIsLost'), {
    needs: [...BOOKINGS.needs, 'counted-account'],
  })
}
check(TOK.accessTokenLivesNinetyDays, year, keeps('tokenLives'))
check(TOK.refreshedTokenLivesNinetyDays, year, keeps('refreshedTokenLives'))
check(TOK.accessTokenEndsAfterNinetyDays, year, keeps('tokenEnds'))
check(TOK.refreshedTokenEndsAfterNinetyDays, year, keeps('refreshedTokenEnds'))
check(TOK.refreshTokenLivesNinetyDays, year, keeps('refreshTokenLives'))
check(TOK.expiredTokenHasStatus401, year, keeps('expiredIs401'))

check(TOK.revokedTokenIsRefused, drawn, keeps('revokedIsRefused'))
