/** The sandbox of instalment loans. */
import { SCENARIOS, type LoanStatus } from '../loans/loan.ts'
import { LOAN_SCOPE } from '../rules/loan-rules.ts'
import { tokenRefusals } from './authorization.ts'
import {
  emptyAnswer,
  formBody,
  inPath,
  jsonAnswer,
  jsonBody,
  listOf,
  objectOf,
  schemaRef,
  schemaWith,
  SOME_TEXT,
  TEXT,
  theWord,
  wordOf,
  type Answers,
  type Operation,
  type Schemas,
  type Topic,
} from './parts.ts'
import { oauthRefused, refused, tokenRefused } from './refusals.ts'

const WHOLE = { type: 'integer' } as const
const PERCENT = { type: 'number', exclusiveMinimum: 0 } as const
const EUROS = { type: 'number', exclusiveMinimum: 0, multipleOf: 0.01 } as const

const STATUSES = [
  'NEW',
  'CUSTOMER_CREATION_IN_PROGRESS',
  'LOAN_APPLICATION_IN_PROGRESS',
  'LOAN_APPLICATION_FINISHED',
  'LOAN_DISBURSED',
  'CANCELED',
  'EXPIRED',
] as const satisfies readonly LoanStatus[]

const DAY_IN_SECONDS = 24 * 60 * 60

const SCOPE = theWord(LOAN_SCOPE)

const schemas: Schemas = {
  LoanClientCredentials: {
    ...objectOf(
      { grant_type: theWord('client_credentials'), scope: SCOPE },
      { client_id: TEXT, client_secret: TEXT },
    ),
    dependentRequired: { client_id: ['client_secret'], client_secret: ['client_id'] },
    description: 'The credentials of the application are here, or in the header Authorization.',
  },
  LoanToken: objectOf({
    access_token: SOME_TEXT,
    token_type: theWord('Bearer'),
    expires_in: { type: 'integer', const: DAY_IN_SECONDS },
    scope: SCOPE,
  }),
  Precalculation: objectOf(
    { loanAmount: WHOLE },
    { capacityInfo: objectOf({ monthlyIncome: WHOLE, monthlyExpenses: WHOLE, numberOfChildren: WHOLE }) },
  ),
  LoanOffer: objectOf({
    LoanInterestRate: PERCENT,
    InstallmentAmount: EUROS,
    LoanDuration: { type: 'integer', enum: [6, 12, 24], description: 'In months.' },
    Preference: { type: 'boolean' },
    MainPreference: { type: 'boolean' },
    RPMN: PERCENT,
    LoanFee: { type: 'integer', const: 0 },
    TotalAmount: EUROS,
  }),
  LoanScenario: wordOf(...SCENARIOS),
  LoanRequest: objectOf(
    {
      financeApplication: objectOf(
        {
          order: objectOf(
            {
              orderNo: { type: 'string', minLength: 1, maxLength: 64 },
              totalAmount: { type: 'number', multipleOf: 0.01 },
            },
            { orderItems: listOf({ type: 'object', additionalProperties: true }) },
          ),
        },
        { applicant: { type: 'object', additionalProperties: true } },
      ),
    },
    { scenario: schemaRef('LoanScenario') },
  ),
  LoanStatus: wordOf(...STATUSES),
  LoanApplication: objectOf({
    applicationId: { type: 'string', pattern: '^[0-9a-f]{24}$' },
    applicationProcessUrl: {
      type: 'string',
      format: 'uri',
      description: 'The page on which a scenario is selected.',
    },
    applicationStatus: theWord('NEW'),
  }),
  ScenarioSelection: objectOf({ scenario: schemaRef('LoanScenario') }),
  LoanStatusRecord: objectOf({ resultCode: theWord('OK'), applicationStatus: schemaRef('LoanStatus') }),
}

const APPLICATION_ID = inPath('applicationId', 'The applicationId from the submission.')

const unknownApplication: Answers = {
  404: refused('The application has submitted no such request for a loan.', 'APP_NOT_FOUND'),
}

const malformed: Answers = { 400: refused('The body is malformed.', 'INVALID_REQUEST') }

const operations: readonly Operation[] = [
  {
    method: 'post',
    path: '/auth/oauth/v2/token',
    operationId: 'issueLoanToken',
    summary: 'Obtain a token of the application',
    requestBody: formBody(schemaRef('LoanClientCredentials')),
    authorizedBy: ['client', 'clientInForm'],
    answers: {
      200: jsonAnswer('The token.', schemaRef('LoanToken')),
      ...tokenRefusals,
      400: oauthRefused(
        'The request was refused.',
        'invalid_request',
        'invalid_scope',
        'unsupported_grant_type',
      ),
    },
  },
  {
    method: 'put',
    path: '/v1/applications/precalculation',
    operationId: 'precalculate',
    summary: 'Calculate the offers for a loan',
    requestBody: jsonBody(schemaRef('Precalculation')),
    authorizedBy: ['loans'],
    answers: {
      200: jsonAnswer('The offers.', listOf(schemaRef('LoanOffer'))),
      ...malformed,
      ...tokenRefused,
      422: refused(
        'There is no offer.',
        'NEGATIVE_VALUE_NOT_ALLOWED',
        'LOAN_AMNT_LOW',
        'LOAN_AMNT_HIGH',
        'INSUFFICIENT_CAPACITY',
      ),
    },
  },
  {
    method: 'post',
    path: '/v1/applications',
    operationId: 'submitApplication',
    summary: 'Submit a request for a loan',
    requestBody: jsonBody(schemaRef('LoanRequest')),
    authorizedBy: ['loans'],
    answers: {
      201: jsonAnswer('The request is submitted.', schemaRef('LoanApplication')),
      ...malformed,
      ...tokenRefused,
      422: refused('The total amount is not one that is lent.', 'TOT_AMNT_LOW', 'TOT_AMNT_HIGH'),
    },
  },
  {
    method: 'put',
    path: '/v1/applications/{applicationId}/scenario',
    operationId: 'selectScenario',
    summary: 'Select how the status changes from now on',
    parameters: [APPLICATION_ID],
    requestBody: jsonBody(schemaRef('ScenarioSelection')),
    authorizedBy: ['loans'],
    answers: {
      204: emptyAnswer('The scenario is selected.'),
      ...malformed,
      ...tokenRefused,
      ...unknownApplication,
      409: refused('No scenario can be selected any more.', 'SCENARIO_SELECTED'),
    },
  },
  {
    method: 'get',
    path: '/v1/applications/{applicationId}/status',
    operationId: 'readLoanStatus',
    summary: 'Read the status of a request for a loan',
    parameters: [APPLICATION_ID],
    authorizedBy: ['loans'],
    answers: {
      200: jsonAnswer('The status.', schemaRef('LoanStatusRecord')),
      ...tokenRefused,
      ...unknownApplication,
    },
  },
  {
    method: 'delete',
    path: '/v1/applications/{applicationId}',
    operationId: 'cancelApplication',
    summary: 'Cancel a request for a loan',
    parameters: [APPLICATION_ID],
    authorizedBy: ['loans'],
    answers: {
      200: jsonAnswer(
        'The request is canceled.',
        schemaWith('LoanStatusRecord', 'applicationStatus', ['CANCELED']),
      ),
      ...tokenRefused,
      ...unknownApplication,
      422: refused('The request is in a status that cannot be canceled.', 'NOT_ALLOWED_OPER'),
    },
  },
]

export const loansTopic: Topic = {
  api: 'loans',
  tag: 'Instalment loans',
  requestId: 'X-Request-ID',
  operations,
  schemas,
}
