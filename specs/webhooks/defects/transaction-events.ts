import {
  alter,
  both,
  defectsOf,
  membersOf,
  refuse,
  when,
  type FactsOf,
  type Members,
  type Past,
} from '../../shared/changes.ts'
import { WEB } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Bookings that are not notified, with a wrong event, or although the application has no consent. */

type EventFacts = FactsOf<'transactionEventBody'>
type OpenConsent = FactsOf<'consentsConcerned'>['consents'][number]

/** Notifies such a booking under fewer consents. */
const concerned = (
  isConcerned: (
    consent: OpenConsent,
    facts: FactsOf<'consentsConcerned'>,
    past: Past<'consentsConcerned' | 'newAccessToken'>,
    all: readonly OpenConsent[],
  ) => boolean,
) =>
  alter(
    {
      consentsConcerned: (all, facts, past) =>
        all.filter((consent) => isConcerned(consent, facts, past, all)),
    },
    'newAccessToken',
  )

const missing: readonly Defect[] = [
  ...defectsOf([WEB.bookingIsNotified], {
    'The second booking on an account is not notified': refuse(
      'bookingIsNotified',
      ({ account, environment }, past) => {
        const earlier = past.of('bookingIsNotified').filter(({ facts }) => facts.environment === environment)
        return earlier.filter(({ facts }) => facts.account === account).length === 1
      },
    ),
    'Only bookings on one account of a consent are notified: the account of the first booking': concerned(
      ({ consent: { consentId } }, { account }, past) => {
        const calls = past.of('consentsConcerned')
        const first = calls.find(({ answer }) => answer.some((one) => one.consent.consentId === consentId))
        return first === undefined || first.facts.account === account
      },
    ),
    'Only the first application that is authorized for an account is notified of a booking': concerned(
      ({ consent }, _, __, [first]) => consent.clientId === first?.consent.clientId,
    ),
    'Bookings are notified until the tokens are renewed for the first time': concerned(
      ({ grants }, _, past) => {
        const renewed = past.of('newAccessToken').filter(({ facts }) => facts.grantType === 'refresh_token')
        return !grants.some(({ grantId }) => renewed.some(({ facts }) => facts.grant.grantId === grantId))
      },
    ),
    'Bookings are notified for the first customer only': concerned(
      ({ customers: [customer] }, { environment }, past, [usual]) => {
        const calls = past.of('consentsConcerned').filter(({ facts }) => facts.environment === environment)
        const first = calls.flatMap(({ answer }) => answer)[0] ?? usual
        return customer?.username === first?.customers[0]?.username
      },
    ),
    'Bookings are not notified once the first access token of a grant has ended': refuse(
      'grantCounts',
      ({ now, tokens: [first, ...renewed] }) =>
        first !== undefined && renewed.length > 0 && now > first.expiresAt,
    ),
    'Debits are not notified': refuse('bookingIsNotified', ({ transaction }) => transaction.amount <= 0),
    // The test hook of the bank books card payments and incoming payments.
    'Payments of the payment API are not notified': refuse(
      'bookingIsNotified',
      ({ transaction }) => !transaction.remittanceInformation.endsWith(' payment'),
    ),
  }),
  ...defectsOf([WEB.transactionEventNamesTheAccount], {
    'Of two bookings within two seconds the second one is not notified': refuse(
      'bookingIsNotified',
      ({ environment, now, transaction }, { of }) =>
        of('bookingIsNotified').some(
          ({ facts }) =>
            facts.environment === environment &&
            facts.transaction !== transaction &&
            now.getTime() - facts.now.getTime() < 2_000,
        ),
    ),
  }),
  ...defectsOf(
    [
      WEB.enabledWebhookIsCalled,
      WEB.bookingIsNotified,
      WEB.webhooksAreActiveFromTheNextFullHour,
      WEB.activationWaitsForTheNextHourAlone,
      WEB.facIsNotified,
    ],
    { 'Only refreshes are notified': refuse('bookingIsNotified') },
  ),
  ...defectsOf([WEB.notifiedTransactionIsInTheList], {
    'While webhooks are enabled, new transactions are notified and not listed': alter(
      {
        bookingIsKnownAtOnce: (isKnown, _, past) =>
          isKnown && !past.of('enabledSince').some(({ facts }) => facts.enabled),
      },
      'enabledSince',
    ),
  }),
]

