import {
  basicIn,
  breaking,
  hasScopeOfATpp,
  isFor,
  isOfAFac,
  isOfATpp,
  refusing,
  where,
  type Asked,
  type FactsOf,
} from '../../shared/defects.ts'
import { refusingLaterWith403, withAnEmptyList, withStatus } from './bearer.ts'
import { rewordingRefusals } from './requests.ts'
import { TOK } from '../requirements.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** Faults in the answers to refused code exchanges. */

type Refusal = FactsOf<'refusalBody'>

const isOfTheTokenEndpoint = isFor('token')

const refusedFor =
  (error: Refusal['error']) =>
  (facts: Pick<Refusal, 'endpoint' | 'error'>): boolean =>
    isOfTheTokenEndpoint(facts) && facts.error === error

const refusedWithStatus = (error: Refusal['error'], status: number): RuleChange =>
  refusing(refusedFor(error), { status })

/** Answers with another error. */
const withError = (error: string, applies: (facts: Refusal) => boolean): RuleChange =>
  where<'refusalBody'>((facts) => isOfTheTokenEndpoint(facts) && applies(facts), {
    refusalBody: ({ description }) => ({ error, error_description: description }),
  })

const describedAs =
  (description: string) =>
  (facts: Refusal): boolean =>
    facts.description.startsWith(description)

const withBody = (error: Refusal['error'], body: (description: string) => unknown): RuleChange =>
  refusing(refusedFor(error), { body: ({ description }) => body(description) })

/** Adds a part of the request to the description of each refusal. */
const repeating = (partOf: (asked: Asked) => string): Wire =>
  rewordingRefusals(({ members }, asked) => ({
    json: { ...members, error_description: [members.error_description, partOf(asked)].join(' ') },
  }))

const statuses: readonly Defect[] = [
  ...breaking(TOK.refusalHasStatus400, {
    'invalid-grant-is-unprocessable': {
      story: 'An invalid code exchange is answered with 422.',
      rules: refusedWithStatus('invalid_grant', 422),
    },
    'invalid-grant-is-unauthorized': {
      story: 'An invalid code exchange is answered with 401, as if the client were unknown.',
      rules: refusedWithStatus('invalid_grant', 401),
    },
    'invalid-request-is-ok': {
      story: 'A token request without a required parameter is answered with 200 and an error.',
      alsoBreaks: [TOK.refusedRequestHasTheStatusOfARefusal],
      rules: refusedWithStatus('invalid_request', 200),
    },
    'unsupported-grant-type-is-not-implemented-here': {
      story: 'An undefined grant_type is answered with 404.',
      rules: refusedWithStatus('unsupported_grant_type', 404),
    },
  }),
]

const statusesOfASuccess: readonly Defect[] = [
  ...breaking(TOK.refusedRequestHasTheStatusOfARefusal, {
    'invalid-grant-of-a-tpp-is-ok': {
      story: 'An invalid code exchange of a TPP is answered with 200 and an error.',
      alsoBreaks: [TOK.refusalHasStatus400],
      wire: rewordingRefusals(({ members }, { form }) =>
        hasScopeOfATpp(form) && members.error === 'invalid_grant' ? { status: 200 } : undefined,
      ),
    },
    'failed-client-authentication-is-ok': {
      story: 'A failed client authentication at the token endpoint is answered with 200 and an error.',
      alsoBreaks: [TOK.failedClientAuthenticationHasStatus401],
      rules: refusedWithStatus('invalid_client', 200),
    },
  }),
]

