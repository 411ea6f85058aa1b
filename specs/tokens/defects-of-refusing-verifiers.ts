import { readingExchanges } from './defect-wires.ts'
import { TOK } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** What a bank can get wrong about the proof that an application asked for the code. */

type Facts = Parameters<Rules['verifierMatches']>[0]

/** Accepts a verifier that one of these makes the right one of. */
const forgiving =
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

/** The text with the character at each place, one after the other, changed so. */
const everywhere = (text: string, change: (character: string) => string): readonly string[] =>
  Array.from(text, (character, place) => text.slice(0, place) + change(character) + text.slice(place + 1))

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

/** The text with each character that could stand at its end. */
const completed = (text: string): readonly string[] => Array.from(ALPHABET, (character) => text + character)

/** The text with any other character in the place of the last one. */
const withAnotherEnd = (text: string): readonly string[] => completed(text.slice(0, -1))

const unverified =
  (applies: (facts: Facts) => boolean): RuleChange =>
  (lawful) => ({
    verifierMatches: (facts) =>
      (facts.verifier !== undefined && applies(facts)) || lawful.verifierMatches(facts),
  })

const optional: RuleChange = (lawful) => ({
  verifierMatches: (facts) => facts.verifier === undefined || lawful.verifierMatches(facts),
})

/** Holds a verifier against the challenges of all grants that `counts`. */
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

/** No code_verifier at all. */
const WRONG = 'x'

export const defectsOfRefusingVerifiers: readonly Defect[] = [
  {
    id: 'verifier-is-not-verified',
    story: 'Any code_verifier is accepted.',
    breaks: [
      TOK.wrongVerifierIsRefused,
      TOK.verifierOfAnotherGrantIsRefused,
      TOK.challengeAsVerifierIsRefused,
    ],
    rules: unverified(() => true),
  },
  {
    id: 'verifier-of-a-tpp-is-not-verified',
    story: 'Any code_verifier of a TPP is accepted.',
    breaks: [
      TOK.wrongVerifierIsRefused,
      TOK.verifierOfAnotherGrantIsRefused,
      TOK.challengeAsVerifierIsRefused,
    ],
    rules: unverified(({ client }) => client.kind === 'TPP'),
  },
  {
    id: 'verifier-is-not-verified-in-production',
    story: 'In production, any code_verifier is accepted.',
    breaks: [
      TOK.wrongVerifierIsRefused,
      TOK.verifierOfAnotherGrantIsRefused,
      TOK.challengeAsVerifierIsRefused,
    ],
    environment: 'production',
    rules: unverified(() => true),
  },
  {
    id: 'verifier-is-compared-in-any-case',
    story: 'A letter of a code_verifier may be of the other case.',
    breaks: [TOK.wrongVerifierIsRefused],
    rules: forgiving((verifier) => everywhere(verifier, recased)),
  },
  {
    id: 'verifier-may-be-longer',
    story: 'A character of a code_verifier that is one too many is overlooked.',
    breaks: [TOK.wrongVerifierIsRefused],
    rules: forgiving((verifier) => Array.from(verifier, (_, place) => without(verifier, place))),
  },
  {
    id: 'verifier-is-compared-as-far-as-it-goes',
    story: 'A code_verifier that lacks its last character is accepted.',
    breaks: [TOK.wrongVerifierIsRefused],
    rules: forgiving(completed),
  },
  {
    id: 'verifier-is-compared-without-its-end',
    story: 'The last character of a code_verifier is not looked at.',
    breaks: [TOK.wrongVerifierIsRefused],
    rules: forgiving(withAnotherEnd),
  },
  {
    id: 'verifier-of-a-tpp-is-compared-with-a-wildcard',
    story: 'Of the code_verifier of a TPP, the character in the middle is not looked at.',
    breaks: [TOK.wrongVerifierIsRefused],
    rules: forgiving(
      (verifier) => {
        const middle = Math.floor(verifier.length / 2)
        const [before, after] = [verifier.slice(0, middle), verifier.slice(middle + 1)]
        return Array.from(ALPHABET, (character) => before + character + after)
      },
      ['TPP'],
    ),
  },
  {
    id: 'verifier-is-optional',
    story: 'A code exchange without a code_verifier, or with an empty one, is not verified.',
    breaks: [TOK.missingVerifierIsRefused, TOK.emptyVerifierIsRefused],
    rules: optional,
  },
  {
    id: 'verifier-may-be-missing',
    story: 'A code exchange without a code_verifier is not verified; an empty one is compared.',
    breaks: [TOK.missingVerifierIsRefused],
    rules: optional,
    wire: readingExchanges(({ form }) => {
      if (form.get('code_verifier') === '') form.set('code_verifier', WRONG)
    }),
  },
  {
    id: 'verifier-may-be-empty',
    story: 'A code exchange with an empty code_verifier is not verified; a missing one is refused.',
    breaks: [TOK.emptyVerifierIsRefused],
    rules: optional,
    wire: readingExchanges(({ form }) => {
      if (!form.has('code_verifier')) form.set('code_verifier', WRONG)
    }),
  },
  {
    id: 'verifier-may-be-missing-for-facs',
    story: 'The code exchange of a FAC is verified where it has a code_verifier.',
    breaks: [TOK.missingVerifierIsRefused, TOK.emptyVerifierIsRefused],
    rules: (lawful) => ({
      verifierMatches: (facts) =>
        (facts.client.kind === 'FAC' && facts.verifier === undefined) || lawful.verifierMatches(facts),
    }),
  },
  {
    id: 'verifier-of-any-grant-is-accepted',
    story: 'A code_verifier is looked up among the code_challenges of all grants.',
    breaks: [TOK.verifierOfAnotherGrantIsRefused],
    rules: verifiedAmongAll(() => true),
  },
  {
    id: 'verifier-of-any-grant-of-a-tpp-is-accepted',
    story: 'The code_verifier of a TPP is looked up among the code_challenges of all its grants.',
    breaks: [TOK.verifierOfAnotherGrantIsRefused],
    rules: verifiedAmongAll(
      ({ client, code }, challenge, owner) =>
        challenge === code.challenge || (client.kind === 'TPP' && client.clientId === owner),
    ),
  },
  {
    id: 'challenge-is-taken-for-the-verifier',
    story: 'A code_verifier is compared with the code_challenge before it is hashed, and afterwards again.',
    breaks: [TOK.challengeAsVerifierIsRefused],
    rules: (lawful) => ({
      verifierMatches: (facts) => facts.verifier === facts.code.challenge || lawful.verifierMatches(facts),
    }),
  },
  {
    id: 'challenge-of-a-fac-is-taken-for-the-verifier',
    story: 'Where a FAC asks, the code_challenge itself is accepted for the code_verifier.',
    breaks: [TOK.challengeAsVerifierIsRefused],
    rules: (lawful) => ({
      verifierMatches: (facts) =>
        (facts.client.kind === 'FAC' && facts.verifier === facts.code.challenge) ||
        lawful.verifierMatches(facts),
    }),
  },
]