/** Other members of a transactionEvent. */
const event = (change: (facts: EventFacts, past: Past<'transactionEventBody'>) => Members) =>
  alter({ transactionEventBody: (usual, facts, past) => ({ ...membersOf(usual), ...change(facts, past) }) })

/** Another value of a member, or none for undefined. */
const member = (name: string, value: unknown) => event(() => ({ [name]: value }))

/** Other members of the second transactionEvent of a consent. */
const secondEvent = (change: (facts: EventFacts) => Members) =>
  alter({
    transactionEventBody: (usual, facts, past) => {
      const earlier = past
        .of('transactionEventBody')
        .filter((call) => call.facts.consent.consentId === facts.consent.consentId)
      return earlier.length === 1 ? { ...membersOf(usual), ...change(facts) } : usual
    },
  })

const accounts = (...accountIds: readonly (string | undefined)[]): Members => ({
  accounts: accountIds.map((accountId) => ({ accountId })),
})

/** The consentId of another consent that the application has created. */
const ofAnotherConsent = (place: 0 | -1) =>
  alter(
    {
      transactionEventBody: (usual, { client }, past) => {
        const created = past.of('newConsentId').filter(({ facts }) => facts.client === client)
        return { ...membersOf(usual), consentId: created.at(place)?.answer }
      },
    },
    'newConsentId',
  )

const bodies: readonly Defect[] = [
  ...defectsOf([WEB.transactionEventNamesItsConsent], {
    'A transactionEvent has no consentId': member('consentId', undefined),
  }),
  ...defectsOf(
    [
      WEB.transactionEventNamesItsConsent,
      WEB.transactionEventNamesAccountsOfItsConsent,
      WEB.settingsOfOneEnvironment,
    ],
    { 'A transactionEvent has the first consentId of the application': ofAnotherConsent(0) },
  ),
  ...defectsOf([WEB.transactionEventNamesItsConsent, WEB.transactionEventNamesAccountsOfItsConsent], {
    'A transactionEvent has the last consentId of the application': ofAnotherConsent(-1),
  }),
  ...defectsOf([WEB.transactionEventHasAnEventType, WEB.callToAFacIsComplete], {
    'A transactionEvent has no eventType': member('eventType', undefined),
    'The eventType of a transactionEvent is an array of one': member('eventType', ['NEW']),
  }),
  ...defectsOf([WEB.transactionEventIsNew], {
    'The second transactionEvent of a consent is an UPDATE': secondEvent(() => ({ eventType: 'UPDATE' })),
  }),
  ...defectsOf([WEB.transactionEventIsNew, WEB.callToAFacIsComplete], {
    'The eventType of a transactionEvent is new, in small letters': member('eventType', 'new'),
  }),
  ...defectsOf([WEB.transactionEventHasAnArrayOfAccounts, WEB.callToAFacIsComplete], {
    'The accounts of a transactionEvent are an object with a member for each accountId': event(
      ({ accountIds }) => ({ accounts: Object.fromEntries(accountIds.map((accountId) => [accountId, {}])) }),
    ),
    'The accounts of a transactionEvent are one object instead of an array': event(
      ({ accountIds: [accountId] }) => ({ accounts: { accountId } }),
    ),
  }),
  ...defectsOf([WEB.transactionEventItemsHaveAnAccountId, WEB.callToAFacIsComplete], {
    'The accounts of a transactionEvent are accountIds': event(({ accountIds }) => ({
      accounts: accountIds,
    })),
  }),
  ...defectsOf([WEB.transactionEventItemsHaveAnAccountId], {
    'The second transactionEvent of a consent calls an accountId an id': secondEvent(({ accountIds }) => ({
      accounts: accountIds.map((id) => ({ id })),
    })),
  }),
  ...defectsOf([WEB.transactionEventNamesTheAccount, WEB.callToAFacIsComplete], {
    'The accountId of a transactionEvent is the IBAN': event((facts) =>
      accounts(...facts.accounts.map(({ iban }) => iban)),
    ),
    'The accounts of a transactionEvent are an empty array': member('accounts', []),
  }),
  ...defectsOf([WEB.transactionEventNamesNoOtherAccount, WEB.transactionEventIsOfTheOwnBank], {
    'A transactionEvent has every account of its consent': event(({ accountIds, otherIds }) =>
      accounts(...accountIds, ...otherIds),
    ),
  }),
  ...defectsOf([WEB.transactionEventNamesNoOtherAccount], {
    'The second transactionEvent of a consent has one account more': secondEvent(({ accountIds, otherIds }) =>
      accounts(...accountIds, otherIds.at(-2)),
    ),
  }),
]

