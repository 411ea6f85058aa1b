import { must, chapterRows, undisclosed } from '../../harness/check/requirement.ts'

const INFORMATION = 'Endpoints, Accounts (second variant), POST /api/v1/accounts/information'
const LIST = 'Endpoints, Accounts (first variant), GET /v1/accounts'
const DETAIL = 'Endpoints, Accounts (first variant), GET /v1/accounts/{account-id}'
const ACCOUNT_ID = 'Resources and their fields, Account, row accountId'
const REFUSED = 'Refused: no data of an account are answered; status and body are not shown.'
const BY_IBAN = 'Accounts are compared by the IBAN, whose field the profile gives.'
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
const SECOND_LIST = 'Endpoints, Accounts (second variant), GET /api/v1/accounts'
const SECOND_LISTED = {
  quote: '| GET | /api/v1/accounts | none | List of consented accounts. |',
  place: SECOND_LIST,
}
const PICKED = { quote: 'instead of an account picked from the list.', place: INFORMATION }
const INFORMED = { quote: 'Account detail and balances.', place: INFORMATION }

const OWN_CONSENT =
  'Where the customer chooses the accounts (`tickAccounts`), a consent has those that were chosen under it, and a later one has its own: a refresh updates the accounts "of one consent".'

const UNTIL_THE_DEADLINE =
  'The interface does not say how current they are: judged by the deadline of the profile (`deadlines.currentMs`), or after a day.'
const STATUS = {
  quote: 'The HTTP status code gives the result of the call.',
  place: 'Errors, 1',
  reading: 'Which status of each class is not shown.',
}

