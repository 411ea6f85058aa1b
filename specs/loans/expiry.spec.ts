import {
  asCalculation,
  check,
  days,
  isRefusedBetween,
  NotReached,
  scenario,
} from '../../harness/check/index.ts'
import type { Exchange, LoanOperations, Session } from '../../harness/check/index.ts'
import { ORDINARY } from './calls.ts'
import { LOA } from './requirements.ts'

const MINUTE_MS = 60_000

/** Lets time pass until the answer has that age. */
const reach = (
  { clock }: Session,
  { sentAt, durationMs }: Exchange,
  age: number,
  slackMs?: number,
): Promise<void> =>
  clock.pass(Math.max(0, Date.parse(sentAt) + Math.ceil(durationMs) + age - clock.now().getTime()), slackMs)

const ending = scenario(
  'a loan sandbox token at the end of its day',
  { effect: 'consent', as: 'any', needs: ['loans', 'clock'], waitsMs: days(1) + MINUTE_MS },
  async (session) => {
    const loans = await session.loans()
    const { token, profile } = loans
    const held: LoanOperations = loans.bearing(loans.tokenIn(token))
    const young = await held.precalculate({ amount: ORDINARY })
    // A look that comes later would not show the token before its end.
    await reach(session, token, days(1) - MINUTE_MS, MINUTE_MS / 2)
    const old = await held.precalculate({ amount: ORDINARY })
    await reach(session, token, days(1) + MINUTE_MS)
    const expired = await held.precalculate({ amount: ORDINARY })
    await loans.renewToken()
    return { profile, young, old, expired, fresh: await loans.precalculate({ amount: ORDINARY }) }
  },
)

check(LOA.sandboxTokenLivesForADay, ending, ({ profile, young, old }) => {
  if (!asCalculation(young, profile).accepted)
    throw new NotReached('the token was not accepted when it was new')
  asCalculation(old, profile).isAccepted('its token was issued a day less a minute before')
})

check(LOA.expiredTokenHasStatus401, ending, ({ profile, young, expired, fresh }) => {
  if (![young, fresh].every((answer) => asCalculation(answer, profile).accepted))
    throw new NotReached('a token that is new was not accepted')
  if (asCalculation(expired, profile).accepted) throw new NotReached('the expired token was accepted')
  expired.status.equals(401)
})

check(LOA.sandboxTokenEndsAfterADay, ending, ({ profile, young, expired, fresh }) =>
  isRefusedBetween(
    {
      before: asCalculation(young, profile),
      changed: asCalculation(expired, profile),
      after: asCalculation(fresh, profile),
    },
    'its token was issued a day and a minute before',
  ),
)
