import { WEB } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** Bookings that are notified wrongly, or not at all, or to whom they do not concern. */

type Facts = Parameters<Rules['transactionEventBody']>[0]
type Body = Readonly<Record<string, unknown>>

/** Words a transactionEvent otherwise; `count` is how many there were for this consent. */
const wording =
  (word: (body: Body, facts: Facts, count: number) => unknown): RuleChange =>
  (lawful) => {
    const counts = new Map<string, number>()
    return {
      transactionEventBody: (facts) => {
        const { consentId } = facts.consent
        const count = (counts.get(consentId) ?? 0) + 1
        counts.set(consentId, count)
        return word(lawful.transactionEventBody(facts) as Body, facts, count)
      },
    }
  }

const without = (body: Body, name: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))

const naming = (accountIds: readonly (string | undefined)[]): Body => ({
  accounts: accountIds.map((accountId) => ({ accountId })),
})

/** Names another consent of the application, by the place among those that it has created. */
const namingConsent =
  (place: 0 | -1): RuleChange =>
  (lawful) => {
    const created = new Map<string, string[]>()
    return {
      newConsentId: (facts) => {
        const consentId = lawful.newConsentId(facts)
        const { clientId } = facts.client
        created.set(clientId, [...(created.get(clientId) ?? []), consentId])
        return consentId
      },
      transactionEventBody: (facts) => ({
        ...(lawful.transactionEventBody(facts) as Body),
        consentId: created.get(facts.client.clientId)?.at(place),
      }),
    }
  }

