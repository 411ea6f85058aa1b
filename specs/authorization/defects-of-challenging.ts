import type { Defect, RuleChange, Wire } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { AUT } from './requirements.ts'

/** Authorizations without PKCE, or with less than S256. */

const isAuthorization = ({ url }: Request): boolean => new URL(url).pathname.endsWith('/authorize')

/** Refuses a code_challenge that is empty: it is there, after all. */
const refusingTheEmpty: Wire = (next) => async (request) =>
  isAuthorization(request) && new URL(request.url).searchParams.get('code_challenge') === ''
    ? new Response('<!doctype html><title>No</title>', {
        status: 400,
        headers: { 'content-type': 'text/html' },
      })
    : next(request)

type VerifierFacts = Parameters<Rules['verifierMatches']>[0]

/** Does not insist on a code_challenge. */
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

const always = (): boolean => true

const missing: readonly Defect[] = [
  {
    id: 'challenge-is-optional',
    story: 'PKCE is left to the application: a request without a code_challenge gives a code without one.',
    breaks: [
      AUT.missingChallengeIsNotGranted,
      AUT.emptyChallengeIsNotGranted,
      AUT.missingChallengeIsRefusedAtOnce,
    ],
    rules: optional(always, ({ verifier }) => verifier === undefined),
  },
  {
    id: 'challenge-of-a-fac-is-optional',
    story: 'A FAC may leave the code_challenge out, though not empty.',
    breaks: [AUT.missingChallengeIsNotGranted, AUT.missingChallengeIsRefusedAtOnce],
    rules: optional(({ client }) => client.kind === 'FAC', always),
    wire: refusingTheEmpty,
  },
  {
    id: 'challenge-of-a-tpp-is-optional-in-production',
    story: 'In production a TPP may leave the code_challenge out, and have any code_verifier.',
    breaks: [AUT.missingChallengeIsNotGranted, AUT.missingChallengeIsRefusedAtOnce],
    environment: 'production',
    rules: optional(
      ({ client }) => client.kind === 'TPP',
      ({ verifier }) => verifier !== undefined,
    ),
    wire: refusingTheEmpty,
  },
  {
    id: 'missing-challenge-is-noticed-late',
    story: 'A request without a code_challenge gives a code, which the token endpoint then refuses.',
    breaks: [AUT.missingChallengeIsRefusedAtOnce],
    rules: optional(always, () => false),
  },
  {
    id: 'missing-challenge-of-a-tpp-is-noticed-late',
    story: 'A TPP without a code_challenge gets a code, which the token endpoint then refuses.',
    breaks: [AUT.missingChallengeIsRefusedAtOnce],
    rules: optional(
      ({ client }) => client.kind === 'TPP',
      () => false,
    ),
  },
]

/** RFC 7636, Appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** Fills an empty code_challenge in, and the code_verifier of the token request that follows. */
const fillingIn =
  (applies: (query: URLSearchParams) => boolean): Wire =>
  (next) => {
    let isFilledIn = false
    return async (request) => {
      const url = new URL(request.url)
      if (isAuthorization(request)) {
        isFilledIn = url.searchParams.get('code_challenge') === '' && applies(url.searchParams)
        if (!isFilledIn) return next(request)
        url.searchParams.set('code_challenge', CHALLENGE)
        return next(new Request(url, request))
      }
      if (!isFilledIn || !url.pathname.endsWith('/token')) return next(request)
      const form = new URLSearchParams(await request.text())
      form.set('code_verifier', VERIFIER)
      return next(new Request(url, { method: 'POST', headers: request.headers, body: form.toString() }))
    }
  }

const empty: readonly Defect[] = [
  {
    id: 'empty-challenge-is-granted',
    story: 'An empty code_challenge is one that every code_verifier fits.',
    breaks: [AUT.emptyChallengeIsNotGranted],
    wire: fillingIn(() => true),
  },
  {
    id: 'empty-challenge-of-a-tpp-is-granted',
    story: 'An empty code_challenge of a TPP is one that every code_verifier fits.',
    breaks: [AUT.emptyChallengeIsNotGranted],
    wire: fillingIn((query) => query.get('scope')?.includes(':') === true),
  },
]

/** Takes a code_challenge of another method. */
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
  {
    id: 'plain-challenge-is-granted',
    story: 'The code_challenge_method plain is supported.',
    breaks: [AUT.plainChallengeIsNotGranted, AUT.plainMethodIsRefusedAtOnce],
    rules: taking('plain', isPlain),
  },
  {
    id: 'plain-challenge-of-a-fac-is-granted-in-production',
    story: 'In production the code_challenge_method plain is supported for a FAC.',
    breaks: [AUT.plainChallengeIsNotGranted, AUT.plainMethodIsRefusedAtOnce],
    environment: 'production',
    rules: taking('plain', isPlain, 'FAC'),
  },
  {
    id: 'plain-method-is-noticed-late',
    story: 'The code_challenge_method plain gives a code, which the token endpoint then refuses.',
    breaks: [AUT.plainMethodIsRefusedAtOnce],
    rules: taking('plain', () => false),
  },
  {
    id: 'missing-method-means-plain',
    story: 'A code_challenge without a method is compared with the code_verifier itself.',
    breaks: [AUT.missingMethodIsNotTakenAsPlain],
    rules: taking(undefined, isPlain),
  },
  {
    id: 'missing-method-of-a-tpp-means-anything',
    story: 'A code_challenge of a TPP without a method is not compared with the code_verifier.',
    breaks: [AUT.missingMethodIsNotTakenAsPlain],
    rules: taking(undefined, () => true, 'TPP'),
  },
]

export const defectsOfChallenging: readonly Defect[] = [...missing, ...empty, ...plain]
