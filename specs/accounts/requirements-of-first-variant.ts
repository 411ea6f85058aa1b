import { must } from '../../harness/check/requirement.ts'

const LIST = 'Endpoints, Accounts (first variant), GET /v1/accounts'
const DETAIL = 'Endpoints, Accounts (first variant), GET /v1/accounts/{account-id}'
const ACCOUNT_ID = 'Resources and their fields, Account, row accountId'

const REFUSED = 'Refused: nothing of an account is answered; status and body are undisclosed.'
const TOLD_FROM_IBAN = 'Told from the IBAN, where the profile says that it stands.'

/** Sentences that more than one row quotes. */
const LISTED = { quote: 'List of consented accounts, each with accountId.', place: LIST }
const INPUT = {
  quote: 'It is the input {account-id} of the other account operations.',
  place: ACCOUNT_ID,
}
const DETAIL_OF_ONE = {
  quote: '| GET | /v1/accounts/{account-id} | path account-id | Account detail and balances. |',
  place: DETAIL,
}
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

/** Accounts as the first variant offers them. */
export const FIRST = {
  consentedAccountsAreListed: must('ACC-01', {
    claim: 'every account that the customer has consented to is listed',
    ...LISTED,
    reading: `Judged of the accounts that the profile knows. ${TOLD_FROM_IBAN}`,
  }),
  nothingElseIsListed: must('ACC-02', {
    claim: 'no account is listed that the customer has not consented to',
    ...LISTED,
    reading: `Judged of the accounts that the profile knows: others of the customer, and those of other customers. ${TOLD_FROM_IBAN}`,
    tags: ['security'],
  }),
  listedAccountHasAnAccountId: must('ACC-03', {
    claim: 'each listed account has an accountId that is not empty',
    ...LISTED,
  }),
  accountIdIsAString: must('ACC-04', {
    claim: 'an accountId is a string',
    quote: '| accountId | string | Returned in the consented accounts list.',
    place: ACCOUNT_ID,
    reading: 'Judged on the raw JSON.',
  }),
  accountIdsAreDistinct: must('ACC-05', {
    claim: 'no two listed accounts have the same accountId',
    ...INPUT,
    reading: 'An accountId picks one account, so it cannot be that of two.',
  }),
  accountIdOpensTheDetail: must('ACC-06', {
    claim: 'the detail of each listed account is answered under its accountId',
    ...INPUT,
  }),
  detailIsThatOfTheAccount: must('ACC-07', {
    claim: 'the detail is that of the account asked for',
    ...DETAIL_OF_ONE,
    reading: TOLD_FROM_IBAN,
  }),
  detailCarriesBalances: must('ACC-08', {
    claim: 'the detail of an account carries its balances',
    quote: 'Account detail and balances.',
    place: DETAIL,
    reading:
      'One at least, with an amount. The fields of a balance are undisclosed: the profile says where the balances stand.',
  }),
  unknownAccountIsRefused: must('ACC-09', {
    claim: 'an account-id that the bank never issued is refused',
    ...DETAIL_OF_ONE,
    reading: `One of the same look, and those that differ from an issued one in a character, by what is cut off, or by what is added. ${REFUSED}`,
  }),
  accountWithoutConsentIsRefused: must('ACC-10', {
    claim: 'the detail of an account that the customer has not consented to is refused',
    ...AFTER_AUTHORIZATION,
    reading: `Another account of the same customer. Its accountId is in no list, so it is asked for by its IBAN. ${REFUSED}`,
    tags: ['security'],
  }),
  detailWithoutTokenIsRefused: must('ACC-11', {
    claim: 'the detail of an account is refused without an access token',
    ...BEARER_IS_NEEDED,
    reading: `Without an Authorization header, without a token in it, and with one that the bank never issued. ${REFUSED}`,
    tags: ['security'],
  }),
  detailWithAnExpiredTokenHasStatus401: must('ACC-12', {
    claim: 'the detail of an account is answered with the HTTP status 401 when the token has expired',
    ...ANSWERED_401,
    tags: ['time', 'security'],
  }),
  balanceOfTheOwnBankIsCurrent: must('ACC-13', {
    claim: "a booking on an account of the service's own bank shows in its balances without a refresh",
    quote: "Balances and transactions of the service's own bank's accounts stay current.",
    place: 'Events, accountEvent',
    reading: 'One of the balances changes by the amount within a minute: how current is not said.',
  }),
  listIsStable: must('ACC-23', {
    claim: 'two lists for one access token hold the same accounts under the same accountIds',
    ...INPUT,
    reading: 'In any order. An accountId that changes from list to list is no input of anything.',
  }),
  detailWithARevokedTokenHasStatus401: must('ACC-24', {
    claim: 'the detail of an account is answered with the HTTP status 401 when the token has been revoked',
    ...ANSWERED_401,
    reading: 'Judged where the target lets the user revoke.',
    tags: ['security'],
  }),
  accountOfAnotherCustomerIsRefused: must('ACC-25', {
    claim: 'the detail of an account of another customer is refused',
    ...AFTER_AUTHORIZATION,
    reading: `By its accountId and by its IBAN, before and after that customer, with a consent of their own, has read it. ${REFUSED}`,
    tags: ['security'],
  }),
  refusedDetailTellsNothing: must('ACC-26', {
    claim: 'a refused detail tells nothing of an account of another customer',
    ...AFTER_AUTHORIZATION,
    reading:
      'Nothing that its holder is answered, and the customer who asks is not. That an account exists may be told.',
    tags: ['security'],
  }),
  detailIsRefusedInTheOtherEnvironment: must('ACC-27', {
    claim: 'an access token opens no account detail in the other environment',
    quote:
      'Environments are separated by the base path: /premium/sandbox, /premium/production and /paylater/sandbox.',
    place: 'Versioning, 2',
    reading: REFUSED,
    tags: ['security'],
  }),
} as const
