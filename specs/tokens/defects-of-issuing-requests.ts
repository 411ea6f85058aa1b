import { isOfATpp, isTokenEndpoint, pairOf, readingExchanges, refusingExchanges } from './defect-wires.ts'
import { TOK } from './requirements.ts'
import type { Defect, RuleChange, Wire } from '../../harness/bank/defect.ts'

/** Which valid code exchanges a bank can refuse. */

/** Takes JSON, in the place of a form. */
const jsonAlone: Wire = (next) => {
  const refusingForms = refusingExchanges(() => true)(next)
  return async (request) => {
    const isJson = request.headers.get('content-type') === 'application/json'
    if (!isJson || !isTokenEndpoint(request)) return refusingForms(request)
    const headers = new Headers(request.headers)
    headers.set('content-type', 'application/x-www-form-urlencoded')
    headers.delete('content-length')
    const members = (await request.json()) as Readonly<Record<string, string>>
    const body = new URLSearchParams(members).toString()
    return next(new Request(request.url, { method: 'POST', headers, body }))
  }
}

const DOCUMENTED = ['grant_type', 'code', 'scope', 'code_verifier', 'redirect_uri']

const isUndocumented = (form: URLSearchParams): boolean =>
  [...form.keys()].some((name) => !DOCUMENTED.includes(name))

/** Refuses such a verifier even where it is the right one. */
const refusingVerifiers =
  (isRefused: (verifier: string) => boolean): RuleChange =>
  (lawful) => ({
    verifierMatches: (facts) => !isRefused(facts.verifier ?? '') && lawful.verifierMatches(facts),
  })

/** The value of a code_verifier as it stands in the body, with its escapes. */
const rawVerifier = (body: string): string => /(?:^|&)code_verifier=([^&]*)/.exec(body)?.[1] ?? ''

export const defectsOfIssuingRequests: readonly Defect[] = [
  {
    id: 'code-exchange-takes-json-alone',
    story: 'A code exchange is to be sent as JSON; a form is refused.',
    breaks: [TOK.formEncodingIsAccepted],
    wire: jsonAlone,
  },
  {
    id: 'code-exchange-begins-with-its-grant-type',
    story: 'A form is refused whose first parameter is not grant_type.',
    breaks: [TOK.formEncodingIsAccepted],
    wire: refusingExchanges((_, body) => !body.startsWith('grant_type=')),
  },
  {
    id: 'escapes-of-letters-stay-escapes',
    story: 'The escapes of reserved characters are decoded, and those of letters and digits are not.',
    breaks: [TOK.percentEscapesAreDecoded],
    wire: refusingExchanges((_, body) => /%(3[0-9]|[46][1-9a-f]|[57][0-9a])/i.test(body)),
  },
  {
    id: 'escapes-in-lower-case-stay-escapes',
    story: 'Percent escapes are decoded where their digits are in upper case.',
    breaks: [TOK.percentEscapesAreDecoded],
    wire: refusingExchanges((_, body) => /%[0-9a-f]?[a-f]/.test(body)),
  },
  {
    id: 'escapes-in-a-verifier-stay-escapes',
    story: 'A code_verifier is hashed as it stands in the body, before its escapes are decoded.',
    breaks: [TOK.percentEscapesAreDecoded, TOK.everyLegalVerifierIsAccepted],
    // The form of a code_verifier with a tilde has an escape of its own.
    wire: refusingExchanges((_, body) => rawVerifier(body).includes('%')),
  },
  {
    id: 'scope-of-a-code-exchange-is-refused',
    story: 'A code exchange that has a scope is refused.',
    breaks: [TOK.scopeIsAcceptedInTheExchange],
    wire: refusingExchanges((form) => form.has('scope')),
  },
  {
    id: 'scope-with-a-consent-is-refused',
    story: 'A code exchange knows the scope PREMIUM_AIS, and none with a consentId.',
    breaks: [TOK.scopeIsAcceptedInTheExchange],
    wire: refusingExchanges(isOfATpp),
  },
  {
    id: 'undocumented-parameter-is-refused',
    story: 'A code exchange that has more than the documented parameters is refused.',
    breaks: [TOK.unrecognizedParameterIsIgnored],
    wire: refusingExchanges(isUndocumented),
  },
  {
    id: 'undocumented-parameter-of-a-tpp-is-refused',
    story: 'A code exchange of a TPP that has more than the documented parameters is refused.',
    breaks: [TOK.unrecognizedParameterIsIgnored],
    wire: refusingExchanges((form) => isOfATpp(form) && isUndocumented(form)),
  },
  {
    id: 'client-credentials-stand-in-the-form',
    story: 'A code exchange is to have client_id and client_secret in its form; the Basic header is refused.',
    breaks: [TOK.basicAuthenticationIsAccepted],
    rules: (lawful) => ({
      basicCredentials: (facts) => (facts.endpoint === 'token' ? undefined : lawful.basicCredentials(facts)),
      clientWithoutBasic: ({ form, clients, endpoint }) =>
        clients.find(
          ({ clientId, secret }) =>
            endpoint === 'token' &&
            form.get('client_id') === clientId &&
            form.get('client_secret') === secret,
        ),
    }),
  },
  {
    id: 'basic-pair-is-cut-at-its-last-colon',
    story: 'A secret that has a colon is cut there, at the token endpoint.',
    breaks: [TOK.basicAuthenticationIsAccepted],
    wire: readingExchanges(({ headers }) => {
      const [clientId, secret] = pairOf(headers.get('authorization'))
      const pair = `${clientId}:${secret.slice(0, Math.max(0, secret.lastIndexOf(':')))}`
      if (secret.includes(':')) headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
    }),
  },
  {
    id: 'verifier-of-128-characters-is-too-long',
    story: 'A code_verifier of 128 characters is one too many.',
    breaks: [TOK.everyLegalVerifierIsAccepted],
    rules: refusingVerifiers((verifier) => verifier.length >= 128),
  },
  {
    id: 'verifier-has-no-tilde',
    story: 'The tilde is no character of a code_verifier.',
    breaks: [TOK.everyLegalVerifierIsAccepted],
    rules: refusingVerifiers((verifier) => verifier.includes('~')),
  },
  {
    id: 'verifier-is-base64url',
    story: 'A code_verifier is decoded as base64url, which has neither dot nor tilde.',
    breaks: [TOK.everyLegalVerifierIsAccepted],
    rules: refusingVerifiers((verifier) => /[.~]/.test(verifier)),
  },
  {
    id: 'verifier-begins-with-a-letter-or-digit',
    // Random verifiers have 43 characters, and one in thirty of them begins so: where it does is for chance to say.
    story: 'A code_verifier of more than 43 characters that begins with a punctuation mark is refused.',
    breaks: [TOK.everyLegalVerifierIsAccepted],
    rules: refusingVerifiers((verifier) => verifier.length > 43 && /^[-._~]/.test(verifier)),
  },
  {
    id: 'verifier-fits-into-64-characters-in-production',
    story: 'In production, the column of the code_verifier has 64 characters.',
    breaks: [TOK.everyLegalVerifierIsAccepted],
    environment: 'production',
    rules: refusingVerifiers((verifier) => verifier.length > 64),
  },
]
