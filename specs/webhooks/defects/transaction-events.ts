import {
  breaking,
  knowingConsents,
  membersOf,
  without,
  type FactsOf,
  type Members,
} from '../../shared/defects.ts'
import { WEB } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'

/** Bookings that are not notified, with a wrong event, or although the application has no consent. */

type EventFacts = FactsOf<'transactionEventBody'>

/** Sends another body; `count` is the number of the transactionEvent of its consent. */
const rewording =
  (reword: (body: Members, facts: EventFacts, count: number) => unknown): RuleChange =>
  (lawful) => {
    const counts = new Map<string, number>()
    return {
      transactionEventBody: (facts) => {
        const { consentId } = facts.consent
        const count = (counts.get(consentId) ?? 0) + 1
        counts.set(consentId, count)
        return reword(membersOf(lawful.transactionEventBody(facts)), facts, count)
      },
    }
  }

const naming = (accountIds: readonly (string | undefined)[]): Members => ({
  accounts: accountIds.map((accountId) => ({ accountId })),
})

/** Names another consent of the application. */
const namingConsent = (place: 0 | -1): RuleChange =>
  knowingConsents((created) => (lawful) => ({
    transactionEventBody: (facts) => {
      const ofTheClient = created.filter(({ clientId }) => clientId === facts.client.clientId)
      const consentId = ofTheClient.at(place)?.consentId
      return { ...membersOf(lawful.transactionEventBody(facts)), consentId }
    },
  }))

const missing: readonly Defect[] = [
  ...breaking(WEB.bookingIsNotified, {
    'second-booking-not-notified': {
      story: 'The second booking on an account is not notified.',
      rules: (lawful) => {
        const counts = new Map<string, number>()
        return {
          bookingIsNotified: (facts) => {
            const key = `${facts.environment} ${facts.account.accountId}`
            const count = (counts.get(key) ?? 0) + 1
            counts.set(key, count)
            return count !== 2 && lawful.bookingIsNotified(facts)
          },
        }
      },
    },
    'first-account-alone-notified': {
      story: 'Only bookings on one account of a consent are notified: the account of the first booking.',
      rules: (lawful) => {
        const accounts = new Map<string, string>()
        return {
          consentsConcerned: (facts) =>
            lawful.consentsConcerned(facts).filter(({ consent: { consentId } }) => {
              const { accountId } = facts.account
              if (!accounts.has(consentId)) accounts.set(consentId, accountId)
              return accounts.get(consentId) === accountId
            }),
        }
      },
    },
    'booking-notified-to-the-first-application-alone': {
      story:
        'Only the first of the applications that are authorized for an account is notified of a booking.',
      rules: (lawful) => ({
        consentsConcerned: (facts) => {
          const all = lawful.consentsConcerned(facts)
          return all.filter(({ consent }) => consent.clientId === all[0]?.consent.clientId)
        },
      }),
    },
    'notified-until-the-first-renewal': {
      story: 'Bookings are notified until the tokens are renewed for the first time.',
      rules: (lawful) => {
        const renewed = new Set<string>()
        return {
          newAccessToken: (facts) => {
            if (facts.grantType === 'refresh_token') renewed.add(facts.grant.grantId)
            return lawful.newAccessToken(facts)
          },
          consentsConcerned: (facts) =>
            lawful
              .consentsConcerned(facts)
              .filter(({ grants }) => grants.every(({ grantId }) => !renewed.has(grantId))),
        }
      },
    },
    'second-customer-is-not-notified': {
      story: 'Bookings are notified for the first customer only.',
      rules: (lawful) => {
        const first = new Map<string, string | undefined>()
        return {
          consentsConcerned: (facts) =>
            lawful.consentsConcerned(facts).filter(({ customers: [customer] }) => {
              if (!first.has(facts.environment)) first.set(facts.environment, customer?.username)
              return first.get(facts.environment) === customer?.username
            }),
        }
      },
    },
    'debits-are-not-notified': {
      story: 'Credits are notified, and debits are not.',
      rules: (lawful) => ({
        bookingIsNotified: (facts) => facts.transaction.amount > 0 && lawful.bookingIsNotified(facts),
      }),
    },
  }),
  ...breaking(WEB.enabledWebhookIsCalled, {
    'bookings-not-notified': {
      story: 'Only refreshes are notified.',
      alsoBreaks: [
        WEB.bookingIsNotified,
        WEB.webhooksAreActiveFromTheNextFullHour,
        WEB.activationWaitsForTheNextHourAlone,
        WEB.facIsNotified,
      ],
      rules: { bookingIsNotified: () => false },
    },
  }),
  ...breaking(WEB.notifiedTransactionIsInTheList, {
    'notified-transaction-not-listed': {
      story: 'While webhooks are enabled, new transactions are notified and not listed.',
      rules: (lawful) => {
        let isEnabled = false
        return {
          enabledSince: (facts) => {
            isEnabled ||= facts.enabled
            return lawful.enabledSince(facts)
          },
          bookingIsKnownAtOnce: (facts) => !isEnabled && lawful.bookingIsKnownAtOnce(facts),
        }
      },
    },
  }),
]

