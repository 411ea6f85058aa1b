import { must, shelf, undisclosed } from '../../harness/check/requirement.ts'

const pending = 'no check yet'

const LIST = 'Endpoints, Accounts (first variant), GET /v1/accounts'
const DETAIL = 'Endpoints, Accounts (first variant), GET /v1/accounts/{account-id}'
const LIST_2 = 'Endpoints, Accounts (second variant), GET /api/v1/accounts'
const INFORMATION = 'Endpoints, Accounts (second variant), POST /api/v1/accounts/information'

const REFUSED = 'Refused: nothing of an account is answered; status and body are undisclosed.'

/** Sentences that more than one row quotes. */
const LISTED = { quote: 'List of consented accounts, each with accountId.', place: LIST }
const LISTED_2 = { quote: '| GET | /api/v1/accounts | none | List of consented accounts. |', place: LIST_2 }
const DETAILED = { quote: 'Account detail and balances.', place: DETAIL }
const INFORMED = { quote: 'Account detail and balances.', place: INFORMATION }
const AFTER_AUTHORIZATION = {
  quote:
    "It lets a client application read a bank customer's accounts, balances and transaction history after the customer has authorized it.",
  place: 'What the service does, 1',
}
const BEARER_IS_NEEDED = {
  quote: 'Data calls carry the access token as a Bearer token.',
  place: 'Authentication, 3',
}
const ANSWERED_401 = {
  quote: 'A revoked or expired token makes API calls answer HTTP 401.',
  place: 'Authentication, 5',
}

export const ACC = {
  consentedAccountsAreListed: must('ACC-01', {
    claim: 'every account that the customer has consented to is listed',
    ...LISTED,
    pending,
  }),
  nothingElseIsListed: must('ACC-02', {
    claim: 'no account is listed that the customer has not consented to',
    ...LISTED,
    tags: ['security'],
    pending,
  }),
  listedAccountHasAnAccountId: must('ACC-03', {
    claim: 'each listed account has an accountId that is not empty',
    ...LISTED,
    pending,
  }),
  accountIdIsAString: must('ACC-04', {
    claim: 'an accountId is a string',
    quote: '| accountId | string | Returned in the consented accounts list.',
    place: 'Resources and their fields, Account, row accountId',
    reading: 'Judged on the raw JSON.',
    pending,
  }),
  accountIdsAreDistinct: must('ACC-05', {
    claim: 'no two listed accounts have the same accountId',
    quote: 'It is the input {account-id} of the other account operations.',
    place: 'Resources and their fields, Account, row accountId',
    reading: 'An accountId picks one account, so it cannot be that of two.',
    pending,
  }),
  accountIdOpensTheDetail: must('ACC-06', {
    claim: 'the detail of each listed account is answered under its accountId',
    quote: 'It is the input {account-id} of the other account operations.',
    place: 'Resources and their fields, Account, row accountId',
    pending,
  }),
  detailIsThatOfTheAccount: must('ACC-07', {
    claim: 'the detail is that of the account asked for',
    quote: '| GET | /v1/accounts/{account-id} | path account-id | Account detail and balances. |',
    place: DETAIL,
    reading: 'Told from a field that the profile names, for instance the IBAN.',
    pending,
  }),
  detailCarriesBalances: must('ACC-08', {
    claim: 'the detail of an account carries its balances',
    ...DETAILED,
    reading: 'The fields of a balance are undisclosed: the profile says where the balances stand.',
    pending,
  }),
  unknownAccountIsRefused: must('ACC-09', {
    claim: 'an account-id that the bank never issued is refused',
    quote: '| GET | /v1/accounts/{account-id} | path account-id | Account detail and balances. |',
    place: DETAIL,
    reading: REFUSED,
    pending,
  }),
  accountWithoutConsentIsRefused: must('ACC-10', {
    claim: 'the detail of an account that the customer has not consented to is refused',
    ...AFTER_AUTHORIZATION,
    reading: `Another account of the same customer, and one of another customer. ${REFUSED}`,
    tags: ['security'],
    pending,
  }),
  detailWithoutTokenIsRefused: must('ACC-11', {
    claim: 'the detail of an account is refused without an access token',
    ...BEARER_IS_NEEDED,
    reading: REFUSED,
    tags: ['security'],
    pending,
  }),
  detailWithAnExpiredTokenHasStatus401: must('ACC-12', {
    claim: 'the detail of an account is answered with the HTTP status 401 when the token has expired',
    ...ANSWERED_401,
    tags: ['time', 'security'],
    pending,
  }),
  balanceOfTheOwnBankIsCurrent: must('ACC-13', {
    claim: "a booking on an account of the service's own bank shows in its balances without a refresh",
    quote: "Balances and transactions of the service's own bank's accounts stay current.",
    place: 'Events, accountEvent',
    pending,
  }),

  consentedAccountsAreListedInTheSecondVariant: must('ACC-14', {
    claim: 'the second variant lists every account that the customer has consented to',
    ...LISTED_2,
    tags: ['variant-2'],
    pending,
  }),
  nothingElseIsListedInTheSecondVariant: must('ACC-15', {
    claim: 'the second variant lists no account that the customer has not consented to',
    ...LISTED_2,
    tags: ['variant-2', 'security'],
    pending,
  }),
  listedAccountOpensTheInformation: must('ACC-16', {
    claim: 'the information of each account that the second variant lists is answered',
    quote: 'The account is identified in the body',
    place: INFORMATION,
    tags: ['variant-2'],
    pending,
  }),
  typedIbanOpensTheInformation: must('ACC-17', {
    claim: 'the information of an account is answered under an IBAN that the customer has typed',
    quote: 'an IBAN typed by the customer may be used instead of an account picked from the list.',
    place: INFORMATION,
    reading: 'The IBAN is that of a consented account, in its electronic form.',
    tags: ['variant-2'],
    pending,
  }),
  informationIsThatOfTheAccount: must('ACC-18', {
    claim: 'the information is that of the account asked for',
    ...INFORMED,
    reading: 'Told from a field that the profile names.',
    tags: ['variant-2'],
    pending,
  }),
  informationCarriesBalances: must('ACC-19', {
    claim: 'the information of an account carries its balances',
    ...INFORMED,
    reading: 'The fields of a balance are undisclosed: the profile says where the balances stand.',
    tags: ['variant-2'],
    pending,
  }),
  informationWithoutConsentIsRefused: must('ACC-20', {
    claim: 'the information of an account that the customer has not consented to is refused',
    ...AFTER_AUTHORIZATION,
    reading: `Another account of the same customer, one of another customer, and one that does not exist. ${REFUSED}`,
    tags: ['variant-2', 'security'],
    pending,
  }),
  secondVariantWithoutTokenIsRefused: must('ACC-21', {
    claim: 'the second variant answers nothing of an account without an access token',
    quote: '### Accounts (second variant, with Bearer access token)',
    place: 'Endpoints, Accounts (second variant)',
    reading: REFUSED,
    tags: ['variant-2', 'security'],
    pending,
  }),
  secondVariantWithAnExpiredTokenHasStatus401: must('ACC-22', {
    claim: 'the second variant answers with the HTTP status 401 when the token has expired',
    ...ANSWERED_401,
    tags: ['variant-2', 'time', 'security'],
    pending,
  }),

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
