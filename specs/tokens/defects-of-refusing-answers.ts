import { isOfATpp, rewordingRefusals } from './defect-wires.ts'
import { TOK } from './requirements.ts'
import type { Asked } from './defect-wires.ts'
import type { Defect, RuleChange, Wire } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** How a bank can word the refusal of a code exchange wrongly that it makes rightly. */

type RefusalWord = Parameters<Rules['refusalStatus']>[0]['error']
type BodyFacts = Parameters<Rules['refusalBody']>[0]

const withStatus =
  (error: RefusalWord, status: number): RuleChange =>
  (lawful) => ({
    refusalStatus: (facts) =>
      facts.endpoint === 'token' && facts.error === error ? status : lawful.refusalStatus(facts),
  })

const withError =
  (word: string, applies: (facts: BodyFacts) => boolean): RuleChange =>
  (lawful) => ({
    refusalBody: (facts) =>
      facts.endpoint === 'token' && applies(facts)
        ? { error: word, error_description: facts.description }
        : lawful.refusalBody(facts),
  })

const withBody =
  (error: RefusalWord, body: (description: string) => unknown): RuleChange =>
  (lawful) => ({
    refusalBody: (facts) =>
      facts.endpoint === 'token' && facts.error === error
        ? body(facts.description)
        : lawful.refusalBody(facts),
  })

/** Adds what was asked to the description of each refusal. */
const telling = (tell: (asked: Asked) => string): Wire =>
  rewordingRefusals(({ text }, asked) => {
    const members = JSON.parse(text) as Readonly<Record<string, string>>
    const description = `${members.error_description ?? ''} ${tell(asked)}`
    return { text: JSON.stringify({ ...members, error_description: description }) }
  })

const statuses: readonly Defect[] = [
  {
    id: 'invalid-grant-is-unprocessable',
    story: 'A code exchange that is not valid is answered with the status 422.',
    breaks: [TOK.refusalHasStatus400],
    rules: withStatus('invalid_grant', 422),
  },
  {
    id: 'invalid-grant-is-unauthorized',
    story:
      'A code exchange that is not valid is answered with the status 401, as if the client were unknown.',
    breaks: [TOK.refusalHasStatus400],
    rules: withStatus('invalid_grant', 401),
  },
  {
    id: 'invalid-request-is-ok',
    story: 'A token request that lacks a parameter is answered with the status 200, and an error.',
    breaks: [TOK.refusalHasStatus400],
    rules: withStatus('invalid_request', 200),
  },
  {
    id: 'unsupported-grant-type-is-not-implemented-here',
    story: 'A grant_type that nobody has defined is answered with the status 404.',
    breaks: [TOK.refusalHasStatus400],
    rules: withStatus('unsupported_grant_type', 404),
  },
]

