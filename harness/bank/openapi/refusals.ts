/** The answers to refused requests. */
import {
  header,
  jsonAnswer,
  objectOf,
  schemaWith,
  TEXT,
  wordOf,
  type Answer,
  type Answers,
  type Schemas,
} from './parts.ts'

const PROBLEM_CODES = [
  'INVALID_REQUEST',
  'INVALID_CLIENT',
  'NO_CONTRACT',
  'CONSENT_UNKNOWN',
  'NO_ACCOUNT',
  'ORDER_UNKNOWN',
  'ORDER_STATE',
  'NEGATIVE_VALUE_NOT_ALLOWED',
  'LOAN_AMNT_LOW',
  'LOAN_AMNT_HIGH',
  'INSUFFICIENT_CAPACITY',
  'TOT_AMNT_LOW',
  'TOT_AMNT_HIGH',
  'APP_NOT_FOUND',
  'NOT_ALLOWED_OPER',
  'SCENARIO_SELECTED',
  'NO_AUTHORIZATION',
  'TOKEN_INVALID',
  'TOKEN_UNKNOWN',
  'TOKEN_EXPIRED',
] as const

type ProblemCode = (typeof PROBLEM_CODES)[number]

const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unsupported_grant_type',
] as const

type OAuthErrorCode = (typeof OAUTH_ERRORS)[number]

export const refusalSchemas: Schemas = {
  Problem: objectOf({ errorCode: wordOf(...PROBLEM_CODES), errorDescription: TEXT }),
  /** RFC 6749 §5.2. */
  OAuthError: objectOf({ error: wordOf(...OAUTH_ERRORS), error_description: TEXT }),
}

export const refused = (description: string, ...codes: readonly ProblemCode[]): Answer =>
  jsonAnswer(description, schemaWith('Problem', 'errorCode', codes))

export const oauthRefused = (description: string, ...codes: readonly OAuthErrorCode[]): Answer =>
  jsonAnswer(description, schemaWith('OAuthError', 'error', codes))

const withChallenge = (answer: Answer): Answer => ({
  ...answer,
  headers: { 'WWW-Authenticate': header('The scheme that the request lacks.', true) },
})

const WRONG_CLIENT = 'The client is unknown, or its secret is wrong.'

/** The answer of operations that authenticate the client itself. */
export const clientRefused: Answers = { 401: withChallenge(refused(WRONG_CLIENT, 'INVALID_CLIENT')) }

/** The same at a token endpoint. */
export const oauthClientRefused: Answers = {
  401: withChallenge(oauthRefused(WRONG_CLIENT, 'invalid_client')),
}

/** The answer of operations with an access token. A missing or revoked token is TOKEN_INVALID. */
export const tokenRefused: Answers = {
  401: withChallenge(
    refused(
      'The access token is missing or revoked, unknown, or expired.',
      'TOKEN_INVALID',
      'TOKEN_UNKNOWN',
      'TOKEN_EXPIRED',
    ),
  ),
}
