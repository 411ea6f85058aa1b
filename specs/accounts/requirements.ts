import { shelf, undisclosed } from '../../harness/check/requirement.ts'
import { FIRST } from './requirements-of-first-variant.ts'
import { SECOND } from './requirements-of-second-variant.ts'

const INFORMATION = 'Endpoints, Accounts (second variant), POST /api/v1/accounts/information'

export const ACC = {
  ...FIRST,
  ...SECOND,

  fieldsOfTheDetail: undisclosed('ACC-U1', {
    subject: 'the fields of account detail',
    quote: 'The fields of account detail and of balances: not shown.',
    place: 'Resources and their fields, Account',
  }),
  fieldsOfTheBalances: undisclosed('ACC-U2', {
    subject: 'the fields of balances',
    quote: 'The fields of account detail and of balances: not shown.',
    place: 'Resources and their fields, Account',
  }),
  bodyOfTheInformationRequest: undisclosed('ACC-U3', {
    subject: 'the body field names of the information request',
    quote: 'The body field names: not shown.',
    place: INFORMATION,
  }),
  basePathOfTheSecondVariant: undisclosed('ACC-U4', {
    subject: 'the base path of the second variant',
    quote: 'The base path of the second variant: not shown.',
    place: 'Endpoints, Accounts (second variant)',
  }),
  errorBodyOfTheAccountOperations: undisclosed('ACC-U5', {
    subject: 'the error body of the account operations',
    quote: 'The error body of the OAuth and account operations: not shown.',
    place: 'Errors, 7',
  }),
} as const

export default shelf('accounts', ACC)
