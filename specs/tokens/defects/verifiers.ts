import { breaking, isOfAFac, isOfATpp, where } from '../../shared/defects.ts'
import { readingExchanges } from './token-requests.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { TOK } from '../requirements.ts'

/** Wrong code_verifiers that are accepted. */

type Facts = Parameters<Rules['verifierMatches']>[0]

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
const unverified = (applies: (facts: Facts) => boolean): RuleChange =>
  where(applies, { verifierMatches: () => true })

const isMissing = ({ verifier }: Facts): boolean => verifier === undefined
const optional = unverified(isMissing)

const isTheChallenge = ({ verifier, code }: Facts): boolean => verifier === code.challenge

/** Compares a verifier with the challenges of all grants where `counts`. */
const verifiedAmongAll =
  (counts: (facts: Facts, challenge: string, owner: string) => boolean) =>
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
      alsoBreaks: [TOK.verifierOfAnotherGrantIsRefused, TOK.challengeAsVerifierIsRefused],
      rules: unverified((facts) => !isMissing(facts)),
      inProduction: 'verifier-is-not-verified-in-production',
    },
    'verifier-of-a-tpp-is-not-verified': {
      story: 'Any code_verifier of a TPP is accepted.',
      alsoBreaks: [TOK.verifierOfAnotherGrantIsRefused, TOK.challengeAsVerifierIsRefused],
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