const errors: readonly Defect[] = [
  {
    id: 'failed-client-authentication-has-a-code',
    story:
      'A failed client authentication is answered with a code and a message, as by the account interface.',
    breaks: [TOK.refusalNamesAnError],
    rules: withBody('invalid_client', (message) => ({ code: 'CLIENT_UNKNOWN', message })),
  },
  {
    id: 'invalid-request-is-a-sentence',
    story: 'A token request that lacks a parameter is answered with a JSON string.',
    breaks: [TOK.refusalNamesAnError],
    rules: withBody('invalid_request', (message) => message),
  },
  {
    id: 'error-of-a-tpp-is-a-page',
    story: 'The refused code exchange of a TPP is answered with a page.',
    breaks: [TOK.refusalNamesAnError],
    wire: rewordingRefusals(({ headers }, { form }) => {
      if (!isOfATpp(form)) return {}
      headers.set('content-type', 'text/html;charset=UTF-8')
      return { text: '<!doctype html><title>Refused</title><p>The request was refused.</p>' }
    }),
  },
  {
    id: 'error-is-a-number',
    story: 'The error of a grant_type that nobody has defined is a number.',
    breaks: [TOK.refusalNamesAnError],
    rules: withBody('unsupported_grant_type', (message) => ({ error: 17, error_description: message })),
  },
  {
    id: 'wrong-verifier-is-an-invalid-request',
    story: 'The error of a wrong code_verifier is invalid_request.',
    breaks: [TOK.invalidCodeIsAnInvalidGrant],
    rules: withError('invalid_request', ({ description }) => description.startsWith('The code_verifier')),
  },
  {
    id: 'other-redirect-uri-has-an-error-of-its-own',
    story: 'The error of another redirect_uri is invalid_redirect_uri.',
    breaks: [TOK.invalidCodeIsAnInvalidGrant],
    rules: withError('invalid_redirect_uri', ({ description }) => description.startsWith('The redirect_uri')),
  },
  {
    id: 'used-code-has-an-error-of-its-own',
    story: 'The error of a code that was used is access_denied.',
    breaks: [TOK.invalidCodeIsAnInvalidGrant],
    rules: withError('access_denied', ({ description }) => description === 'The code has been used before.'),
  },
  {
    id: 'expired-code-has-an-error-of-its-own',
    story: 'The error of a code that has expired is expired_code.',
    breaks: [TOK.invalidCodeIsAnInvalidGrant],
    rules: withError('expired_code', ({ description }) => description === 'The code has expired.'),
  },
  {
    id: 'failed-client-authentication-is-an-unauthorized-client',
    story: 'The error of a failed client authentication is unauthorized_client.',
    breaks: [TOK.failedClientAuthenticationIsAnInvalidClient],
    rules: withError('unauthorized_client', ({ error }) => error === 'invalid_client'),
  },
  {
    id: 'missing-client-authentication-is-an-invalid-request',
    story: 'The error of a code exchange without client authentication is invalid_request.',
    breaks: [TOK.failedClientAuthenticationIsAnInvalidClient],
    rules: withError(
      'invalid_request',
      ({ description }) => description === 'The request carries no client credentials.',
    ),
  },
  {
    id: 'unknown-grant-type-is-an-invalid-request',
    story: 'The error of a grant_type that nobody has defined is invalid_request.',
    breaks: [TOK.unknownGrantTypeIsUnsupported],
    rules: withError('invalid_request', ({ error }) => error === 'unsupported_grant_type'),
  },
  {
    id: 'missing-code-is-an-invalid-grant',
    story: 'The error of a code exchange without a code is invalid_grant.',
    breaks: [TOK.missingParameterIsAnInvalidRequest],
    rules: withError('invalid_grant', ({ description }) => description === 'The parameter code is missing.'),
  },
  {
    id: 'missing-grant-type-is-an-unsupported-one',
    story: 'The error of a token request without a grant_type is unsupported_grant_type.',
    breaks: [TOK.missingParameterIsAnInvalidRequest],
    rules: withError(
      'unsupported_grant_type',
      ({ description }) => description === 'The parameter grant_type is missing.',
    ),
  },
]

const repetitions: readonly Defect[] = [
  {
    id: 'refusal-repeats-the-code',
    story: 'The description of an error names the code.',
    breaks: [TOK.refusalRepeatsNoSecret],
    wire: telling(({ form }) => `Code: ${form.get('code') ?? 'none'}`),
  },
  {
    id: 'refusal-repeats-the-verifier-of-a-tpp',
    story: 'The description of an error names the code_verifier of a TPP.',
    breaks: [TOK.refusalRepeatsNoSecret],
    wire: telling(({ form }) => (isOfATpp(form) ? `Verifier: ${form.get('code_verifier') ?? 'none'}` : '')),
  },
  {
    id: 'refusal-repeats-the-credentials',
    story: 'The description of an error has the Basic header in it, in base64.',
    breaks: [TOK.refusalRepeatsNoSecret],
    wire: telling(({ headers }) => `Authorization: ${headers.get('authorization') ?? 'none'}`),
  },
  {
    id: 'refusal-repeats-the-secret',
    story: 'The description of an error has the client secret in it, in production.',
    breaks: [TOK.refusalRepeatsNoSecret],
    environment: 'production',
    wire: telling(({ headers }) => {
      const credentials = (headers.get('authorization') ?? '').replace(/^Basic /, '')
      return `Client: ${Buffer.from(credentials, 'base64').toString().replace(':', ' / ')}`
    }),
  },
  {
    id: 'refusal-repeats-the-form-in-a-header',
    story: 'A header of a refusal has the form in it, with its percent escapes.',
    breaks: [TOK.refusalRepeatsNoSecret],
    wire: rewordingRefusals(({ headers }, { form }) => {
      headers.set('x-request', form.toString())
      return {}
    }),
  },
]

export const defectsOfRefusingAnswers: readonly Defect[] = [...statuses, ...errors, ...repetitions]