const errors: readonly Defect[] = [
  ...breaking(TOK.refusalNamesAnError, {
    'failed-client-authentication-has-a-code': {
      story: 'A failed client authentication is answered with the members code and message.',
      rules: withBody('invalid_client', (message) => ({ code: 'CLIENT_UNKNOWN', message })),
    },
    'invalid-request-is-a-sentence': {
      story: 'A token request without a required parameter is answered with a JSON string.',
      rules: withBody('invalid_request', (message) => message),
    },
    'error-of-a-tpp-is-a-page': {
      story: 'The refused code exchange of a TPP is answered with a page.',
      wire: rewordingRefusals((_, { form }) =>
        hasScopeOfATpp(form)
          ? {
              headers: { 'content-type': 'text/html;charset=UTF-8' },
              text: '<!doctype html><title>Refused</title><p>The request was refused.</p>',
            }
          : undefined,
      ),
    },
    'error-is-a-number': {
      story: 'The error of an undefined grant_type is a number.',
      rules: withBody('unsupported_grant_type', (message) => ({ error: 17, error_description: message })),
    },
  }),
  ...breaking(TOK.invalidCodeIsAnInvalidGrant, {
    'wrong-verifier-is-an-invalid-request': {
      story: 'The error of a wrong code_verifier is invalid_request.',
      rules: withError('invalid_request', describedAs('The code_verifier')),
    },
    'other-redirect-uri-has-an-error-of-its-own': {
      story: 'The error of another redirect_uri is invalid_redirect_uri.',
      rules: withError('invalid_redirect_uri', describedAs('The redirect_uri')),
    },
    'used-code-has-an-error-of-its-own': {
      story: 'The error of a code that was used is access_denied.',
      rules: withError('access_denied', describedAs('The code has been used before.')),
    },
    'expired-code-has-an-error-of-its-own': {
      story: 'The error of a code that has expired is expired_code.',
      rules: withError('expired_code', describedAs('The code has expired.')),
    },
  }),
  ...breaking(TOK.failedClientAuthenticationIsAnInvalidClient, {
    'failed-client-authentication-is-an-unauthorized-client': {
      story: 'The error of a failed client authentication is unauthorized_client.',
      rules: withError('unauthorized_client', refusedFor('invalid_client')),
    },
    'missing-client-authentication-is-an-invalid-request': {
      story: 'The error of a code exchange without client authentication is invalid_request.',
      rules: withError('invalid_request', describedAs('The request carries no client credentials.')),
    },
  }),
  ...breaking(TOK.unknownGrantTypeIsUnsupported, {
    'unknown-grant-type-is-an-invalid-request': {
      story: 'The error of an undefined grant_type is invalid_request.',
      rules: withError('invalid_request', refusedFor('unsupported_grant_type')),
    },
  }),
  ...breaking(TOK.missingParameterIsAnInvalidRequest, {
    'missing-code-is-an-invalid-grant': {
      story: 'The error of a code exchange without a code is invalid_grant.',
      rules: withError('invalid_grant', describedAs('The parameter code is missing.')),
    },
    'missing-grant-type-is-an-unsupported-one': {
      story: 'The error of a token request without a grant_type is unsupported_grant_type.',
      rules: withError('unsupported_grant_type', describedAs('The parameter grant_type is missing.')),
    },
  }),
]

const repetitions: readonly Defect[] = [
  ...breaking(TOK.refusalRepeatsNoSecret, {
    'refusal-repeats-the-code': {
      story: 'The description of an error contains the code.',
      wire: repeating(({ form }) => `Code: ${form.get('code') ?? 'none'}`),
    },
    'refusal-repeats-the-verifier-of-a-tpp': {
      story: 'The description of an error contains the code_verifier of a TPP.',
      wire: repeating(({ form }) =>
        hasScopeOfATpp(form) ? `Verifier: ${form.get('code_verifier') ?? 'none'}` : '',
      ),
    },
    'refusal-repeats-the-credentials': {
      story: 'The description of an error contains the Basic header.',
      wire: repeating(({ headers }) => `Authorization: ${headers.get('authorization') ?? 'none'}`),
    },
    'refusal-repeats-the-secret': {
      story: 'In production the description of an error contains the client secret.',
      environment: 'production',
      wire: repeating(({ headers }) => `Client: ${basicIn(headers).join(' / ')}`),
    },
    'refusal-repeats-the-form-in-a-header': {
      story: 'A header of a refusal contains the form.',
      wire: rewordingRefusals((_, { form }) => ({ headers: { 'x-request': form.toString() } })),
    },
  }),
]

