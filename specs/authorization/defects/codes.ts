import { createHash } from 'node:crypto'
import { isAuthorization, refusalPage } from './requests.ts'
import { AUT } from '../requirements.ts'
import {
  answering,
  breaking,
  hasScopeOfATpp,
  isOfAFac,
  isOfATpp,
  on,
  perBank,
  readingRequests,
  sharingTheFirstAnswer,
  wired,
} from '../../shared/defects.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** Codes that repeat, that can be guessed from each other, or that are too short. */

type Facts = Parameters<Rules['newCode']>[0]
type Client = Facts['client']

const randomHex = (): string => crypto.randomUUID().replaceAll('-', '')

/** Replaces the codes of one kind of client. A shape is made for each bank. */
const shaping =
  (kind: Client['kind'], shape: () => (facts: Facts) => string): RuleChange =>
  (lawful) => {
    const code = shape()
    return { newCode: (facts) => (facts.client.kind === kind ? code(facts) : lawful.newCode(facts)) }
  }

/** How long a decision waits for another one that may come, however busy the machine is. */
const OVERLAP_MS = 150

const isDecision = async (request: Request): Promise<boolean> =>
  request.method === 'POST' && (await request.clone().text()).includes('decision=')

export const codeDefects: readonly Defect[] = [
  ...breaking(AUT.codesAreDistinct, {
    'second-code-repeats-the-first': {
      story: 'A grant gives the code of the grant before, if it was not used yet.',
      rules: (lawful) => {
        let last = ''
        const used = new Set<string>()
        return {
          newCode: (facts) => {
            last = last === '' || used.has(last) ? lawful.newCode(facts) : last
            return last
          },
          redeemsCode: (facts) => {
            used.add(facts.code.value)
            return lawful.redeemsCode(facts)
          },
        }
      },
    },
    'fourth-code-repeats-the-first': {
      story: 'Every fourth grant to a TPP gives the code of three grants before.',
      rules: (lawful) => {
        const given: string[] = []
        return {
          newCode: (facts) => {
            if (facts.client.kind === 'FAC') return lawful.newCode(facts)
            const code = (given.length % 4 === 3 ? given.at(-3) : undefined) ?? lawful.newCode(facts)
            given.push(code)
            return code
          },
        }
      },
    },
    'decisions-at-the-same-moment-share-a-code': {
      story: 'A decision that comes while the first one is served gets the answer to that one.',
      wire: sharingTheFirstAnswer(isDecision, OVERLAP_MS),
    },
  }),
  ...breaking(AUT.codesDoNotFollowFromEachOther, {
    'codes-count-up': {
      story: 'Codes are numbered, with forty digits.',
      rules: () => {
        let count = 41_077
        return { newCode: () => String((count += 1)).padStart(40, '0') }
      },
    },
    'codes-count-up-in-base64': {
      story: 'The code of a FAC is the number of its grant with a long name, in base64.',
      rules: shaping('FAC', () => {
        let count = 500
        return () => Buffer.from(`authorization-code-of-the-grant-${(count += 1)}`).toString('base64url')
      }),
    },
    'codes-step-by-a-constant': {
      story: 'The code of a TPP is the one before plus a constant.',
      rules: shaping('TPP', () => {
        let last = BigInt(`0x7${randomHex()}`)
        return () => (last += 0x9e3779b97f4a7c15n).toString(16)
      }),
    },
    'codes-are-readings-of-the-clock': {
      story: 'The code of a TPP is the time of its grant in nanoseconds, with forty digits.',
      rules: shaping('TPP', () => {
        let count = 0
        return ({ now }) => {
          count += 1
          return String(now.getTime() * 1_000_000 + 4096 * count * count).padStart(40, '0')
        }
      }),
    },
  }),
  ...breaking(AUT.codeHasRoomFor128Bits, {
    'code-has-eight-characters': {
      story: 'A code has eight hexadecimal digits.',
      rules: { newCode: () => randomHex().slice(0, 8) },
    },
    'code-has-room-for-124-bits': {
      story: 'A code for a FAC has 31 hexadecimal digits, one too few for 128 bits.',
      rules: shaping('FAC', () => () => randomHex().slice(0, 31)),
    },
    'code-for-a-tpp-has-twenty-digits': {
      story: 'A code for a TPP has twenty decimal digits.',
      rules: shaping('TPP', () => () => BigInt(`0x${randomHex()}`).toString().slice(0, 20)),
    },
  }),
]

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

const digestOf = (verifier: string | undefined): string =>
  createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url')

/** Verifies a code_challenge also if it is only alike. */
const comparing =
  (isAlike: (challenge: string, digest: string, facts: VerifierFacts) => boolean): RuleChange =>
  (lawful) => ({
    challengeIsWellFormed: (facts) => facts.challenge.length >= 40 || lawful.challengeIsWellFormed(facts),
    verifierMatches: (facts) => {
      const { challenge } = facts.code
      return (
        lawful.verifierMatches(facts) ||
        (challenge !== undefined && isAlike(challenge, digestOf(facts.verifier), facts))
      )
    },
  })

const inexact: readonly Defect[] = breaking(AUT.challengeIsComparedExactly, {
  'challenge-is-compared-at-its-beginning': {
    story: 'Only the first eight characters of a code_challenge are compared.',
    rules: comparing((challenge, digest) => challenge.slice(0, 8) === digest.slice(0, 8)),
  },
  'challenge-is-compared-without-its-case': {
    story: 'A code_challenge is compared without regard to case.',
    rules: comparing((challenge, digest) => challenge.toLowerCase() === digest.toLowerCase()),
  },
  'challenge-of-a-tpp-is-compared-as-far-as-it-is-sent': {
    story: 'A code_challenge of a TPP that lacks characters at its end is accepted.',
    rules: comparing((challenge, digest, facts) => isOfATpp(facts) && digest.startsWith(challenge)),
  },
})

export const challengeDefects: readonly Defect[] = [...missing, ...empty, ...plain, ...inexact]
