import { shelf, undisclosed } from '../../harness/check/requirement.ts'
import { FIRST } from './requirements-of-first-variant.ts'
import { SECOND } from './requirements-of-second-variant.ts'

const RESOURCE = 'Resources and their fields, Transaction'

export const TRX = {
  ...FIRST,
  ...SECOND,

  fieldsOfATransaction: undisclosed('TRX-U1', {
    subject: 'the fields of a transaction record',
    quote: 'The fields of a transaction record and the page envelope (total, next page link): not shown.',
    place: RESOURCE,
  }),
  envelopeOfAPage: undisclosed('TRX-U2', {
    subject: 'the page envelope: the total and the next page link',
    quote: 'The fields of a transaction record and the page envelope (total, next page link): not shown.',
    place: RESOURCE,
  }),
  otherQueryParameters: undisclosed('TRX-U3', {
    subject: 'the query parameters beside pageSize',
    quote: 'query pageSize, and other query parameters: not shown',
    place: 'Endpoints, Accounts (first variant), GET /v1/accounts/{account-id}/transactions',
  }),
  bodyOfTheTransactionsRequest: undisclosed('TRX-U4', {
    subject: 'the body field names of the second variant',
    quote: 'Body with the account and pageSize. The body field names: not shown.',
    place: 'Endpoints, Accounts (second variant), POST /api/v1/accounts/transactions',
  }),
  boundsOfTheFirstVariant: undisclosed('TRX-U5', {
    subject: 'the pageSize numbers of the first variant',
    quote:
      'The pageSize numbers for the first accounts variant, which only requires reasonable limits: not shown.',
    place: 'Limits',
  }),
} as const

export default shelf('transactions', TRX)
