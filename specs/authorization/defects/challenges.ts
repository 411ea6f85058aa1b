import { createHash } from 'node:crypto'
import {
  alter,
  both,
  defectsOf,
  forAFac,
  forATpp,
  hasScopeOfATpp,
  inProduction,
  isOfAFac,
  isOfATpp,
  read,
  when,
  type Defect,
  type FactsOf,
  type Incoming,
} from '../../shared/changes.ts'
import { refuseRequest } from './messages.ts'
import { AUT } from '../requirements.ts'

/** Authorizations without PKCE, or with another method than S256. */

type Verifier = FactsOf<'verifierMatches'>

const isEmpty = ({ query }: Incoming): boolean => query.get('code_challenge') === ''

/** Grants requests without a code_challenge, and accepts these code_verifiers for them. */
const optional = (verifies: (facts: Verifier) => boolean) =>
  alter({
    challengeIsRequired: false,
    verifierMatches: (usual, facts) => (facts.code.challenge === undefined ? verifies(facts) : usual),
  })

/** The same, except for requests with an empty code_challenge. */
const optionalUnlessEmpty = (
  condition: (facts: Pick<Verifier, 'client'>) => boolean,
  verifies: (facts: Verifier) => boolean,
) => both(when(condition, optional(verifies)), refuseRequest(isEmpty))

/** RFC 7636, Appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** Fills in the code_challenge of such a request, and the code_verifier of the token requests after it. */
const fillIn = (where: (asked: Incoming) => boolean) =>
  both(
    when(
      where,
      read('authorize', ({ query }) => query.set('code_challenge', CHALLENGE)),
    ),
    read(
      'token',
      ({ form }, { earlier }) => {
        const last = earlier.findLast(({ asked }) => asked.operation === 'authorize')
        if (last && where(last.asked)) form.set('code_verifier', VERIFIER)
      },
      'authorize',
    ),
  )

/** Grants requests with another code_challenge_method, and accepts these code_verifiers for them. */
const acceptMethod = (other: string | undefined, verifies: (facts: Verifier) => boolean) =>
  alter({
    challengeMethodIsAccepted: (usual, { method }) => usual || method === other,
    verifierMatches: (usual, facts) => (facts.code.challengeMethod === other ? verifies(facts) : usual),
  })

const isPlain = ({ code, verifier }: Verifier): boolean => code.challenge === verifier

const digestOf = (verifier = ''): string => createHash('sha256').update(verifier).digest('base64url')

/** Verifies a code_challenge also if it is only similar. */
const acceptSimilar = (isSimilar: (challenge: string, digest: string) => boolean) =>
  alter({
    challengeIsWellFormed: (usual, { challenge }) => usual || challenge.length >= 40,
    verifierMatches: (usual, { code: { challenge }, verifier }) =>
      usual || (challenge !== undefined && isSimilar(challenge, digestOf(verifier))),
  })

export const challengeDefects: readonly Defect[] = [
  ...defectsOf(
    [AUT.missingChallengeIsNotGranted, AUT.emptyChallengeIsNotGranted, AUT.missingChallengeIsRefusedAtOnce],
    { 'A request without a code_challenge is granted': optional(({ verifier }) => verifier === undefined) },
  ),
  ...defectsOf([AUT.missingChallengeIsNotGranted, AUT.missingChallengeIsRefusedAtOnce], {
    'A request of a FAC without a code_challenge is granted': optionalUnlessEmpty(isOfAFac, () => true),
    'In production a request of a TPP without a code_challenge is granted': inProduction(
      optionalUnlessEmpty(isOfATpp, ({ verifier }) => verifier !== undefined),
    ),
  }),
  ...defectsOf([AUT.missingChallengeIsRefusedAtOnce], {
    'Only the token endpoint refuses a missing code_challenge': optional(() => false),
    'Only the token endpoint refuses a missing code_challenge of a TPP': forATpp(optional(() => false)),
  }),
  ...defectsOf([AUT.emptyChallengeIsNotGranted], {
    'An empty code_challenge is granted, with any code_verifier': fillIn(isEmpty),
    'An empty code_challenge of a TPP is granted, with any code_verifier': fillIn(
      (asked) => isEmpty(asked) && hasScopeOfATpp(asked),
    ),
  }),
  ...defectsOf([AUT.plainChallengeIsNotGranted, AUT.plainMethodIsRefusedAtOnce], {
    'The code_challenge_method plain is supported': acceptMethod('plain', isPlain),
    'In production the code_challenge_method plain is supported for a FAC': inProduction(
      forAFac(acceptMethod('plain', isPlain)),
    ),
  }),
  ...defectsOf([AUT.plainMethodIsRefusedAtOnce], {
    'Only the token endpoint refuses the code_challenge_method plain': acceptMethod('plain', () => false),
  }),
  ...defectsOf([AUT.missingMethodIsNotTakenAsPlain], {
    'A code_challenge without a method is read as plain': acceptMethod(undefined, isPlain),
    'A code_challenge of a TPP without a method is not compared': forATpp(
      acceptMethod(undefined, () => true),
    ),
  }),
  ...defectsOf([AUT.challengeIsComparedExactly], {
    'Only the first eight characters of a code_challenge are compared': acceptSimilar(
      (challenge, digest) => challenge.slice(0, 8) === digest.slice(0, 8),
    ),
    'A code_challenge is compared without regard to case': acceptSimilar(
      (challenge, digest) => challenge.toLowerCase() === digest.toLowerCase(),
    ),
    'A code_challenge of a TPP that lacks characters at its end is accepted': forATpp(
      acceptSimilar((challenge, digest) => digest.startsWith(challenge)),
    ),
  }),
]
