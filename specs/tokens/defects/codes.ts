import {
  accept,
  alter,
  both,
  defectsOf,
  each,
  EVERYWHERE,
  FOR_A_TPP,
  isOfAFac,
  isOfATpp,
  production,
  replaceRules,
  when,
  type Call,
  type FactsOf,
} from '../../shared/changes.ts'
import { meetingFor } from '../../shared/overlap.ts'
import { beginsAlike, isCut, isLonger, last, like } from './comparisons.ts'
import { isExchange, lastFor, readParameter, sentCodes, unknown } from './messages.ts'
import { TOK } from '../requirements.ts'

/** Codes that are accepted although they were used, are unknown or have expired. */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

type CodeFacts = Pick<FactsOf<'redeemsCode'>, 'code' | 'now'>

const ageOf = ({ code, now }: CodeFacts): number => now.getTime() - code.issuedAt.getTime()
const isOverADay = (facts: CodeFacts): boolean => ageOf(facts) > DAY

/** How often a code was used. */
const usesOf = ({ code }: CodeFacts, calls: readonly Call<'redeemsCode'>[]): number =>
  calls.filter(({ facts }) => facts.code.value === code.value).length

/** How long an exchange waits for another one that may come, between finding a code and using it up. */
const OVERLAP_MS = 50

const findBeforeUse = replaceRules(() => {
  const meet = meetingFor(OVERLAP_MS)
  return {
    redeemsCode: async ({ code, redemptions }) => {
      if (redemptions.has(code.value)) return false
      await meet()
      redemptions.add(code.value)
      return true
    },
  }
})

const readCode = (meant: Parameters<typeof readParameter>[2]) =>
  when(isExchange, readParameter('code', sentCodes, meant))

export const codeDefects = [
  ...defectsOf([TOK.codeIsAcceptedOnce, TOK.codeIsAcceptedOnceAmongConcurrentExchanges], {
    'A code is accepted any number of times': each([EVERYWHERE, FOR_A_TPP], accept('redeemsCode')),
    'A code is refused the second time, its tokens are revoked, and it is accepted the third time': both(
      accept('redeemsCode', (facts, { of }) => usesOf(facts, of('redeemsCode')) === 2),
      alter({ codeIsRevoked: false }),
    ),
  }),
  ...defectsOf([TOK.codeIsAcceptedOnce], {
    'A used code is forgotten a minute after it was issued': when(
      (facts: CodeFacts) => ageOf(facts) > MINUTE,
      accept('redeemsCode'),
    ),
  }),
  ...defectsOf([TOK.codeIsAcceptedOnce, TOK.codeExpiresShortly], {
    'A used code is accepted again after a day': when(
      isOverADay,
      alter({
        redeemsCode: true,
        codeIsFresh: (usual, facts, { of }) => usual || usesOf(facts, of('redeemsCode')) > 1,
      }),
    ),
  }),
  ...defectsOf([TOK.codeIsAcceptedOnceAmongConcurrentExchanges], {
    'Exchanges of one code at the same moment are all accepted': findBeforeUse,
  }),
  ...defectsOf([TOK.replayedCodeRevokesItsTokens], {
    'The tokens of a code stay valid when the code is used again': each(
      [EVERYWHERE, FOR_A_TPP],
      alter({ replayRevokes: false }),
    ),
  }),
  ...defectsOf([TOK.unknownCodeIsRefused], {
    'A code that lacks characters at its end is accepted': readCode(unknown(like(isCut))),
    'A code with more characters after the right one is accepted': readCode(unknown(like(isLonger))),
    'Only the first sixteen characters of a code are compared': readCode(unknown(like(beginsAlike(16)))),
    'In production an unknown code is read as the one that was issued last': when(
      production,
      readCode(unknown(last)),
    ),
  }),
  ...defectsOf([TOK.missingCodeIsRefused], {
    'A code exchange without a code uses the code that was issued last': readCode(lastFor(null)),
    'A code exchange with an empty code uses the code that was issued last': readCode(lastFor('')),
  }),
  ...defectsOf([TOK.codeExpiresShortly, TOK.codeExpiresWithinTenMinutes], {
    'A code never expires': accept('codeIsFresh'),
    'In production the code of a TPP never expires': when(production, when(isOfATpp, accept('codeIsFresh'))),
  }),
  ...defectsOf([TOK.codeExpiresShortly], {
    'Only the time of day of a code is compared, and not its date': alter({
      codeIsFresh: (_, facts, { rules }) =>
        rules.codeIsFresh({
          ...facts,
          now: new Date(facts.code.issuedAt.getTime() + (ageOf(facts) % DAY)),
        }),
    }),
  }),
  ...defectsOf([TOK.codeExpiresWithinTenMinutes], {
    'A code lives for an hour': alter({ codeIsFresh: (_, facts) => ageOf(facts) < 60 * MINUTE }),
    'The code of a FAC lives for fifteen minutes': when(
      isOfAFac,
      accept('codeIsFresh', (facts) => ageOf(facts) < 15 * MINUTE),
    ),
  }),
]