const lost: readonly Defect[] = [
  {
    id: 'second-booking-not-notified',
    story: 'The second booking on an account is not notified.',
    breaks: [WEB.bookingIsNotified],
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
  {
    id: 'first-account-alone-notified',
    story: 'Bookings on one account of a consent are notified: on that where the first was.',
    breaks: [WEB.bookingIsNotified],
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
  {
    id: 'bookings-not-notified',
    story: 'Only refreshes are notified.',
    breaks: [
      WEB.enabledWebhookIsCalled,
      WEB.bookingIsNotified,
      WEB.webhooksAreActiveFromTheNextFullHour,
      WEB.activationWaitsForTheNextHourAlone,
    ],
    rules: () => ({ bookingIsNotified: () => false }),
  },
  {
    id: 'notified-transaction-not-listed',
    story: 'While webhooks are enabled, new transactions are notified and not listed.',
    breaks: [WEB.notifiedTransactionIsInTheList],
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
]

const worded: readonly Defect[] = [
  {
    id: 'transaction-event-without-consent-id',
    story: 'A transactionEvent does not say which consent it is about.',
    breaks: [WEB.transactionEventNamesItsConsent],
    rules: wording((body) => without(body, 'consentId')),
  },
  {
    id: 'transaction-event-of-the-first-consent',
    story: 'A transactionEvent names the first consent that the application has created.',
    breaks: [WEB.transactionEventNamesItsConsent, WEB.transactionEventNamesAccountsOfItsConsent],
    rules: namingConsent(0),
  },
  {
    id: 'transaction-event-of-the-last-consent',
    story: 'A transactionEvent names the last consent that the application has created.',
    breaks: [WEB.transactionEventNamesItsConsent, WEB.transactionEventNamesAccountsOfItsConsent],
    rules: namingConsent(-1),
  },
  {
    id: 'transaction-event-without-event-type',
    story: 'A transactionEvent has no eventType.',
    breaks: [WEB.transactionEventHasAnEventType],
    rules: wording((body) => without(body, 'eventType')),
  },
  {
    id: 'event-type-of-a-transaction-event-in-an-array',
    story: 'The eventType of a transactionEvent is an array of one.',
    breaks: [WEB.transactionEventHasAnEventType],
    rules: wording((body) => ({ ...body, eventType: [body['eventType']] })),
  },
  {
    id: 'second-transaction-event-is-an-update',
    story: 'The eventType of the second transactionEvent of a consent is UPDATE.',
    breaks: [WEB.transactionEventIsNew],
    rules: wording((body, _, count) => (count === 2 ? { ...body, eventType: 'UPDATE' } : body)),
  },
  {
    id: 'event-type-in-small-letters',
    story: 'The eventType of a transactionEvent is new, in small letters.',
    breaks: [WEB.transactionEventIsNew],
    rules: wording((body) => ({ ...body, eventType: 'new' })),
  },
  {
    id: 'transaction-event-with-accounts-by-id',
    story: 'The accounts of a transactionEvent are an object with a member for each accountId.',
    breaks: [WEB.transactionEventHasAnArrayOfAccounts],
    rules: wording((body, { accountIds }) => ({
      ...body,
      accounts: Object.fromEntries(accountIds.map((accountId) => [accountId, {}])),
    })),
  },
  {
    id: 'transaction-event-with-one-account',
    story: 'The accounts of a transactionEvent are one object, where one account is meant.',
    breaks: [WEB.transactionEventHasAnArrayOfAccounts],
    rules: wording((body, { accountIds: [accountId] }) => ({ ...body, accounts: { accountId } })),
  },
  {
    id: 'transaction-event-with-bare-account-ids',
    story: 'The accounts of a transactionEvent are the accountIds themselves.',
    breaks: [WEB.transactionEventItemsHaveAnAccountId],
    rules: wording((body, { accountIds }) => ({ ...body, accounts: accountIds })),
  },
  {
    id: 'transaction-event-with-another-name-of-account-ids',
    story: 'The second transactionEvent of a consent calls an accountId an id.',
    breaks: [WEB.transactionEventItemsHaveAnAccountId],
    rules: wording((body, { accountIds }, count) =>
      count === 2 ? { ...body, accounts: accountIds.map((id) => ({ id })) } : body,
    ),
  },
  {
    id: 'transaction-event-names-the-iban',
    story: 'The accountId of a transactionEvent is the IBAN.',
    breaks: [WEB.transactionEventNamesTheAccount],
    rules: wording((body, { accounts }) => ({ ...body, ...naming(accounts.map(({ iban }) => iban)) })),
  },
  {
    id: 'transaction-event-names-no-account',
    story: 'The accounts of a transactionEvent are an empty array.',
    breaks: [WEB.transactionEventNamesTheAccount],
    rules: wording((body) => ({ ...body, accounts: [] })),
  },
  {
    id: 'transaction-event-names-every-account',
    story: 'A transactionEvent names every account of its consent.',
    breaks: [WEB.transactionEventNamesNoOtherAccount, WEB.transactionEventIsOfTheOwnBank],
    rules: wording((body, { accountIds, otherIds }) => ({
      ...body,
      ...naming([...accountIds, ...otherIds]),
    })),
  },
  {
    id: 'second-transaction-event-names-one-account-more',
    story: 'The second transactionEvent of a consent names one account more.',
    breaks: [WEB.transactionEventNamesNoOtherAccount],
    rules: wording((body, { accountIds, otherIds }, count) =>
      count === 2 ? { ...body, ...naming([...accountIds, otherIds.at(-2)]) } : body,
    ),
  },
]

const strangers: readonly Defect[] = [
  {
    id: 'bookings-at-other-banks-notified',
    story: 'A booking at another bank is notified with a transactionEvent.',
    breaks: [WEB.transactionEventIsOfTheOwnBank],
    rules: () => ({ bookingIsNotified: () => true }),
  },
  {
    id: 'unconsented-accounts-notified',
    story: 'A booking on any account of a customer who has granted a consent is notified.',
    breaks: [WEB.accountWithoutConsentIsNotNotified],
    rules: () => ({
      consentsConcerned: ({ account, consents }) =>
        consents.filter(({ customers }) => customers.some(({ accounts }) => accounts.includes(account))),
    }),
  },
  {
    id: 'accounts-of-all-customers-notified',
    story: 'Every booking is notified under every consent.',
    breaks: [WEB.accountWithoutConsentIsNotNotified, WEB.transactionEventNamesAccountsOfItsConsent],
    rules: () => ({ consentsConcerned: ({ consents }) => consents }),
  },
  {
    id: 'revoked-consents-notified',
    story: 'A consent that the customer has revoked leads to events until its tokens expire.',
    breaks: [WEB.revokedConsentIsNotNotified],
    rules: (lawful) => ({
      grantCounts: (facts) =>
        lawful.grantCounts({
          ...facts,
          consent: { ...facts.consent, status: 'valid' },
          revokedAt: undefined,
        }),
    }),
  },
]

export const defectsOfTransactionEvents: readonly Defect[] = [...lost, ...worded, ...strangers]
