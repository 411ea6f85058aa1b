import { at, chapterRows, must, statements, notShown } from '../../harness/check/requirement.ts'

const INFORMATION = 'Endpoints, Accounts (second variant), POST /api/v1/accounts/information'
const LIST = 'Endpoints, Accounts (first variant), GET /v1/accounts'
const DETAIL = 'Endpoints, Accounts (first variant), GET /v1/accounts/{account-id}'
const ACCOUNT_ID = 'Resources and their fields, Account, row accountId'
const REFUSED = 'Refused: no data of an account are answered; status and body are not shown.'
const BY_IBAN = 'Accounts are compared by the IBAN, whose field the profile gives.'
const SECOND_LIST = 'Endpoints, Accounts (second variant), GET /api/v1/accounts'
const OWN_CONSENT =
  'Where the customer chooses the accounts (`tickAccounts`), a consent has those that were chosen under it, and a later one has its own: a refresh updates the accounts "of one consent".'
const UNTIL_THE_DEADLINE =
  'The interface does not say how current they are: judged by the deadline of the profile (`deadlines.currentMs`), or after a minute.'
const CHANGED_BY_THE_AMOUNT = `One of the balances changes by the amount: by a credit and by a debit in opposite directions. Which of them raises it is not judged where it may be a debt, which may have no sign. ${UNTIL_THE_DEADLINE}`
const STATUS = { reading: 'Which status of each class is not shown.' }