const bodies: readonly Defect[] = [
  ...breaking(WEB.transactionEventNamesItsConsent, {
    'transaction-event-without-consent-id': {
      story: 'A transactionEvent has no consentId.',
      rules: rewording((body) => without(body, 'consentId')),
    },
    'transaction-event-of-the-first-consent': {
      story: 'A transactionEvent names the first consent that the application has created.',
      alsoBreaks: [WEB.transactionEventNamesAccountsOfItsConsent, WEB.settingsOfOneEnvironment],
      rules: namingConsent(0),
    },
    'transaction-event-of-the-last-consent': {
      story: 'A transactionEvent names the last consent that the application has created.',
      alsoBreaks: [WEB.transactionEventNamesAccountsOfItsConsent],
      rules: namingConsent(-1),
    },
  }),
  ...breaking(WEB.transactionEventHasAnEventType, {
    'transaction-event-without-event-type': {
      story: 'A transactionEvent has no eventType.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((body) => without(body, 'eventType')),
    },
    'event-type-of-a-transaction-event-in-an-array': {
      story: 'The eventType of a transactionEvent is an array of one.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((body) => ({ ...body, eventType: [body['eventType']] })),
    },
  }),
  ...breaking(WEB.transactionEventIsNew, {
    'second-transaction-event-is-an-update': {
      story: 'The eventType of the second transactionEvent of a consent is UPDATE.',
      rules: rewording((body, _, count) => (count === 2 ? { ...body, eventType: 'UPDATE' } : body)),
    },
    'event-type-in-small-letters': {
      story: 'The eventType of a transactionEvent is new, in small letters.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((body) => ({ ...body, eventType: 'new' })),
    },
  }),
  ...breaking(WEB.transactionEventHasAnArrayOfAccounts, {
    'transaction-event-with-accounts-by-id': {
      story: 'The accounts of a transactionEvent are an object with a member for each accountId.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((body, { accountIds }) => ({
        ...body,
        accounts: Object.fromEntries(accountIds.map((accountId) => [accountId, {}])),
      })),
    },
    'transaction-event-with-one-account': {
      story: 'The accounts of a transactionEvent are one object instead of an array.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((body, { accountIds: [accountId] }) => ({ ...body, accounts: { accountId } })),
    },
  }),
  ...breaking(WEB.transactionEventItemsHaveAnAccountId, {
    'transaction-event-with-bare-account-ids': {
      story: 'The accounts of a transactionEvent are the accountIds themselves.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((body, { accountIds }) => ({ ...body, accounts: accountIds })),
    },
    'transaction-event-with-another-name-of-account-ids': {
      story: 'The second transactionEvent of a consent calls an accountId an id.',
      rules: rewording((body, { accountIds }, count) =>
        count === 2 ? { ...body, accounts: accountIds.map((id) => ({ id })) } : body,
      ),
    },
  }),
  ...breaking(WEB.transactionEventNamesTheAccount, {
    'transaction-event-names-the-iban': {
      story: 'The accountId of a transactionEvent is the IBAN.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((body, { accounts }) => ({ ...body, ...naming(accounts.map(({ iban }) => iban)) })),
    },
    'transaction-event-names-no-account': {
      story: 'The accounts of a transactionEvent are an empty array.',
      alsoBreaks: [WEB.callToAFacIsComplete],
      rules: rewording((body) => ({ ...body, accounts: [] })),
    },
  }),
  ...breaking(WEB.transactionEventNamesNoOtherAccount, {
    'transaction-event-names-every-account': {
      story: 'A transactionEvent names every account of its consent.',
      alsoBreaks: [WEB.transactionEventIsOfTheOwnBank],
      rules: rewording((body, { accountIds, otherIds }) => ({
        ...body,
        ...naming([...accountIds, ...otherIds]),
      })),
    },
    'second-transaction-event-names-one-account-more': {
      story: 'The second transactionEvent of a consent names one account more.',
      rules: rewording((body, { accountIds, otherIds }, count) =>
        count === 2 ? { ...body, ...naming([...accountIds, otherIds.at(-2)]) } : body,
      ),
    },
  }),
]

