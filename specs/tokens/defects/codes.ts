import { breaking, isOfAFac, isOfATpp, meetingFor, where } from '../../shared/defects.ts'
import { readingExchanges, type Known } from './requests.ts'
import { TOK } from '../requirements.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** Codes that are accepted although they were used, are unknown or have expired. */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How long an exchange waits for another one that may come, between finding a code and using it up. */
const OVERLAP_MS = 50

type CodeFacts = Parameters<Rules['redeemsCode']>[0]

const ageOf = ({ code, now }: Pick<CodeFacts, 'code' | 'now'>): number =>
  now.getTime() - code.issuedAt.getTime()

/** Accepts some uses of a code after the first one. */
const forgettingUses =
  (isForgotten: (uses: number, facts: CodeFacts) => boolean) =>
  (lawful: Rules): Partial<Rules> => {
    const uses = new Map<string, number>()
    return {
      redeemsCode: async (facts) => {
        const count = (uses.get(facts.code.value) ?? 0) + 1
        uses.set(facts.code.value, count)
        return (await lawful.redeemsCode(facts)) || isForgotten(count, facts)
      },
    }
  }

/** Reads an unknown code as a known one. */
const readAs = (meant: (value: string, codes: Known['codes']) => string | undefined): Wire =>
  readingExchanges(({ form }, { codes }) => {
    const value = form.get('code') ?? ''
    const found = value === '' || codes.includes(value) ? undefined : meant(value, codes)
    if (found !== undefined) form.set('code', found)
  })

/** Uses the code that was issued last, where the form `lacks` one. */
const lastCodeWhere = (lacks: (form: URLSearchParams) => boolean): Wire =>
  readingExchanges(({ form }, { codes }) => {
    const last = codes.at(-1)
    if (lacks(form) && last !== undefined) form.set('code', last)
  })

const uses: readonly Defect[] = [
  ...breaking(TOK.codeIsAcceptedOnce, {
    'code-is-never-used-up': {
      story: 'A code is accepted any number of times.',
      alsoBreaks: [TOK.codeIsAcceptedOnceAmongConcurrentExchanges],
      rules: forgettingUses(() => true),
    },
    'code-of-a-tpp-is-never-used-up': {
      story: 'The code of a TPP is accepted any number of times.',
      alsoBreaks: [TOK.codeIsAcceptedOnceAmongConcurrentExchanges],
      rules: forgettingUses((_, facts) => isOfATpp(facts)),
    },
    'code-is-accepted-the-third-time': {
      story: 'A code is refused the second time, its tokens are revoked, and it is accepted the third time.',
      alsoBreaks: [TOK.codeIsAcceptedOnceAmongConcurrentExchanges],
      rules: (lawful) => ({ ...forgettingUses((count) => count === 3)(lawful), codeIsRevoked: () => false }),
    },
    'used-code-is-forgotten-after-a-day': {
      story: 'A used code is accepted again after a day.',
      rules: (lawful) => {
        const isOld = (facts: Pick<CodeFacts, 'code' | 'now'>): boolean => ageOf(facts) > DAY
        const revived = new Set<string>()
        return {
          redeemsCode: async (facts) => {
            if (await lawful.redeemsCode(facts)) return true
            if (isOld(facts)) revived.add(facts.code.value)
            return isOld(facts)
          },
          codeIsFresh: (facts) => revived.has(facts.code.value) || lawful.codeIsFresh(facts),
        }
      },
    },
  }),
  ...breaking(TOK.codeIsAcceptedOnceAmongConcurrentExchanges, {
    'code-is-looked-for-before-it-is-taken': {
      story: 'Exchanges of one code at the same moment are all accepted.',
      rules: () => {
        const meet = meetingFor(OVERLAP_MS)
        return {
          redeemsCode: async (facts) => {
            if (facts.redemptions.has(facts.code.value)) return false
            await meet()
            facts.redemptions.add(facts.code.value)
            return true
          },
        }
      },
    },
  }),
  ...breaking(TOK.replayedCodeRevokesItsTokens, {
    'replayed-code-revokes-nothing': {
      story: 'The tokens of a code stay valid when the code is used again.',
      rules: { replayRevokes: () => false },
    },
    'replayed-code-of-a-tpp-revokes-nothing': {
      story: 'The tokens of a TPP stay valid when their code is used again.',
      rules: where(isOfATpp, { replayRevokes: () => false }),
    },
  }),
]