export const refusalDefects: readonly Defect[] = [
  ...statuses,
  ...statusesOfASuccess,
  ...errors,
  ...repetitions,
]

/** Revocations that do not end what they should. */

type AccessFacts = Parameters<Rules['accessIsRevoked']>[0]
type RenewalFacts = Parameters<Rules['refreshIsRevoked']>[0]
type IsOfTheUser = (facts: Pick<AccessFacts, 'grant' | 'revokedAt'>) => boolean

/** Changes what a revocation by the user does. The revocations after a code was used twice, or a consent ended, stay. */
const revokedByTheUser =
  (change: (isOfTheUser: IsOfTheUser, lawful: Rules) => Partial<Rules>): RuleChange =>
  (lawful) => {
    const otherwise = new Set<string | undefined>()
    const isOfTheUser: IsOfTheUser = ({ grant, revokedAt }) =>
      revokedAt !== undefined && !otherwise.has(grant.grantId) && !otherwise.has(grant.consentId)
    return {
      replayRevokes: (facts) => {
        const revokes = lawful.replayRevokes(facts)
        if (revokes) otherwise.add(facts.code.grantId)
        return revokes
      },
      endOfConsentRevokes: (facts) => {
        const revokes = lawful.endOfConsentRevokes(facts)
        if (revokes) otherwise.add(facts.consent.consentId)
        return revokes
      },
      ...change(isOfTheUser, lawful),
    }
  }

const forgettingAccess = (applies: (facts: AccessFacts) => boolean): RuleChange =>
  revokedByTheUser((isOfTheUser, lawful) => ({
    accessIsRevoked: (facts) => !(isOfTheUser(facts) && applies(facts)) && lawful.accessIsRevoked(facts),
  }))

const forgettingRefresh = (applies: (facts: RenewalFacts) => boolean): RuleChange =>
  revokedByTheUser((isOfTheUser, lawful) => ({
    refreshIsRevoked: (facts) => !(isOfTheUser(facts) && applies(facts)) && lawful.refreshIsRevoked(facts),
  }))

const DAY = 24 * 60 * 60 * 1000
const HOUR = 60 * 60 * 1000

/** What judges the same of accounts and of transactions, in both variants. */
const ACCOUNTS_AND_TRANSACTIONS = ['ACC-24', 'ACC-31', 'TRX-41', 'TRX-42'].map((id) => ({ id }))

const revocations: readonly Defect[] = [
  ...breaking(TOK.revokedTokenIsRefused, {
    'revoked-token-is-accepted': {
      story: 'A revoked access token is accepted.',
      alsoBreaks: [TOK.revokedTokenHasStatus401, ...ACCOUNTS_AND_TRANSACTIONS, 'REF-13'],
      rules: forgettingAccess(() => true),
      inProduction: 'revoked-token-is-accepted-in-production',
    },
    'revoked-token-of-a-fac-is-accepted': {
      story: 'The revoked access token of a FAC is accepted.',
      alsoBreaks: [TOK.revokedTokenHasStatus401, ...ACCOUNTS_AND_TRANSACTIONS],
      rules: forgettingAccess(isOfAFac),
    },
    'revocation-takes-an-hour': {
      story: 'A revoked token is accepted for an hour.',
      alsoBreaks: [TOK.revokedTokenHasStatus401, ...ACCOUNTS_AND_TRANSACTIONS, 'REF-13'],
      rules: forgettingAccess(
        ({ revokedAt, now }) => revokedAt !== undefined && now.getTime() < revokedAt.getTime() + HOUR,
      ),
    },
    'refresh-attempt-undoes-the-revocation': {
      story: 'A revoked access token is accepted again after a refresh was tried.',
      alsoBreaks: [TOK.revokedTokenHasStatus401],
      rules: revokedByTheUser((isOfTheUser, lawful) => {
        const undone = new Set<string>()
        return {
          refreshIsRevoked: (facts) => {
            if (isOfTheUser(facts)) undone.add(facts.grant.grantId)
            return lawful.refreshIsRevoked(facts)
          },
          accessIsRevoked: (facts) => !undone.has(facts.grant.grantId) && lawful.accessIsRevoked(facts),
        }
      }),
    },
  }),
  ...breaking(TOK.revokedTokenHasStatus401, {
    'revoked-token-has-status-403': {
      story: 'A data call with a revoked token is answered with 403.',
      alsoBreaks: [...ACCOUNTS_AND_TRANSACTIONS, 'REF-13', 'PAY-69'],
      rules: withStatus('token_revoked', 403),
    },
    'revoked-token-gets-an-empty-list': {
      story: 'A data call with a revoked token is answered with 200 and no accounts.',
      alsoBreaks: [...ACCOUNTS_AND_TRANSACTIONS, 'REF-13', 'PAY-69'],
      rules: withAnEmptyList('token_revoked'),
    },
  }),
  ...breaking(TOK.revocationEndsTheRefreshToken, {
    'revocation-leaves-the-refresh-token': {
      story: 'A revocation does not end the refresh token.',
      rules: forgettingRefresh(() => true),
    },
    'revocation-leaves-the-refresh-token-of-a-tpp': {
      story: 'A revocation does not end the refresh token of a TPP.',
      rules: forgettingRefresh(isOfATpp),
    },
  }),
]

