import {
  asCalculation,
  asSubmission,
  check,
  isNotCanceled,
  isRefusedBetween,
  NotReached,
  wasProcessed,
} from '../../harness/check/index.ts'
import { days, waitForAge, scenario, statusAfterCancellation } from '../../harness/session/index.ts'
import type { LoanOperations } from '../../harness/session/index.ts'
import { isNoApplicationBetween, isUntoldBetween, ORDINARY, tellsStatus } from './calls.ts'
import { LOA } from './requirements.ts'

const MINUTE_MS = 60_000
const MOMENT_MS = 45_000

const OLD = 'its token was issued a day and a minute before'

const ending = scenario(
  'a loan sandbox token at the end of its day',
  { effect: 'consent', as: 'any', needs: ['loans', 'clock'], waitsMs: days(1) + MINUTE_MS },
  async (session) => {
    const loans = await session.loans()
    const { token, profile } = loans
    const held: LoanOperations = loans.bearing(loans.tokenIn(token))
    const young = await held.precalculate({ amount: ORDINARY })
    // Another one may have ended the first: it is the last one that lives for its day.
    const renewed = await loans.renewToken()
    const last: LoanOperations = loans.bearing(loans.tokenIn(renewed))
    const youngLast = await last.precalculate({ amount: ORDINARY })
    // A look that comes later would not show the token before its end.
    await waitForAge(session, renewed, days(1) - MINUTE_MS, MINUTE_MS / 2)
    const old = await last.precalculate({ amount: ORDINARY })
    await waitForAge(session, renewed, days(1) + MINUTE_MS)
    const expired = [
      await held.precalculate({ amount: ORDINARY }),
      await last.precalculate({ amount: ORDINARY }),
    ]
    await loans.renewToken()
    return { profile, young, youngLast, old, expired, fresh: await loans.precalculate({ amount: ORDINARY }) }
  },
)

const lockedOut = scenario(
  'the operations of an application with a token at the end of its day',
  {
    effect: 'apply',
    as: 'any',
    needs: ['loans', 'clock'],
    loans: { submitted: 2 },
    waitsMs: days(1) + MINUTE_MS,
  },
  async (session) => {
    const loans = await session.loans()
    const { token, profile } = loans
    const held: LoanOperations = loans.bearing(loans.tokenIn(token))
    // So late that it is NEW at the end, even where its submission has selected a scenario.
    await waitForAge(session, token, days(1) - MOMENT_MS, MOMENT_MS / 2)
    const submission = await held.submit()
    const id = loans.idOf(submission)
    const before = await held.status(id)
    await waitForAge(session, token, days(1) + MINUTE_MS)
    const [read, submitted, attempt] = [await held.status(id), await held.submit(), await held.cancel(id)]
    await loans.renewToken()
    const after = await statusAfterCancellation({ clock: session.clock, loans }, id)
    const fresh = await loans.submit()
    await loans.cancel(id)
    return {
      profile,
      submission,
      before,
      read,
      submitted,
      attempt,
      after,
      fresh,
      last: await statusAfterCancellation({ clock: session.clock, loans }, id),
    }
  },
)

check(LOA.sandboxTokenEndsAfterADay, lockedOut, ({ profile, submission, submitted, fresh, ...record }) => {
  const { before, read, attempt, after, last } = record
  isUntoldBetween({ before, changed: read, after }, profile, OLD)
  isNoApplicationBetween({ before: submission, changed: submitted, after: fresh }, profile, OLD)
  isNotCanceled({ attempt, before, after, last }, profile, OLD)
})

check(LOA.expiredTokenHasStatus401, lockedOut, ({ profile, before, read, submitted, attempt, after }) => {
  if (![before, after].every((answer) => tellsStatus(answer, profile)))
    throw new NotReached('a token that is new was not accepted')
  if (tellsStatus(read, profile) || asSubmission(submitted, profile).accepted)
    throw new NotReached('the expired token was accepted')
  // Whether it has canceled anything is judged by itself.
  for (const answer of [read, submitted, ...(attempt.accepted ? [] : [attempt])]) {
    wasProcessed(answer)
    answer.status.equals(401)
  }
})

check(LOA.sandboxTokenLivesForADay, ending, ({ profile, youngLast, old }) => {
  if (!asCalculation(youngLast, profile).accepted)
    throw new NotReached('the token was not accepted when it was new')
  asCalculation(old, profile).isAccepted('its token was issued a day less a minute before')
})

check(LOA.expiredTokenHasStatus401, ending, ({ profile, young, expired, fresh }) => {
  if (![young, fresh].every((answer) => asCalculation(answer, profile).accepted))
    throw new NotReached('a token that is new was not accepted')
  for (const answer of expired) {
    if (asCalculation(answer, profile).accepted) throw new NotReached('the expired token was accepted')
    wasProcessed(answer)
    answer.status.equals(401)
  }
})

check(LOA.sandboxTokenEndsAfterADay, ending, ({ profile, young, expired, fresh }) =>
  isRefusedBetween(
    {
      before: asCalculation(young, profile),
      changed: expired.map((answer) => asCalculation(answer, profile)),
      after: asCalculation(fresh, profile),
    },
    OLD,
  ),
)
