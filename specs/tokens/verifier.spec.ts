import { challengeOf, change, check, isRefusedBetween, scenario } from '../../harness/check/index.ts'
import type { Observed } from '../../harness/check/index.ts'
import { describeRefusals, hidesItsSecrets, namesAnError, refusedAfter, saysWhatIsWrong } from './refusals.ts'
import { TOK } from './requirements.ts'

/** The value with the character in its middle changed to one that it has elsewhere. */
const altered = (value: string): string => {
  const middle = Math.floor(value.length / 2)
  const other = Array.from(value).find((character) => character !== value.charAt(middle)) ?? 'x'
  return value.slice(0, middle) + other + value.slice(middle + 1)
}

const unproved = scenario(
  'code exchanges with a code_verifier that is wrong or missing',
  { effect: 'consent', as: 'each', authorizations: 7, needs: ['customer'] },
  async ({ app, profile }) => {
    const before = await app.exchangeFreshCode()
    const first = await app.grant()
    const second = await app.grant()
    const third = await app.grant()
    const secondChallenge = challengeOf(second.verifier)
    return {
      errorPath: profile.operations.token.errorCode,
      before,
      // The code of the other grant is still good: the code_verifier of one that is over could be refused for that.
      ofAnotherGrant: await app.exchangeCode(first, change.form('code_verifier', second.verifier)),
      theChallenge: await app.exchangeCode(second, change.form('code_verifier', secondChallenge)),
      wrong: await app.exchangeCode(third, change.form('code_verifier', altered(third.verifier))),
      missing: await app.exchangeFreshCode(change.noForm('code_verifier')),
      empty: await app.exchangeFreshCode(change.form('code_verifier', '')),
      after: await app.exchangeFreshCode(),
    }
  },
)

type Unproved = Observed<Awaited<ReturnType<typeof unproved.act>>>

check(TOK.wrongVerifierIsRefused, unproved, ({ before, wrong, after }) =>
  isRefusedBetween({ before, changed: wrong, after }, 'a character of its code_verifier is another one'),
)

check(TOK.missingVerifierIsRefused, unproved, ({ before, missing, after }) =>
  isRefusedBetween({ before, changed: missing, after }, 'it has no code_verifier'),
)

check(TOK.emptyVerifierIsRefused, unproved, ({ before, empty, after }) =>
  isRefusedBetween({ before, changed: empty, after }, 'its code_verifier is empty'),
)

check(TOK.verifierOfAnotherGrantIsRefused, unproved, ({ before, ofAnotherGrant, after }) =>
  isRefusedBetween({ before, changed: ofAnotherGrant, after }, 'its code_verifier is that of another grant'),
)

check(TOK.challengeAsVerifierIsRefused, unproved, ({ before, theChallenge, after }) =>
  isRefusedBetween({ before, changed: theChallenge, after }, 'its code_verifier is the code_challenge'),
)

/** Those with a code_verifier. Whether a missing one is an invalid grant or an invalid request is not said. */
const wrongOnes = ({ before, ofAnotherGrant, theChallenge, wrong }: Unproved) =>
  refusedAfter(before, [ofAnotherGrant, theChallenge, wrong])

const allOf = ({ before, ofAnotherGrant, theChallenge, wrong, missing, empty }: Unproved) =>
  refusedAfter(before, [ofAnotherGrant, theChallenge, wrong, missing, empty])

check(TOK.refusalHasStatus400, unproved, (record) => {
  for (const { status } of allOf(record)) status.equals(400)
})

check(TOK.refusalNamesAnError, unproved, (record) => {
  for (const refusal of allOf(record)) namesAnError(refusal, record.errorPath)
})

check(TOK.invalidCodeIsAnInvalidGrant, unproved, (record) => {
  for (const refusal of wrongOnes(record)) saysWhatIsWrong(refusal, record.errorPath, 'invalid_grant')
})

check(TOK.refusalRepeatsNoSecret, unproved, (record) => {
  for (const refusal of allOf(record)) hidesItsSecrets(refusal)
})

describeRefusals(unproved, ({ errorPath, wrong, missing }) => ({
  errorPath,
  refused: { 'a wrong code_verifier': wrong, 'no code_verifier': missing },
}))