export const ACC = {
  ...statements({
    "It lets a client application read a bank customer's accounts, balances and transaction history after the customer has authorized it.":
      at('What the service does, 1', {
        accountWithoutConsentIsRefused: must('ACC-10', {
          claim: 'the detail of an account that the customer has not consented to is refused',
          fromProfile: 'customers.*.accounts.*.consented',
          reading: `Another account of the same customer, by its IBAN, and by its accountId where the profile knows it: it is in no list; and one that was shared under another consent only, where the customer chooses the accounts. ${REFUSED}`,
          tags: ['security'],
        }),
        accountOfAnotherCustomerIsRefused: must('ACC-25', {
          claim: 'the detail of an account of another customer is refused',
          reading: `By its accountId and by its IBAN, before and after its holder has read it under another consent. ${REFUSED}`,
          tags: ['security'],
        }),
        refusedDetailDisclosesNothing: must('ACC-26', {
          claim: 'the first variant discloses nothing about an account of another customer',
          reading:
            'In a refusal, no data that the holder of the account is answered, and the customer who asks is not; in any list or detail, no accountId that is listed for other customers only. That an account exists which is asked for may be disclosed.',
          tags: ['security'],
        }),
        informationWithoutConsentIsRefused: must('ACC-20', {
          claim: 'the information of an account that the customer has not consented to is refused',
          fromProfile: 'customers.*.accounts.*.consented',
          reading: `Another account of the same customer, by its IBAN in its electronic form, in groups of four and in small letters, and by its id where the profile knows it; and one that was shared under another consent only, where the customer chooses the accounts. ${REFUSED}`,
          tags: ['variant-2', 'security'],
        }),
        informationOfAnotherCustomerIsRefused: must('ACC-32', {
          claim: 'the information of an account of another customer is refused',
          reading: `By its id and by its IBAN in three spellings, before and after its holder has read it under another consent. ${REFUSED}`,
          tags: ['variant-2', 'security'],
        }),
        secondVariantDisclosesNothingOfAnother: must('ACC-33', {
          claim: 'the second variant discloses nothing about an account of another customer',
          reading:
            'No data that the holder of the account is answered, and the customer who asks is not: in a refusal, and where the body names an account of each; in any answer, no id that is listed for other customers only. That an account exists which is asked for may be disclosed.',
          tags: ['variant-2', 'security'],
        }),
      }),
    '| accountId | string | Returned in the consented accounts list.': at(ACCOUNT_ID, {
      accountIdIsAString: must('ACC-04', {
        claim: 'an accountId is a string',
        reading: 'Judged on the raw JSON, where null is not a string.',
      }),
    }),
    'It is the input {account-id} of the other account operations.': at(ACCOUNT_ID, {
      accountIdsAreDistinct: must('ACC-05', {
        claim: 'no two listed accounts have the same accountId',
        reading: 'An accountId identifies one account, so two accounts cannot share it.',
      }),
      accountIdOpensTheDetail: must('ACC-06', {
        claim: 'the detail of each listed account is answered under its accountId',
        answers: 'GET readAccount',
      }),
      listIsStable: must('ACC-23', {
        claim:
          'two lists for one access token have the same accounts, and an accountId of the first one stays valid',
        reading:
          'In any order. A list may have new accountIds, as long as an earlier one is still an input of the other operations.',
      }),
    }),
    'The fields of account detail and of balances: not shown.': at('Resources and their fields, Account', {
      fieldsOfTheDetail: notShown('ACC-U1', { subject: 'the fields of account detail' }),
      fieldsOfTheBalances: notShown('ACC-U2', { subject: 'the fields of balances' }),
    }),
    'List of consented accounts, each with accountId.': at(LIST, {
      consentedAccountsAreListed: must('ACC-01', {
        claim: 'every account that the customer has consented to is listed',
        answers: 'GET listAccounts',
        fromProfile: 'customers.*.accounts.*.consented',
        reading: `Judged for the accounts that the profile knows. ${BY_IBAN}`,
      }),
      nothingElseIsListed: must('ACC-02', {
        claim: 'no account is listed that the customer has not consented to',
        fromProfile: 'customers.*.accounts.*.consented',
        reading: `Judged for the accounts that the profile knows: others of the customer, and those of other customers. ${OWN_CONSENT} ${BY_IBAN}`,
        tags: ['security'],
      }),
      listedAccountHasAnAccountId: must('ACC-03', {
        claim: 'each listed account has an accountId that is not empty',
      }),
    }),
    '| GET | /v1/accounts/{account-id} | path account-id | Account detail and balances. |': at(DETAIL, {
      detailIsThatOfTheAccount: must('ACC-07', {
        claim: 'the detail is that of the account asked for',
        reading: BY_IBAN,
      }),
      unknownAccountIsRefused: must('ACC-09', {
        claim: 'an account-id that the bank never issued is refused',
        reading: `An account-id of the same form, and account-ids that differ from an issued one: in one character, cut off, and longer. ${REFUSED}`,
      }),
    }),
    'Account detail and balances.': at(DETAIL, {
      detailCarriesBalances: must('ACC-08', {
        claim: 'the detail of an account carries its balances',
        reading:
          'At least one, with an amount. The fields of a balance are not shown: the profile gives them.',
      }),
    }),
    '### Accounts (second variant, with Bearer access token)': at('Endpoints, Accounts (second variant)', {
      secondVariantWithoutTokenIsRefused: must('ACC-21', {
        claim: 'the second variant answers no data of an account without an access token',
        reading: `Without an Authorization header, without a token in it, and with one that the bank never issued. ${REFUSED}`,
        tags: ['variant-2', 'security'],
      }),
    }),
    '| GET | /api/v1/accounts | none | List of consented accounts. |': at(SECOND_LIST, {
      consentedAccountsAreListedInTheSecondVariant: must('ACC-14', {
        claim:
          "the second variant lists every account at the service's own bank that the customer has consented to",
        answers: 'GET listAccounts',
        fromProfile: 'customers.*.accounts.*.consented',
        reading: `Judged for the accounts that the profile knows. The interface does not say whether the second variant offers accounts at other banks: it lists each of them or none. ${BY_IBAN}`,
        tags: ['variant-2'],
      }),
      nothingElseIsListedInTheSecondVariant: must('ACC-15', {
        claim: 'the second variant lists no account that the customer has not consented to',
        fromProfile: 'customers.*.accounts.*.consented',
        reading: `Judged for the accounts that the profile knows: others of the customer, and those of other customers. ${OWN_CONSENT} ${BY_IBAN}`,
        tags: ['variant-2', 'security'],
      }),
      variantsListTheSameAccounts: must('ACC-36', {
        claim: 'both variants list the same accounts for one access token',
        reading: `Both are lists of what the customer has consented to. The second variant may leave out the accounts at other banks, all of them: which accounts these are is known from the profile. Where each variant is granted by itself, the same customer has granted both. ${BY_IBAN}`,
        tags: ['variant-2'],
      }),
    }),
    'The account is identified in the body': at(INFORMATION, {
      listedAccountOpensTheInformation: must('ACC-16', {
        claim: 'the information of each account that the second variant lists is answered',
        answers: 'POST readAccount',
        tags: ['variant-2'],
      }),
      unknownAccountIsRefusedInTheSecondVariant: must('ACC-30', {
        claim: 'the information of an account that does not exist is refused',
        reading: `By an id like that of a listed account, and by an IBAN with right check digits. ${REFUSED}`,
        tags: ['variant-2'],
      }),
    }),
    'an IBAN typed by the customer may be used instead of an account picked from the list.': at(INFORMATION, {
      typedIbanOpensTheInformation: must('ACC-17', {
        claim: 'the information of an account is answered under an IBAN that the customer has typed',
        reading: 'The IBAN is that of a consented account, in its electronic form.',
        tags: ['variant-2'],
      }),
    }),
    'instead of an account picked from the list.': at(INFORMATION, {
      pickedAccountsAreDistinct: must('ACC-28', {
        claim: 'no two accounts that the second variant lists have the same id',
        reading: 'The field of the id is not shown: the profile gives it.',
        tags: ['variant-2'],
      }),
      listIsStableInTheSecondVariant: must('ACC-29', {
        claim:
          'two lists of the second variant for one access token have the same accounts, and an id of the first one stays valid',
        reading:
          'In any order. A list may have new ids, as long as an account can still be picked by an earlier one. The field of the id is not shown: the profile gives it.',
        tags: ['variant-2'],
      }),
    }),
    'The body field names: not shown.': at(INFORMATION, {
      bodyOfTheInformationRequest: notShown('ACC-U3', {
        subject: 'the body field names of the information request',
      }),
    }),
    'The base path of the second variant: not shown.': at('Endpoints, Accounts (second variant)', {
      basePathOfTheSecondVariant: notShown('ACC-U4', { subject: 'the base path of the second variant' }),
    }),
    'Data calls carry the access token as a Bearer token.': at('Authentication, 3', {
      detailWithoutTokenIsRefused: must('ACC-11', {
        claim: 'the detail of an account is refused without an access token',
        reading: `Without an Authorization header, without a token in it, and with one that the bank never issued. ${REFUSED}`,
        tags: ['security'],
      }),
    }),
    'A revoked or expired token makes API calls answer HTTP 401.': at('Authentication, 5', {
      detailWithAnExpiredTokenHasStatus401: must('ACC-12', {
        claim: 'the detail of an account is answered with the HTTP status 401 when the token has expired',
        tags: ['time', 'security'],
      }),
      detailWithARevokedTokenHasStatus401: must('ACC-24', {
        claim:
          'the detail of an account is answered with the HTTP status 401 when the token has been revoked',
        reading: 'Judged where the target lets the user revoke.',
        tags: ['security'],
      }),
      secondVariantWithAnExpiredTokenHasStatus401: must('ACC-22', {
        claim: 'the second variant answers with the HTTP status 401 when the token has expired',
        tags: ['variant-2', 'time', 'security'],
      }),
      secondVariantWithARevokedTokenHasStatus401: must('ACC-31', {
        claim: 'the second variant answers with the HTTP status 401 when the token has been revoked',
        reading: 'Judged where the target lets the user revoke.',
        tags: ['variant-2', 'security'],
      }),
    }),
    "Balances and transactions of the service's own bank's accounts stay current.": at(
      'Events, accountEvent',
      {
        balanceOfTheOwnBankIsCurrent: must('ACC-13', {
          claim: "a booking on an account of the service's own bank is in its balances without a refresh",
          reading: CHANGED_BY_THE_AMOUNT,
        }),
        balanceIsCurrentInTheSecondVariant: must('ACC-35', {
          claim:
            "a booking on an account of the service's own bank is in its balances in the second variant without a refresh",
          reading: CHANGED_BY_THE_AMOUNT,
          tags: ['variant-2'],
        }),
      },
    ),
    'The HTTP status code gives the result of the call.': at('Errors, 1', {
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
    }),
    'The error body of the OAuth and account operations: not shown.': at('Errors, 7', {
      errorBodyOfTheAccountOperations: notShown('ACC-U5', {
        subject: 'the error body of the account operations',
      }),
    }),
    'Environments are separated by the base path: /premium/sandbox, /premium/production and /paylater/sandbox.':
      at('Versioning, 2', {
        detailIsRefusedInTheOtherEnvironment: must('ACC-27', {
          claim: 'an access token opens no account detail in the other environment',
          reading: REFUSED,
          tags: ['security'],
        }),
        secondVariantIsRefusedInTheOtherEnvironment: must('ACC-34', {
          claim: 'an access token opens no account of the second variant in the other environment',
          reading: `The base paths of the second variant are not shown: the profile gives them. ${REFUSED}`,
          tags: ['variant-2', 'security'],
        }),
      }),
  }),
  // The same words at another place.
  ...statements({
    'Account detail and balances.': at(INFORMATION, {
      informationIsThatOfTheAccount: must('ACC-18', {
        claim: 'the information is that of the account asked for',
        reading: `Asked for by its id of the list, and by its IBAN. ${BY_IBAN}`,
        tags: ['variant-2'],
      }),
      informationCarriesBalances: must('ACC-19', {
        claim: 'the information of an account carries its balances',
        reading:
          'At least one, with an amount. The fields of a balance are not shown: the profile gives them.',
        tags: ['variant-2'],
      }),
    }),
  }),
}

export default chapterRows('accounts', ACC)
