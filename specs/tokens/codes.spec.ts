import { constantFrom, nat, record, string, uniqueArray } from 'fast-check'
import { check, isAcceptedToo, isRefusedBetween, NotReached } from '../../harness/check/index.ts'
import { challengeOf, change, days, property, scenario, type Change } from '../../harness/session/index.ts'
import { MINUTE } from '../shared/tolerances.ts'
import { granting } from '../shared/scenario-options.ts'
import { TOK } from './requirements.ts'
import { checkRefused } from '../shared/refused.ts'
import { checkError, checkRefusalForm, checkRefusals, describeRefusals, hidesItsSecrets } from './refusals.ts'
import { UNRESERVED } from './code-verifiers.ts'

const replays = scenario('a code that is used again', granting(2), async ({ app, profile }) => {
  const grant = await app.grant()
  const before = await app.exchangeCode(grant)
  const { accessToken = '' } = app.tokensIn(before)
  const list = await app.listAccounts(accessToken)
  const second = await app.exchangeCode(grant)
  const third = await app.exchangeCode(grant)
  const listAfterReplay = await app.listAccounts(accessToken)
  const after = await app.exchangeFreshCode()
  const { accessToken: fresh = '' } = app.tokensIn(after)
  const freshList = await app.listAccounts(fresh)
  const errorPath = profile.operations.token.errorCode
  return { errorPath, before, list, second, third, listAfterReplay, after, freshList }
})

checkRefused(TOK.codeIsAcceptedOnce, replays, {
  second: 'its code has been used',
  third: 'its code has been used, and tried again',
})

check(TOK.replayedCodeRevokesItsTokens, replays, ({ second, list, listAfterReplay, freshList }) => {
  if (second.accepted) throw new NotReached('the second use of the code was accepted')
  isRefusedBetween(
    { before: list, changed: listAfterReplay, after: freshList },
    'the code of its access token has been used again',
  )
})

checkRefusalForm(replays, ['second', 'third'])
checkError(TOK.invalidCodeIsAnInvalidGrant, replays, ['second', 'third'], 'invalid_grant')

const AT_ONCE = 4

const race = scenario('exchanges of one code at the same moment', granting(3), async ({ app }) => {
  const before = await app.exchangeFreshCode()
  const grant = await app.grant()
  const atOnce = await Promise.all(Array.from({ length: AT_ONCE }, () => app.exchangeCode(grant)))
  return { before, atOnce, after: await app.exchangeFreshCode() }
})

check(TOK.codeIsAcceptedOnceAmongConcurrentExchanges, race, ({ before, atOnce, after }) => {
  const first = atOnce.find(({ accepted }) => accepted)
  if (first === undefined) {
    // A bank may refuse all of them.
    isRefusedBetween({ before, changed: atOnce, after }, 'its code is used by several at once')
    return
  }
  const others = atOnce.filter((exchange) => exchange !== first)
  isRefusedBetween({ before, changed: others, after }, 'another exchange of its code was accepted as well')
})

const late = scenario(
  'codes that are not exchanged at once',
  { ...granting(4, 'clock'), waitsMs: days(1) + 14 * MINUTE },
  async ({ app, clock, profile }) => {
    const used = await app.grant()
    const before = await app.exchangeCode(used)
    // No other grant is given while a code ages: a bank may end older ones.
    const one = await app.grant()
    await clock.pass(11 * MINUTE)
    const afterElevenMinutes = await app.exchangeCode(one)
    const another = await app.grant()
    // A minute after a whole day: a bank that compares only the time of day takes the code for a new one.
    await clock.pass(days(1) + MINUTE)
    const afterADay = await app.exchangeCode(another)
    const usedAfterADay = await app.exchangeCode(used)
    const fresh = await app.grant()
    const after = await app.exchangeCode(fresh)
    // It would still be valid: a bank may remember for a moment only that it was used.
    await clock.pass(2 * MINUTE)
    const usedAfterTwoMinutes = await app.exchangeCode(fresh)
    const errorPath = profile.operations.token.errorCode
    return { errorPath, before, afterElevenMinutes, afterADay, usedAfterADay, after, usedAfterTwoMinutes }
  },
)

checkRefused(TOK.codeExpiresWithinTenMinutes, late, { afterElevenMinutes: 'its code is eleven minutes old' })
checkRefused(TOK.codeExpiresShortly, late, { afterADay: 'its code is a day old' })
checkRefused(TOK.codeIsAcceptedOnce, late, {
  usedAfterADay: 'its code was used a day ago',
  usedAfterTwoMinutes: 'its code was used two minutes ago',
})
checkError(TOK.invalidCodeIsAnInvalidGrant, late, ['afterADay'], 'invalid_grant')
checkRefusals(TOK.refusalRepeatsNoSecret, late, ['afterADay'], hidesItsSecrets)