/** An account of the second customer. */
const FOREIGN_ID = '895ceb6b-57bc-4801-85da-0c36c12b3938'

/** An account of the first customer that no consent opens. */
const UNCONSENTED_ID = '505cc233-aa4b-4666-a4ec-88ebc5d68c2b'

const unauthorized: readonly Defect[] = [
  ...breaking(WEB.transactionEventIsOfTheOwnBank, {
    'bookings-at-other-banks-notified': {
      story: 'A booking at another bank is notified with a transactionEvent.',
      rules: { bookingIsNotified: () => true },
    },
  }),
  ...breaking(WEB.accountWithoutConsentIsNotNotified, {
    'unconsented-accounts-notified': {
      story: 'A booking on any account of a customer who has granted a consent is notified.',
      rules: {
        consentsConcerned: ({ account, consents }) =>
          consents.filter(({ customers }) => customers.some(({ accounts }) => accounts.includes(account))),
      },
    },
    'unconsented-accounts-notified-without-a-consent': {
      story: 'A booking on an account that no consent opens is notified without a consentId.',
      rules: (lawful) => ({
        consentsConcerned: ({ account, consents }) =>
          consents.filter(({ customers }) => customers.some(({ accounts }) => accounts.includes(account))),
        transactionEventBody: (facts) => {
          const body = membersOf(lawful.transactionEventBody(facts))
          return facts.accountIds.includes(UNCONSENTED_ID) ? { ...body, consentId: undefined } : body
        },
      }),
    },
    'transaction-event-names-a-foreign-account-as-well': {
      story: 'A transactionEvent names an account of another customer as well.',
      rules: rewording((body, { accountIds }) => ({ ...body, ...naming([...accountIds, FOREIGN_ID]) })),
    },
    'transaction-event-names-an-unconsented-account-as-well': {
      story: 'A transactionEvent names an account of its customer that was not consented to as well.',
      rules: rewording((body, { accountIds }) => ({ ...body, ...naming([...accountIds, UNCONSENTED_ID]) })),
    },
    'accounts-of-all-customers-notified': {
      story: 'Every booking is notified under every consent.',
      alsoBreaks: [WEB.transactionEventNamesAccountsOfItsConsent],
      rules: {
        consentsConcerned: ({ consents }) => consents,
      },
    },
  }),
  ...breaking(WEB.revokedConsentIsNotNotified, {
    'revoked-consents-notified': {
      story: 'Bookings are notified under a revoked consent until its tokens expire.',
      rules: (lawful) => ({
        grantCounts: (facts) =>
          lawful.grantCounts({
            ...facts,
            consent: { ...facts.consent, status: 'valid' },
            revokedAt: undefined,
          }),
      }),
    },
  }),
]

export const transactionEventDefects: readonly Defect[] = [...missing, ...bodies, ...unauthorized]
