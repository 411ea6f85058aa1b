import {
  accept,
  alter,
  both,
  defectsOf,
  each,
  EVERYWHERE,
  FOR_A_FAC,
  FOR_A_TPP,
  IN_PRODUCTION,
  isOfATpp,
  when,
  type FactsOf,
} from '../../shared/changes.ts'
import { readExchange } from './messages.ts'
import { TOK } from '../requirements.ts'

/** Wrong code_verifiers that are accepted. */

type VerifierFacts = FactsOf<'verifierMatches'>

/** Accepts a verifier if one of the texts that are made of it is the right one. */
const acceptIf = (meant: (verifier: string) => readonly string[]) =>
  accept(
    'verifierMatches',
    (facts, { rules }) =>
      facts.verifier !== undefined &&
      meant(facts.verifier).some((verifier) => rules.verifierMatches({ ...facts, verifier })),
  )

/** The texts with another text in the place of one character, for each place. */
const changed = (change: (character: string) => string) => (text: string) =>
  Array.from(text, (character, place) => text.slice(0, place) + change(character) + text.slice(place + 1))

const recased = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()

const CHARACTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')

/** The texts with another character at this place, or with one more at the end. */
const replaced = (placeOf: (length: number) => number) => (text: string) =>
  CHARACTERS.map(
    (character) => text.slice(0, placeOf(text.length)) + character + text.slice(placeOf(text.length) + 1),
  )

const middleReplaced = acceptIf(replaced((length) => Math.floor(length / 2)))

const isMissing = ({ verifier }: VerifierFacts): boolean => verifier === undefined

/** For the bank, an empty verifier is a missing one. */
const optional = accept('verifierMatches', isMissing)
const any = accept('verifierMatches', (facts) => !isMissing(facts))

/** Reads a missing (null) or an empty verifier as a wrong one. */
const readAsWrong = (value: null | '') =>
  readExchange(({ form }) => {
    if (form.get('code_verifier') === value) form.set('code_verifier', 'too-short')
  })

type Requested = FactsOf<'challengeIsWellFormed'>

/** Accepts the verifiers of these grants. */
const acceptOfOthers = (pick: (all: readonly Requested[], facts: VerifierFacts) => readonly Requested[]) =>
  alter(
    {
      verifierMatches: (usual, facts, past) => {
        const all = past.of('challengeIsWellFormed').map((asked) => asked.facts)
        const isOf = ({ challenge }: Requested): boolean =>
          past.rules.verifierMatches({ ...facts, code: { ...facts.code, challenge } })
        return usual || pick(all, facts).some(isOf)
      },
    },
    'challengeIsWellFormed',
  )

const ofTheSame = (all: readonly Requested[], { client }: VerifierFacts): readonly Requested[] =>
  all.filter((other) => other.client.clientId === client.clientId)

export const verifierDefects = [
  ...defectsOf(
    [
      TOK.wrongVerifierIsRefused,
      TOK.verifierOfAnotherGrantIsRefused,
      TOK.challengeAsVerifierIsRefused,
      'AUT-44',
    ],
    { 'Any code_verifier is accepted': each([EVERYWHERE, IN_PRODUCTION, FOR_A_TPP], any) },
  ),
  ...defectsOf([TOK.wrongVerifierIsRefused], {
    'A code_verifier with one letter in the other case is accepted': acceptIf(changed(recased)),
    'A code_verifier with one character too many is accepted': acceptIf(changed(() => '')),
    'A code_verifier that lacks its last character is accepted': acceptIf(replaced((length) => length)),
    'The last character of a code_verifier is not compared': acceptIf(replaced((length) => length - 1)),
    'The middle character of the code_verifier of a TPP is not compared': when(isOfATpp, middleReplaced),
  }),
  ...defectsOf([TOK.missingVerifierIsRefused, TOK.emptyVerifierIsRefused], {
    'A missing or empty code_verifier is accepted': each([EVERYWHERE, FOR_A_FAC], optional),
  }),
  ...defectsOf([TOK.missingVerifierIsRefused], {
    'A missing code_verifier is accepted, and an empty one is not': both(optional, readAsWrong('')),
  }),
  ...defectsOf([TOK.emptyVerifierIsRefused], {
    'An empty code_verifier is accepted, and a missing one is not': both(optional, readAsWrong(null)),
  }),
  ...defectsOf([TOK.verifierOfAnotherGrantIsRefused], {
    'The code_verifier of any grant is accepted': acceptOfOthers((all) => all),
    'The code_verifier of any grant to the same TPP is accepted': when(isOfATpp, acceptOfOthers(ofTheSame)),
    'The code_verifier of the latest grant to an application is accepted for its earlier codes':
      acceptOfOthers((all, facts) => ofTheSame(all, facts).slice(-1)),
  }),
  ...defectsOf([TOK.challengeAsVerifierIsRefused], {
    'The code_challenge itself is accepted as the code_verifier': each(
      [EVERYWHERE, FOR_A_FAC],
      accept('verifierMatches', ({ verifier, code }) => verifier === code.challenge),
    ),
  }),
]