/** The value with the character in its middle changed to one that it has elsewhere. */
const altered = (value: string): string => {
  const middle = Math.floor(value.length / 2)
  const other = Array.from(value).find((character) => character !== value.charAt(middle)) ?? 'x'
  return value.slice(0, middle) + other + value.slice(middle + 1)
}

const unproved = scenario(
  'code exchanges with a code_verifier that is wrong or missing',
  granting(9),
  async ({ app, profile }) => {
    const before = await app.exchangeFreshCode()
    // The code of the other grant is unused: the code_verifier of a finished grant could be refused for that reason.
    const other = await app.grant()
    // Each with the code of the latest grant: a bank may end older ones.
    const withVerifier = async (verifierOf: (own: string) => string) => {
      const grant = await app.grant()
      return app.exchangeCode(grant, change.form('code_verifier', verifierOf(grant.verifier)))
    }
    return {
      errorPath: profile.operations.token.errorCode,
      before,
      ofAnotherGrant: await withVerifier(() => other.verifier),
      theChallenge: await withVerifier(challengeOf),
      wrong: await withVerifier(altered),
      missing: await app.exchangeFreshCode(change.noForm('code_verifier')),
      empty: await app.exchangeFreshCode(change.form('code_verifier', '')),
      ofALaterGrant: await app.exchangeCode(
        other,
        change.form('code_verifier', (await app.grant()).verifier),
      ),
      after: await app.exchangeFreshCode(),
    }
  },
)

checkRefused(TOK.wrongVerifierIsRefused, unproved, {
  wrong: 'a character of its code_verifier is another one',
})
checkRefused(TOK.missingVerifierIsRefused, unproved, { missing: 'it has no code_verifier' })
checkRefused(TOK.emptyVerifierIsRefused, unproved, { empty: 'its code_verifier is empty' })
checkRefused(TOK.verifierOfAnotherGrantIsRefused, unproved, {
  ofAnotherGrant: 'its code_verifier is that of another grant',
  ofALaterGrant: 'its code_verifier is that of a later grant',
})
checkRefused(TOK.challengeAsVerifierIsRefused, unproved, {
  theChallenge: 'its code_verifier is the code_challenge',
})

/** Those with a code_verifier. Whether a missing one is an invalid grant or an invalid request is not shown. */
const WRONG = ['ofAnotherGrant', 'theChallenge', 'wrong', 'ofALaterGrant'] as const

checkRefusalForm(unproved, [...WRONG, 'missing', 'empty'])
checkError(TOK.invalidCodeIsAnInvalidGrant, unproved, WRONG, 'invalid_grant')

describeRefusals(unproved, { wrong: 'a wrong code_verifier', missing: 'no code_verifier' })

const verifier = string({
  unit: constantFrom(...Array.from(UNRESERVED)),
  minLength: 43,
  maxLength: 128,
  size: 'max',
})

/** Which characters are written as percent escapes: among the first ones, which every value has. */
const escapes = record({
  parameter: constantFrom('code_verifier', 'redirect_uri'),
  places: uniqueArray(nat(42), { maxLength: 43 }),
  digits: constantFrom('lower' as const, 'upper' as const),
})

const validRequests = property(
  'a code exchange with any code_verifier that PKCE allows and percent escapes in its form',
  { effect: 'consent', as: 'any', authorizations: 1, needs: ['customer'] },
  record({ verifier, escapes }),
  async (session, { verifier, escapes: { parameter, places, digits } }) => {
    const { app } = session
    const exchange = async (changed?: Change) => app.exchangeCode(await app.grant({ verifier }), changed)
    const escaped = await session.alike(
      () => exchange(),
      () => exchange(change.formEscaped(parameter, places, digits)),
    )
    const { changed, valid } = escaped
    // Where the code_verifier is refused without escapes as well, the usual one shows whether it is the cause.
    const unusual =
      valid === undefined
        ? { changed }
        : await session.alike(
            () => app.exchangeFreshCode(),
            async () => valid,
          )
    return { escaped, unusual }
  },
)

check(TOK.everyLegalVerifierIsAccepted, validRequests, ({ unusual }) =>
  isAcceptedToo(unusual, 'its code_verifier is one that PKCE allows, and that of the code_challenge'),
)

check(TOK.percentEscapesAreDecoded, validRequests, ({ escaped, unusual }) => {
  // A code_verifier that is refused without escapes as well is judged above, and leaves nothing to judge here.
  const isUnusual = escaped.valid?.accepted === false && unusual.valid?.accepted === true
  if (!escaped.changed.accepted && isUnusual) return
  isAcceptedToo(escaped, 'a percent escape stands for its character, whatever the case of its digits')
})
