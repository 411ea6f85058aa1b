import { shelf, undisclosed } from '../../harness/check/requirement.ts'
import { ISSUING } from './requirements-of-issuing.ts'
import { REFUSING } from './requirements-of-refusing.ts'
import { RENEWING } from './requirements-of-renewing.ts'

export const TOK = {
  ...ISSUING,
  ...REFUSING,
  ...RENEWING,

  nameOfTheRefreshToken: undisclosed('TOK-U1', {
    subject: 'the name of the field that carries the refresh token',
    quote: 'Its response field name is not among the given field names of this table.',
    place: 'Resources and their fields, Token response, row refresh token',
  }),
  parametersOfTheRefreshRequest: undisclosed('TOK-U2', {
    subject: 'the parameter names of the refresh request',
    quote: 'The parameter names of the refresh request: not shown.',
    place: 'Endpoints, Consent and authorization, POST /auth/oauth/v2/token (refresh)',
  }),
  errorBodyOfTheTokenEndpoint: undisclosed('TOK-U3', {
    subject: 'the error body of the token endpoint',
    quote: 'The error body of the OAuth and account operations: not shown.',
    place: 'Errors, 7',
  }),
} as const

export default shelf('tokens', TOK)
