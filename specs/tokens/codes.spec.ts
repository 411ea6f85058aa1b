import { check, isRefusedBetween, NotReached } from '../../harness/check/index.ts'
import { days, scenario } from '../../harness/session/index.ts'
import { hidesItsSecrets, namesAnError, refusedAfter, saysWhatIsWrong } from './refusals.ts'
import { TOK } from './requirements.ts'

const replays = scenario(
  'a code that is used again',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer'] },
  async ({ app, profile }) => {
    const grant = await app.grant()
    const first = await app.exchangeCode(grant)
    const { accessToken = '' } = app.tokensIn(first)
    const list = await app.listAccounts(accessToken)
    const second = await app.exchangeCode(grant)
    const third = await app.exchangeCode(grant)
    const listAfterReplay = await app.listAccounts(accessToken)
    const after = await app.exchangeFreshCode()
    const { accessToken: fresh = '' } = app.tokensIn(after)
    const freshList = await app.listAccounts(fresh)
    const errorPath = profile.operations.token.errorCode
    return { errorPath, first, list, second, third, listAfterReplay, after, freshList }
  },
)

check(TOK.codeIsAcceptedOnce, replays, ({ first, second, third, after }) => {
  isRefusedBetween({ before: first, changed: second, after }, 'its code has been used')
  isRefusedBetween({ before: first, changed: third, after }, 'its code has been used, and tried again')
})

check(TOK.replayedCodeRevokesItsTokens, replays, ({ second, list, listAfterReplay, freshList }) => {
  if (second.accepted) throw new NotReached('the second use of the code was accepted')
  isRefusedBetween(
    { before: list, changed: listAfterReplay, after: freshList },
    'the code of its access token has been used again',
  )
})

check(TOK.refusalHasStatus400, replays, ({ first, second, third }) => {
  for (const { status } of refusedAfter(first, [second, third])) status.equals(400)
})

check(TOK.refusalNamesAnError, replays, ({ first, second, errorPath }) => {
  for (const refusal of refusedAfter(first, [second])) namesAnError(refusal, errorPath)
})

check(TOK.invalidCodeIsAnInvalidGrant, replays, ({ first, second, third, errorPath }) => {
  for (const refusal of refusedAfter(first, [second, third]))
    saysWhatIsWrong(refusal, errorPath, 'invalid_grant')
})

check(TOK.refusalRepeatsNoSecret, replays, ({ first, second }) => {
  for (const refusal of refusedAfter(first, [second])) hidesItsSecrets(refusal)
})

const AT_ONCE = 4

const race = scenario(
  'exchanges of one code at the same moment',
  { effect: 'consent', as: 'any', authorizations: 3, needs: ['customer'] },
  async ({ app }) => {
    const before = await app.exchangeFreshCode()
    const grant = await app.grant()
    const atOnce = await Promise.all(Array.from({ length: AT_ONCE }, () => app.exchangeCode(grant)))
    return { before, atOnce, after: await app.exchangeFreshCode() }
  },
)

check(TOK.codeIsAcceptedOnceAmongConcurrentExchanges, race, ({ before, atOnce, after }) => {
  const [first, ...others] = atOnce.filter(({ accepted }) => accepted)
  if (first === undefined) {
    // Who is in doubt may refuse them all.
    isRefusedBetween({ before, changed: atOnce, after }, 'its code is used by several at once')
    return
  }
  isRefusedBetween({ before, changed: others, after }, 'another exchange of its code was accepted as well')
})

const MINUTE = days(1) / (24 * 60)

const lying = scenario(
  'codes that were left lying',
  { effect: 'consent', as: 'each', authorizations: 4, needs: ['customer', 'clock'], waitsMs: days(1) },
  async ({ app, clock, profile }) => {
    const used = await app.grant()
    const before = await app.exchangeCode(used)
    const one = await app.grant()
    const another = await app.grant()
    await clock.pass(11 * MINUTE)
    const afterElevenMinutes = await app.exchangeCode(one)
    // A minute after a whole day: a bank that compares the time of day alone takes the code for a fresh one.
    await clock.pass(days(1) - 10 * MINUTE)
    const afterADay = await app.exchangeCode(another)
    const usedAfterADay = await app.exchangeCode(used)
    const after = await app.exchangeFreshCode()
    const errorPath = profile.operations.token.errorCode
    return { errorPath, before, afterElevenMinutes, afterADay, usedAfterADay, after }
  },
)

check(TOK.codeExpiresWithinTenMinutes, lying, ({ before, afterElevenMinutes, after }) =>
  isRefusedBetween({ before, changed: afterElevenMinutes, after }, 'its code is eleven minutes old'),
)

check(TOK.codeExpiresShortly, lying, ({ before, afterADay, after }) =>
  isRefusedBetween({ before, changed: afterADay, after }, 'its code is a day old'),
)

check(TOK.codeIsAcceptedOnce, lying, ({ before, usedAfterADay, after }) =>
  isRefusedBetween({ before, changed: usedAfterADay, after }, 'its code was used a day ago'),
)

check(TOK.invalidCodeIsAnInvalidGrant, lying, ({ before, afterADay, errorPath }) => {
  for (const refusal of refusedAfter(before, [afterADay]))
    saysWhatIsWrong(refusal, errorPath, 'invalid_grant')
})

check(TOK.refusalRepeatsNoSecret, lying, ({ before, afterADay }) => {
  for (const refusal of refusedAfter(before, [afterADay])) hidesItsSecrets(refusal)
})