export const ACC = {
  // Accounts as the first variant offers them.
  consentedAccountsAreListed: must('ACC-01', {
    answers: 'GET listAccounts',
    claim: 'every account that the customer has consented to is listed',
    fromProfile: 'customers.*.accounts.*.consented',
    ...LISTED,
    reading: `Judged for the accounts that the profile knows. ${BY_IBAN}`,
  }),
  nothingElseIsListed: must('ACC-02', {
    claim: 'no account is listed that the customer has not consented to',
    fromProfile: 'customers.*.accounts.*.consented',
    ...LISTED,
    reading: `Judged for the accounts that the profile knows: others of the customer, and those of other customers. ${OWN_CONSENT} ${BY_IBAN}`,
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
    reading: 'Judged on the raw JSON, where null is not a string.',
  }),
  accountIdsAreDistinct: must('ACC-05', {
    claim: 'no two listed accounts have the same accountId',
    ...INPUT,
    reading: 'An accountId identifies one account, so two accounts cannot share it.',
  }),
  accountIdOpensTheDetail: must('ACC-06', {
    answers: 'GET readAccount',
    claim: 'the detail of each listed account is answered under its accountId',
    ...INPUT,
  }),
  detailIsThatOfTheAccount: must('ACC-07', {
    claim: 'the detail is that of the account asked for',
    ...DETAIL_OF_ONE,
    reading: BY_IBAN,
  }),
  detailCarriesBalances: must('ACC-08', {
    claim: 'the detail of an account carries its balances',
    quote: 'Account detail and balances.',
    place: DETAIL,
    reading: 'At least one, with an amount. The fields of a balance are not shown: the profile gives them.',
  }),
  unknownAccountIsRefused: must('ACC-09', {
    claim: 'an account-id that the bank never issued is refused',
    ...DETAIL_OF_ONE,
    reading: `An account-id of the same form, and account-ids that differ from an issued one: in one character, cut off, and longer. ${REFUSED}`,
  }),
  accountWithoutConsentIsRefused: must('ACC-10', {
    claim: 'the detail of an account that the customer has not consented to is refused',
    fromProfile: 'customers.*.accounts.*.consented',
    ...AFTER_AUTHORIZATION,
    reading: `Another account of the same customer, by its IBAN, and by its accountId where the profile knows it: it is in no list; and one that was shared under another consent only, where the customer chooses the accounts. ${REFUSED}`,
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
    claim: "a booking on an account of the service's own bank is in its balances without a refresh",
    quote: "Balances and transactions of the service's own bank's accounts stay current.",
    place: 'Events, accountEvent',
    reading: `One of the balances changes by the amount. ${UNTIL_THE_DEADLINE}`,
  }),
  listIsStable: must('ACC-23', {
    claim:
      'two lists for one access token have the same accounts, and an accountId of the first one stays valid',
    ...INPUT,
    reading:
      'In any order. A list may have new accountIds, as long as an earlier one is still an input of the other operations.',
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
    reading: `By its accountId and by its IBAN, before and after its holder has read it under another consent. ${REFUSED}`,
    tags: ['security'],
  }),
  refusedDetailDisclosesNothing: must('ACC-26', {
    claim: 'a refused detail discloses nothing about an account of another customer',
    ...AFTER_AUTHORIZATION,
    reading:
      'No data that the holder of the account is answered, and the customer who asks is not. That the account exists may be disclosed.',
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
  // Accounts as the second variant offers them, and that both offer the same.
  consentedAccountsAreListedInTheSecondVariant: must('ACC-14', {
    answers: 'GET listAccounts',
    claim:
      "the second variant lists every account at the service's own bank that the customer has consented to",
    fromProfile: 'customers.*.accounts.*.consented',
    ...SECOND_LISTED,
    reading: `Judged for the accounts that the profile knows. The interface does not say whether the second variant offers accounts at other banks: it lists each of them or none. ${BY_IBAN}`,
    tags: ['variant-2'],
  }),
  nothingElseIsListedInTheSecondVariant: must('ACC-15', {
    claim: 'the second variant lists no account that the customer has not consented to',
    fromProfile: 'customers.*.accounts.*.consented',
    ...SECOND_LISTED,
    reading: `Judged for the accounts that the profile knows: others of the customer, and those of other customers. ${OWN_CONSENT} ${BY_IBAN}`,
    tags: ['variant-2', 'security'],
  }),
  listedAccountOpensTheInformation: must('ACC-16', {
    answers: 'POST readAccount',
    claim: 'the information of each account that the second variant lists is answered',
    quote: 'The account is identified in the body',
    place: INFORMATION,
    tags: ['variant-2'],
  }),
  typedIbanOpensTheInformation: must('ACC-17', {
    claim: 'the information of an account is answered under an IBAN that the customer has typed',
    quote: 'an IBAN typed by the customer may be used instead of an account picked from the list.',
    place: INFORMATION,
    reading: 'The IBAN is that of a consented account, in its electronic form.',
    tags: ['variant-2'],
  }),
  informationIsThatOfTheAccount: must('ACC-18', {
    claim: 'the information is that of the account asked for',
    ...INFORMED,
    reading: `Asked for by its id of the list, and by its IBAN. ${BY_IBAN}`,
    tags: ['variant-2'],
  }),
  informationCarriesBalances: must('ACC-19', {
    claim: 'the information of an account carries its balances',
    ...INFORMED,
    reading: 'At least one, with an amount. The fields of a balance are not shown: the profile gives them.',
    tags: ['variant-2'],
  }),
  informationWithoutConsentIsRefused: must('ACC-20', {
    claim: 'the information of an account that the customer has not consented to is refused',
    fromProfile: 'customers.*.accounts.*.consented',
    ...AFTER_AUTHORIZATION,
    reading: `Another account of the same customer, by its IBAN in its electronic form, in groups of four and in small letters, and by its id where the profile knows it; and one that was shared under another consent only, where the customer chooses the accounts. ${REFUSED}`,
    tags: ['variant-2', 'security'],
  }),
  secondVariantWithoutTokenIsRefused: must('ACC-21', {
    claim: 'the second variant answers no data of an account without an access token',
    quote: '### Accounts (second variant, with Bearer access token)',
    place: 'Endpoints, Accounts (second variant)',
    reading: `Without an Authorization header, without a token in it, and with one that the bank never issued. ${REFUSED}`,
    tags: ['variant-2', 'security'],
  }),
  secondVariantWithAnExpiredTokenHasStatus401: must('ACC-22', {
    claim: 'the second variant answers with the HTTP status 401 when the token has expired',
    ...ANSWERED_401,
    tags: ['variant-2', 'time', 'security'],
  }),
  pickedAccountsAreDistinct: must('ACC-28', {
    claim: 'no two accounts that the second variant lists have the same id',
    ...PICKED,
    reading: 'The field of the id is not shown: the profile gives it.',
    tags: ['variant-2'],
  }),
  listIsStableInTheSecondVariant: must('ACC-29', {
    claim:
      'two lists of the second variant for one access token have the same accounts, and an id of the first one stays valid',
    ...PICKED,
    reading:
      'In any order. A list may have new ids, as long as an account can still be picked by an earlier one. The field of the id is not shown: the profile gives it.',
    tags: ['variant-2'],
  }),
  unknownAccountIsRefusedInTheSecondVariant: must('ACC-30', {
    claim: 'the information of an account that does not exist is refused',
    quote: 'The account is identified in the body',
    place: INFORMATION,
    reading: `By an id like that of a listed account, and by an IBAN with right check digits. ${REFUSED}`,
    tags: ['variant-2'],
  }),
  secondVariantWithARevokedTokenHasStatus401: must('ACC-31', {
    claim: 'the second variant answers with the HTTP status 401 when the token has been revoked',
    ...ANSWERED_401,
    reading: 'Judged where the target lets the user revoke.',
    tags: ['variant-2', 'security'],
  }),
  informationOfAnotherCustomerIsRefused: must('ACC-32', {
    claim: 'the information of an account of another customer is refused',
    ...AFTER_AUTHORIZATION,
    reading: `By its id and by its IBAN in three spellings, before and after its holder has read it under another consent. ${REFUSED}`,
    tags: ['variant-2', 'security'],
  }),
  secondVariantDisclosesNothingOfAnother: must('ACC-33', {
    claim: 'the second variant discloses nothing about an account of another customer',
    ...AFTER_AUTHORIZATION,
    reading:
      'No data that the holder of the account is answered, and the customer who asks is not: in a refusal, and where the body names an account of each. That the account exists may be disclosed.',
    tags: ['variant-2', 'security'],
  }),
  secondVariantIsRefusedInTheOtherEnvironment: must('ACC-34', {
    claim: 'an access token opens no account of the second variant in the other environment',
    quote:
      'Environments are separated by the base path: /premium/sandbox, /premium/production and /paylater/sandbox.',
    place: 'Versioning, 2',
    reading: `The base paths of the second variant are not shown: the profile gives them. ${REFUSED}`,
    tags: ['variant-2', 'security'],
  }),
  balanceIsCurrentInTheSecondVariant: must('ACC-35', {
    claim:
      "a booking on an account of the service's own bank is in its balances in the second variant without a refresh",
    quote: "Balances and transactions of the service's own bank's accounts stay current.",
    place: 'Events, accountEvent',
    reading: `One of the balances changes by the amount. ${UNTIL_THE_DEADLINE}`,
    tags: ['variant-2'],
  }),
  variantsListTheSameAccounts: must('ACC-36', {
    claim: 'both variants list the same accounts for one access token',
    ...SECOND_LISTED,
    reading: `Both are lists of what the customer has consented to. The second variant may leave out the accounts at other banks, all of them: which accounts these are is known from the profile. Where each variant is granted by itself, the same customer has granted both. ${BY_IBAN}`,
    tags: ['variant-2'],
  }),
  statusGivesTheResult: must('ACC-37', {
    claim: 'a list or a detail with data has a 2xx status, and a refusal of one has no 2xx status',
    ...STATUS,
  }),
  statusGivesTheResultInTheSecondVariant: must('ACC-38', {
    claim:
      'a list or an information of the second variant with data has a 2xx status, and a refusal of one has no 2xx status',
    ...STATUS,
    tags: ['variant-2'],
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

export default chapterRows('accounts', ACC)