const laterRevocations: readonly Defect[] = [
  ...breaking(TOK.revokedTokenIsRefused, {
    'revocation-is-forgotten-after-a-day': {
      story: 'A revocation is forgotten after a day.',
      alsoBreaks: [TOK.revokedTokenHasStatus401],
      rules: (lawful) => ({
        accessIsRevoked: (facts) =>
          lawful.accessIsRevoked(facts) && facts.now.getTime() - (facts.revokedAt?.getTime() ?? 0) < DAY,
      }),
    },
    'new-grant-undoes-the-revocation': {
      story: 'After a new grant the revoked access token of the client is accepted again.',
      rules: (lawful) => {
        const refused = new Set<string>()
        const revived = new Set<string>()
        return {
          newCode: (facts) => {
            for (const grantId of refused) revived.add(grantId)
            return lawful.newCode(facts)
          },
          accessIsRevoked: (facts) => {
            if (!lawful.accessIsRevoked(facts)) return false
            refused.add(facts.grant.grantId)
            return !revived.has(facts.grant.grantId)
          },
        }
      },
    },
  }),
  ...breaking(TOK.revokedTokenHasStatus401, {
    'revoked-token-has-status-403-from-the-second-call-on': {
      story: 'The first call with a revoked token is answered with 401, and later ones with 403.',
      rules: refusingLaterWith403('token_revoked'),
    },
  }),
]

/** Ends older grants too when the user revokes one. The first refused call with the revoked token starts it. */
const endingOthers = (
  applies: (other: AccessFacts['grant'], revoked: AccessFacts['grant']) => boolean,
): RuleChange =>
  revokedByTheUser((isOfTheUser, lawful) => {
    const revoked: AccessFacts['grant'][] = []
    return {
      accessIsRevoked: (facts) => {
        if (isOfTheUser(facts)) revoked.push(facts.grant)
        return lawful.accessIsRevoked(facts) || revoked.some((grant) => applies(facts.grant, grant))
      },
    }
  })

const otherGrants: readonly Defect[] = [
  ...breaking(TOK.revocationEndsNoOtherGrant, {
    'revocation-ends-the-tokens-of-all-customers': {
      story: 'A revocation ends the tokens that other customers gave to the application.',
      rules: endingOthers(
        (other, revoked) => other.clientId === revoked.clientId && other.username !== revoked.username,
      ),
    },
    'revocation-ends-the-tokens-of-all-applications': {
      story: 'A revocation ends the tokens that the customer gave to other applications.',
      rules: endingOthers(
        (other, revoked) => other.clientId !== revoked.clientId && other.username === revoked.username,
      ),
    },
  }),
]

export const revocationDefects: readonly Defect[] = [...revocations, ...laterRevocations, ...otherGrants]