const unknownCodes: readonly Defect[] = [
  ...breaking(TOK.unknownCodeIsRefused, {
    'code-is-known-by-its-beginning': {
      story: 'A code that lacks characters at its end is accepted.',
      wire: readAs((value, codes) => codes.find((code) => code.startsWith(value))),
    },
    'longer-code-is-accepted': {
      story: 'A code with more characters after the right one is accepted.',
      wire: readAs((value, codes) => codes.find((code) => value.startsWith(code))),
    },
    'code-is-compared-as-far-as-its-sixteenth-character': {
      story: 'Only the first sixteen characters of a code are compared.',
      wire: readAs((value, codes) => codes.find((code) => code.slice(0, 16) === value.slice(0, 16))),
    },
    'unknown-code-opens-the-last-grant': {
      story: 'In production an unknown code is read as the one that was issued last.',
      environment: 'production',
      wire: readAs((_, codes) => codes.at(-1)),
    },
  }),
  ...breaking(TOK.missingCodeIsRefused, {
    'missing-code-opens-the-last-grant': {
      story: 'A code exchange without a code uses the code that was issued last.',
      wire: lastCodeWhere((form) => !form.has('code')),
    },
    'empty-code-opens-the-last-grant': {
      story: 'A code exchange with an empty code uses the code that was issued last.',
      wire: lastCodeWhere((form) => form.get('code') === ''),
    },
  }),
]

const ages: readonly Defect[] = [
  ...breaking(TOK.codeExpiresShortly, {
    'code-never-expires': {
      story: 'A code never expires.',
      alsoBreaks: [TOK.codeExpiresWithinTenMinutes],
      rules: { codeIsFresh: () => true },
    },
    'code-of-a-tpp-never-expires-in-production': {
      story: 'In production the code of a TPP never expires.',
      alsoBreaks: [TOK.codeExpiresWithinTenMinutes],
      environment: 'production',
      rules: where(isOfATpp, { codeIsFresh: () => true }),
    },
    'code-expires-by-the-time-of-day': {
      story: 'Only the time of day of a code is compared, and not its date.',
      rules: (lawful) => ({
        codeIsFresh: (facts) => {
          const now = new Date(facts.code.issuedAt.getTime() + (ageOf(facts) % DAY))
          return lawful.codeIsFresh({ ...facts, now })
        },
      }),
    },
  }),
  ...breaking(TOK.codeExpiresWithinTenMinutes, {
    'code-lives-for-an-hour': {
      story: 'A code lives for an hour.',
      rules: { codeIsFresh: (facts) => ageOf(facts) < 60 * MINUTE },
    },
    'code-of-a-fac-lives-for-a-quarter-of-an-hour': {
      story: 'The code of a FAC lives for fifteen minutes.',
      rules: where((facts) => isOfAFac(facts) && ageOf(facts) < 15 * MINUTE, { codeIsFresh: () => true }),
    },
  }),
]

export const codeDefects: readonly Defect[] = [...uses, ...unknownCodes, ...ages]

/** Wrong code_verifiers that are accepted. */

type VerifierFacts = Parameters<Rules['verifierMatches']>[0]

/** Accepts a verifier from which `meant` makes the right one. */
const accepting =
  (meant: (verifier: string) => readonly string[], kinds: readonly string[] = ['FAC', 'TPP']): RuleChange =>
  (lawful) => ({
    verifierMatches: (facts) => {
      const { verifier = '', client } = facts
      const others = kinds.includes(client.kind) && verifier !== '' ? meant(verifier) : []
      return [facts.verifier, ...others].some((one) => lawful.verifierMatches({ ...facts, verifier: one }))
    },
  })

const without = (text: string, place: number): string => text.slice(0, place) + text.slice(place + 1)

const recased = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()

/** The texts in which one character is changed, for each place. */
const everywhere = (text: string, change: (character: string) => string): readonly string[] =>
  Array.from(text, (character, place) => text.slice(0, place) + change(character) + text.slice(place + 1))

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

/** The texts with one more character at the end. */
const completed = (text: string): readonly string[] => Array.from(ALPHABET, (character) => text + character)

/** The texts with another last character. */
const withAnotherEnd = (text: string): readonly string[] => completed(text.slice(0, -1))

/** Accepts any verifier where `applies`. */
const unverified = (applies: (facts: VerifierFacts) => boolean): RuleChange =>
  where(applies, { verifierMatches: () => true })

const isMissing = ({ verifier }: VerifierFacts): boolean => verifier === undefined
const optional = unverified(isMissing)

const isTheChallenge = ({ verifier, code }: VerifierFacts): boolean => verifier === code.challenge

/** Compares a verifier with the challenges of all grants where `counts`. */
const verifiedAmongAll =
  (counts: (facts: VerifierFacts, challenge: string, owner: string) => boolean) =>
  (lawful: Rules): Partial<Rules> => {
    const challenges = new Map<string, string>()
    return {
      challengeIsWellFormed: (facts) => {
        challenges.set(facts.challenge, facts.client.clientId)
        return lawful.challengeIsWellFormed(facts)
      },
      verifierMatches: (facts) =>
        [...challenges].some(
          ([challenge, owner]) =>
            counts(facts, challenge, owner) &&
            lawful.verifierMatches({ ...facts, code: { ...facts.code, challenge } }),
        ),
    }
  }