/** An account of the second customer. */
const FOREIGN_ID = '895ceb6b-57bc-4801-85da-0c36c12b3938'

/** An account of the first customer that no consent opens. */
const UNCONSENTED_ID = '505cc233-aa4b-4666-a4ec-88ebc5d68c2b'

const alsoOf = (id: string) => event(({ accountIds }) => accounts(...accountIds, id))

const ofTheCustomer = alter({
  consentsConcerned: (_, { account, consents }) =>
    consents.filter(({ customers }) => customers.some((customer) => customer.accounts.includes(account))),
})

const unauthorized: readonly Defect[] = [
  ...defectsOf([WEB.transactionEventIsOfTheOwnBank], {
    'A booking at another bank is notified with a transactionEvent': alter({ bookingIsNotified: true }),
    'After a refresh, a booking at another bank is notified with a transactionEvent': alter(
      { bookingIsNotified: (usual, _, past) => usual || past.of('newTaskId').length > 0 },
      'newTaskId',
    ),
  }),
  ...defectsOf([WEB.accountWithoutConsentIsNotNotified], {
    'A booking on any account of a customer who has granted a consent is notified': ofTheCustomer,
    'A booking on an account that no consent opens is notified without a consentId': both(
      ofTheCustomer,
      when(({ accountIds }) => accountIds.includes(UNCONSENTED_ID), member('consentId', undefined)),
    ),
    'A transactionEvent also has an account of another customer': alsoOf(FOREIGN_ID),
    'A transactionEvent also has an account of its customer without consent': alsoOf(UNCONSENTED_ID),
  }),
  ...defectsOf([WEB.transactionEventNamesAccountsOfItsConsent], {
    'A transactionEvent also has the account of an event before it, under another consent': event(
      ({ accountIds, consent }, past) => {
        const before = past.of('transactionEventBody').at(-1)?.facts
        const others = before?.consent.consentId === consent.consentId ? [] : (before?.accountIds ?? [])
        return { accounts: [...accountIds, ...others].map((accountId) => ({ accountId })) }
      },
    ),
  }),
  ...defectsOf([WEB.accountWithoutConsentIsNotNotified, WEB.transactionEventNamesAccountsOfItsConsent], {
    'Each booking is notified under each consent': alter({
      consentsConcerned: (_, { consents }) => consents,
    }),
  }),
  ...defectsOf([WEB.revokedConsentIsNotNotified], {
    'Bookings are notified under a revoked consent until its tokens expire': alter({
      grantCounts: (_, { consent, ...facts }, { rules }) =>
        rules.grantCounts({ ...facts, consent: { ...consent, status: 'valid' }, revokedAt: undefined }),
    }),
  }),
]

export const transactionEventDefects: readonly Defect[] = [...missing, ...bodies, ...unauthorized]
