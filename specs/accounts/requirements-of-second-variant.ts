import { must } from '../../harness/check/requirement.ts'

const LIST = 'Endpoints, Accounts (second variant), GET /api/v1/accounts'
const INFORMATION = 'Endpoints, Accounts (second variant), POST /api/v1/accounts/information'

const REFUSED = 'Refused: nothing of an account is answered; status and body are undisclosed.'
const TOLD_FROM_IBAN = 'Told from the IBAN, where the profile says that it stands.'

/** Sentences that more than one row quotes. */
const LISTED = { quote: '| GET | /api/v1/accounts | none | List of consented accounts. |', place: LIST }
const PICKED = { quote: 'instead of an account picked from the list.', place: INFORMATION }
const INFORMED = { quote: 'Account detail and balances.', place: INFORMATION }
const AFTER_AUTHORIZATION = {
  quote:
    "It lets a client application read a bank customer's accounts, balances and transaction history after the customer has authorized it.",
  place: 'What the service does, 1',
}
const ANSWERED_401 = {
  quote: 'A revoked or expired token makes API calls answer HTTP 401.',
  place: 'Authentication, 5',
}

/** Accounts as the second variant offers them, and that both offer the same. */
export const SECOND = {
  consentedAccountsAreListedInTheSecondVariant: must('ACC-14', {
    claim: 'the second variant lists every account that the customer has consented to',
    ...LISTED,
    reading: `Judged of the accounts that the profile knows. ${TOLD_FROM_IBAN}`,
    tags: ['variant-2'],
  }),
  nothingElseIsListedInTheSecondVariant: must('ACC-15', {
    claim: 'the second variant lists no account that the customer has not consented to',
    ...LISTED,
    reading: `Judged of the accounts that the profile knows: others of the customer, and those of other customers. ${TOLD_FROM_IBAN}`,
    tags: ['variant-2', 'security'],
  }),
  listedAccountOpensTheInformation: must('ACC-16', {
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
    reading: `Picked from the list, and named by its IBAN. ${TOLD_FROM_IBAN}`,
    tags: ['variant-2'],
  }),
  informationCarriesBalances: must('ACC-19', {
    claim: 'the information of an account carries its balances',
    ...INFORMED,
    reading:
      'One at least, with an amount. The fields of a balance are undisclosed: the profile says where the balances stand.',
    tags: ['variant-2'],
  }),
  informationWithoutConsentIsRefused: must('ACC-20', {
    claim: 'the information of an account that the customer has not consented to is refused',
    ...AFTER_AUTHORIZATION,
    reading: `Another account of the same customer, by its IBAN: in its electronic form, in groups of four, and in small letters. ${REFUSED}`,
    tags: ['variant-2', 'security'],
  }),
  secondVariantWithoutTokenIsRefused: must('ACC-21', {
    claim: 'the second variant answers nothing of an account without an access token',
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
    claim: 'no two accounts that the second variant lists are picked by the same id',
    ...PICKED,
    reading: 'What an account is picked by is undisclosed, and told by the profile.',
    tags: ['variant-2'],
  }),
  listIsStableInTheSecondVariant: must('ACC-29', {
    claim: 'two lists of the second variant for one access token hold the same accounts under the same ids',
    ...PICKED,
    reading: 'In any order. What an account is picked by is undisclosed, and told by the profile.',
    tags: ['variant-2'],
  }),
  unknownAccountIsRefusedInTheSecondVariant: must('ACC-30', {
    claim: 'the information of an account that does not exist is refused',
    quote: 'The account is identified in the body',
    place: INFORMATION,
    reading: `By an id like that of a listed account, and by an IBAN whose check digits are right. ${REFUSED}`,
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
    reading: `By its id and by its IBAN in three spellings, before and after that customer, with a consent of their own, has read it. ${REFUSED}`,
    tags: ['variant-2', 'security'],
  }),
  secondVariantTellsNothingOfAnother: must('ACC-33', {
    claim: 'the second variant tells nothing of an account of another customer',
    ...AFTER_AUTHORIZATION,
    reading:
      'Nothing that its holder is answered, and the customer who asks is not: neither in a refusal, nor where the body names an account of each. That an account exists may be told.',
    tags: ['variant-2', 'security'],
  }),
  secondVariantIsRefusedInTheOtherEnvironment: must('ACC-34', {
    claim: 'an access token opens no account of the second variant in the other environment',
    quote:
      'Environments are separated by the base path: /premium/sandbox, /premium/production and /paylater/sandbox.',
    place: 'Versioning, 2',
    reading: `The base paths of the second variant are undisclosed, and told by the profile. ${REFUSED}`,
    tags: ['variant-2', 'security'],
  }),
  balanceIsCurrentInTheSecondVariant: must('ACC-35', {
    claim:
      "a booking on an account of the service's own bank shows in its balances in the second variant without a refresh",
    quote: "Balances and transactions of the service's own bank's accounts stay current.",
    place: 'Events, accountEvent',
    reading: 'One of the balances changes by the amount within a minute: how current is not said.',
    tags: ['variant-2'],
  }),
  variantsListTheSameAccounts: must('ACC-36', {
    claim: 'both variants list the same accounts for one access token',
    ...LISTED,
    reading: `Both are lists of what the customer has consented to. ${TOLD_FROM_IBAN}`,
    tags: ['variant-2'],
  }),
} as const
