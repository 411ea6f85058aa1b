import { must, shelf, undisclosed } from '../../harness/check/requirement.ts'
import { LOAN_SEPARATION, SEPARATION } from './requirements-of-separation.ts'
import { SERVING } from './requirements-of-serving.ts'

/** Why nobody tries the same address without TLS. */
const WITHOUT_TLS =
  'to see it refused, a run would have to send the request without TLS: to another origin than that of the target, where nothing is sent, and with credentials that anybody on the way can read'

export const ENV = {
  ...SERVING,
  ...SEPARATION,
  ...LOAN_SEPARATION,
  authorizationEndpointUsesTls: must('ENV-12', {
    claim: 'the authorization endpoint is reached by TLS alone',
    quote:
      'the authorization server MUST require the use of TLS as described in Section 1.6 when sending requests to the authorization endpoint.',
    place: 'Authorization Endpoint',
    source: 'RFC 6749 §3.1',
    unchecked: WITHOUT_TLS,
    tags: ['security'],
  }),
  tokenEndpointUsesTls: must('ENV-13', {
    claim: 'the token endpoint is reached by TLS alone',
    quote:
      'the authorization server MUST require the use of TLS as described in Section 1.6 when sending requests to the token endpoint.',
    place: 'Token Endpoint',
    source: 'RFC 6749 §3.2',
    unchecked: WITHOUT_TLS,
    tags: ['security'],
  }),

  rulesForNewVersions: undisclosed('ENV-U1', {
    subject: 'the rules for introducing new versions',
    quote: 'The rules for introducing new versions, deprecation and compatibility: not shown.',
    place: 'Versioning, 3',
  }),
  rulesForDeprecation: undisclosed('ENV-U2', {
    subject: 'the rules for deprecation',
    quote: 'The rules for introducing new versions, deprecation and compatibility: not shown.',
    place: 'Versioning, 3',
  }),
  rulesForCompatibility: undisclosed('ENV-U3', {
    subject: 'the rules for compatibility',
    quote: 'The rules for introducing new versions, deprecation and compatibility: not shown.',
    place: 'Versioning, 3',
  }),
  rateLimits: undisclosed('ENV-U4', {
    subject: 'the rate limits',
    quote: 'Rate limits: not shown.',
    place: 'Limits',
  }),
} as const

export default shelf('environments', ENV)
