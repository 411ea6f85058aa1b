import { answering, hasScopeOfATpp, on, perBank, readingRequests, wired } from '../../shared/defect-wires.ts'
import { breaking, isOfAFac, isOfATpp } from '../../shared/defects.ts'
import { isAuthorization, refusalPage } from './requests.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { AUT } from '../requirements.ts'

/** Authorizations without PKCE, or with another method than S256. */

const hasEmptyChallenge = (query: URLSearchParams): boolean => query.get('code_challenge') === ''

/** Refuses an empty code_challenge, for banks that are wrong about a missing one only. */
const refusingTheEmpty: Wire = answering(isAuthorization, ({ query }) =>
  hasEmptyChallenge(query) ? refusalPage(400) : undefined,
)

type VerifierFacts = Parameters<Rules['verifierMatches']>[0]

/** Grants some requests without a code_challenge. */
const optional =
  (
    isOptional: (facts: Parameters<Rules['challengeIsRequired']>[0]) => boolean,
    verifies: (facts: VerifierFacts, lawful: Rules) => ReturnType<Rules['verifierMatches']>,
  ): RuleChange =>
  (lawful) => ({
    challengeIsRequired: (facts) => !isOptional(facts) && lawful.challengeIsRequired(facts),
    verifierMatches: (facts) =>
      facts.code.challenge === undefined ? verifies(facts, lawful) : lawful.verifierMatches(facts),
  })

const missing: readonly Defect[] = [
  ...breaking(AUT.missingChallengeIsNotGranted, {
    'challenge-is-optional': {
      story: 'A request without a code_challenge is granted.',
      alsoBreaks: [AUT.emptyChallengeIsNotGranted, AUT.missingChallengeIsRefusedAtOnce],
      rules: optional(
        () => true,
        ({ verifier }) => verifier === undefined,
      ),
    },
    'challenge-of-a-fac-is-optional': {
      story: 'A request of a FAC without a code_challenge is granted.',
      alsoBreaks: [AUT.missingChallengeIsRefusedAtOnce],
      rules: optional(isOfAFac, () => true),
      wire: refusingTheEmpty,
    },
    'challenge-of-a-tpp-is-optional-in-production': {
      story:
        'In production a request of a TPP without a code_challenge is granted, and any code_verifier is accepted.',
      alsoBreaks: [AUT.missingChallengeIsRefusedAtOnce],
      environment: 'production',
      rules: optional(isOfATpp, ({ verifier }) => verifier !== undefined),
      wire: refusingTheEmpty,
    },
  }),
  ...breaking(AUT.missingChallengeIsRefusedAtOnce, {
    'missing-challenge-is-noticed-late': {
      story: 'A request without a code_challenge gives a code, which the token endpoint then refuses.',
      rules: optional(
        () => true,
        () => false,
      ),
    },
    'missing-challenge-of-a-tpp-is-noticed-late': {
      story: 'A TPP without a code_challenge gets a code, which the token endpoint then refuses.',
      rules: optional(isOfATpp, () => false),
    },
  }),
]

/** RFC 7636, Appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** Fills in an empty code_challenge, and the code_verifier of the next token request. */
const fillingIn = (applies: (query: URLSearchParams) => boolean): Wire =>
  perBank(() => {
    let isFilledIn = false
    return wired(
      readingRequests(isAuthorization, ({ query }) => {
        isFilledIn = hasEmptyChallenge(query) && applies(query)
        if (isFilledIn) query.set('code_challenge', CHALLENGE)
      }),
      readingRequests(on('POST', /\/token$/), ({ form }) => {
        if (isFilledIn) form.set('code_verifier', VERIFIER)
      }),
    )
  })

const empty: readonly Defect[] = [
  ...breaking(AUT.emptyChallengeIsNotGranted, {
    'empty-challenge-is-granted': {
      story: 'An empty code_challenge is granted, and any code_verifier is accepted.',
      wire: fillingIn(() => true),
    },
    'empty-challenge-of-a-tpp-is-granted': {
      story: 'An empty code_challenge of a TPP is granted, and any code_verifier is accepted.',
      wire: fillingIn(hasScopeOfATpp),
    },
  }),
]

/** Accepts a code_challenge of another method. */
const taking =
  (
    method: string | undefined,
    verifies: (facts: VerifierFacts, lawful: Rules) => boolean,
    kind?: 'FAC' | 'TPP',
  ): RuleChange =>
  (lawful) => ({
    challengeMethodIsAccepted: (facts) =>
      (facts.method === method && (kind ?? facts.client.kind) === facts.client.kind) ||
      lawful.challengeMethodIsAccepted(facts),
    verifierMatches: (facts) =>
      facts.code.challengeMethod === method ? verifies(facts, lawful) : lawful.verifierMatches(facts),
  })

const isPlain = ({ code, verifier }: VerifierFacts): boolean => code.challenge === verifier

const plain: readonly Defect[] = [
  ...breaking(AUT.plainChallengeIsNotGranted, {
    'plain-challenge-is-granted': {
      story: 'The code_challenge_method plain is supported.',
      alsoBreaks: [AUT.plainMethodIsRefusedAtOnce],
      rules: taking('plain', isPlain),
    },
    'plain-challenge-of-a-fac-is-granted-in-production': {
      story: 'In production the code_challenge_method plain is supported for a FAC.',
      alsoBreaks: [AUT.plainMethodIsRefusedAtOnce],
      environment: 'production',
      rules: taking('plain', isPlain, 'FAC'),
    },
  }),
  ...breaking(AUT.plainMethodIsRefusedAtOnce, {
    'plain-method-is-noticed-late': {
      story: 'The code_challenge_method plain gives a code, which the token endpoint then refuses.',
      rules: taking('plain', () => false),
    },
  }),
  ...breaking(AUT.missingMethodIsNotTakenAsPlain, {
    'missing-method-means-plain': {
      story: 'A code_challenge without a method is compared with the code_verifier itself.',
      rules: taking(undefined, isPlain),
    },
    'missing-method-of-a-tpp-means-anything': {
      story: 'A code_challenge of a TPP without a method is not compared with the code_verifier.',
      rules: taking(undefined, () => true, 'TPP'),
    },
  }),
]

export const challengeDefects: readonly Defect[] = [...missing, ...empty, ...plain]