/** Too short for a code_verifier. */
const WRONG = 'x'

export const verifierDefects: readonly Defect[] = [
  ...breaking(TOK.wrongVerifierIsRefused, {
    'verifier-is-not-verified': {
      story: 'Any code_verifier is accepted.',
      alsoBreaks: [TOK.verifierOfAnotherGrantIsRefused, TOK.challengeAsVerifierIsRefused, 'AUT-44'],
      rules: unverified((facts) => !isMissing(facts)),
      inProduction: 'verifier-is-not-verified-in-production',
    },
    'verifier-of-a-tpp-is-not-verified': {
      story: 'Any code_verifier of a TPP is accepted.',
      alsoBreaks: [TOK.verifierOfAnotherGrantIsRefused, TOK.challengeAsVerifierIsRefused, 'AUT-44'],
      rules: unverified((facts) => !isMissing(facts) && isOfATpp(facts)),
    },
    'verifier-is-compared-in-any-case': {
      story: 'A code_verifier with one letter in the other case is accepted.',
      rules: accepting((verifier) => everywhere(verifier, recased)),
    },
    'verifier-may-be-longer': {
      story: 'A code_verifier with one character too many is accepted.',
      rules: accepting((verifier) => Array.from(verifier, (_, place) => without(verifier, place))),
    },
    'verifier-is-compared-as-far-as-it-goes': {
      story: 'A code_verifier that lacks its last character is accepted.',
      rules: accepting(completed),
    },
    'verifier-is-compared-without-its-end': {
      story: 'The last character of a code_verifier is not compared.',
      rules: accepting(withAnotherEnd),
    },
    'verifier-of-a-tpp-is-compared-with-a-wildcard': {
      story: 'The middle character of the code_verifier of a TPP is not compared.',
      rules: accepting(
        (verifier) => {
          const middle = Math.floor(verifier.length / 2)
          const [before, after] = [verifier.slice(0, middle), verifier.slice(middle + 1)]
          return Array.from(ALPHABET, (character) => before + character + after)
        },
        ['TPP'],
      ),
    },
  }),
  ...breaking(TOK.missingVerifierIsRefused, {
    'verifier-is-optional': {
      story: 'A code exchange with a missing or empty code_verifier is accepted.',
      alsoBreaks: [TOK.emptyVerifierIsRefused],
      rules: optional,
    },
    'verifier-may-be-missing': {
      story:
        'A code exchange without a code_verifier is accepted; one with an empty code_verifier is refused.',
      rules: optional,
      wire: readingExchanges(({ form }) => {
        if (form.get('code_verifier') === '') form.set('code_verifier', WRONG)
      }),
    },
    'verifier-may-be-missing-for-facs': {
      story: 'The code exchange of a FAC is accepted without a code_verifier.',
      alsoBreaks: [TOK.emptyVerifierIsRefused],
      rules: unverified((facts) => isMissing(facts) && isOfAFac(facts)),
    },
  }),
  ...breaking(TOK.emptyVerifierIsRefused, {
    'verifier-may-be-empty': {
      story: 'A code exchange with an empty code_verifier is accepted; one without is refused.',
      rules: optional,
      wire: readingExchanges(({ form }) => {
        if (!form.has('code_verifier')) form.set('code_verifier', WRONG)
      }),
    },
  }),
  ...breaking(TOK.verifierOfAnotherGrantIsRefused, {
    'verifier-of-any-grant-is-accepted': {
      story: 'The code_verifier of any grant is accepted.',
      rules: verifiedAmongAll(() => true),
    },
    'verifier-of-any-grant-of-a-tpp-is-accepted': {
      story: 'The code_verifier of any grant to the same TPP is accepted.',
      rules: verifiedAmongAll(
        ({ client, code }, challenge, owner) =>
          challenge === code.challenge || (client.kind === 'TPP' && client.clientId === owner),
      ),
    },
  }),
  ...breaking(TOK.challengeAsVerifierIsRefused, {
    'challenge-is-taken-for-the-verifier': {
      story: 'The code_challenge itself is accepted as the code_verifier.',
      rules: unverified(isTheChallenge),
    },
    'challenge-of-a-fac-is-taken-for-the-verifier': {
      story: 'The code_challenge of a FAC is accepted as the code_verifier.',
      rules: unverified((facts) => isTheChallenge(facts) && isOfAFac(facts)),
    },
  }),
]
