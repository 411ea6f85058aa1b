import { must } from '../../harness/check/requirement.ts'

const TRANSACTION_EVENT = 'Events, transactionEvent'
const ACCOUNT_EVENT = 'Events, accountEvent'

/** A sentence that more than one row quotes. */
const TRANSACTION_ACCOUNTS = {
  quote: '| accounts | array | Each item has accountId (string). |',
  place: `${TRANSACTION_EVENT}, row accounts`,
}

export const TRANSACTION_EVENTS = {
  bookingIsNotified: must('WEB-18', {
    claim: "a new transaction on an account of the service's own bank is notified with a transactionEvent",
    quote: 'It reports changes of transactions for an account.',
    place: TRANSACTION_EVENT,
    reading:
      'Bookings may share an event, and two on one account make equal events: a repeated delivery may pass for the second. The profile says how long to wait.',
  }),
  transactionEventIsOfTheOwnBank: must('WEB-19', {
    claim: 'no transactionEvent names an account at another bank',
    quote: "Provided only for accounts held at the service's own bank.",
    place: TRANSACTION_EVENT,
    tags: ['silence'],
  }),
  transactionEventNamesItsConsent: must('WEB-20', {
    claim: 'a transactionEvent carries the consentId of the consent that the account belongs to',
    quote: '| consentId | string | The consent. |',
    place: `${TRANSACTION_EVENT}, row consentId`,
    reading: 'Each consent that opens the account has an event of its own.',
  }),
  transactionEventHasAnEventType: must('WEB-21', {
    claim: 'a transactionEvent carries an eventType that is a string',
    quote: '| eventType | string | NEW. |',
    place: `${TRANSACTION_EVENT}, row eventType`,
  }),
  transactionEventIsNew: must('WEB-22', {
    claim: 'the eventType of a transactionEvent is NEW',
    quote: 'Only eventType NEW is supported, and it is always the value.',
    place: TRANSACTION_EVENT,
  }),
  transactionEventHasAnArrayOfAccounts: must('WEB-23', {
    claim: 'accounts of a transactionEvent is an array',
    ...TRANSACTION_ACCOUNTS,
  }),
  transactionEventItemsHaveAnAccountId: must('WEB-24', {
    claim: 'each item of accounts of a transactionEvent has an accountId that is a string',
    ...TRANSACTION_ACCOUNTS,
    reading: 'Judged on the raw JSON.',
  }),
  transactionEventNamesTheAccount: must('WEB-25', {
    claim: 'a transactionEvent names the account of the new transaction',
    ...TRANSACTION_ACCOUNTS,
    reading: 'Under the accountId of the list of accounts.',
  }),
  transactionEventNamesNoOtherAccount: must('WEB-26', {
    claim: 'a transactionEvent names no account whose transactions have not changed',
    quote: 'It reports changes of transactions for an account.',
    place: TRANSACTION_EVENT,
    reading:
      'Judged of accounts whose number of transactions the profile knows, since nobody else books on them.',
    tags: ['silence'],
  }),
  notifiedTransactionIsInTheList: must('WEB-40', {
    claim: 'a transaction is in the list of its account once its transactionEvent has come',
    quote: "Balances and transactions of the service's own bank's accounts stay current.",
    place: ACCOUNT_EVENT,
    reading: 'The list has a minute to become current.',
  }),
  transactionEventNamesAccountsOfItsConsent: must('WEB-43', {
    claim: 'a transactionEvent names no account that only another consent opens',
    quote: '| consentId | string | The consent. |',
    place: `${TRANSACTION_EVENT}, row consentId`,
    tags: ['security'],
  }),
} as const
