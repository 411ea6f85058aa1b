import type { Defect } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { WEB } from './requirements.ts'

/** What one application is told, and another is not; and what is told whom nobody should tell. */

type Delivered = Parameters<Rules['deliveryAddress']>[0]

/** Of accountEvents the setting that held at the first call to the application. */
const keepingTheFirst =
  (settingOf: (facts: Delivered) => string) =>
  (lawful: (facts: Delivered) => string): ((facts: Delivered) => string) => {
    const first = new Map<string, string>()
    return (facts) => {
      const key = `${facts.environment} ${facts.client.clientId}`
      const kept = first.get(key) ?? settingOf(facts)
      first.set(key, kept)
      return facts.event === 'accountEvent' ? kept : lawful(facts)
    }
  }

export const defectsOfSharing: readonly Defect[] = [
  {
    id: 'booking-notified-to-the-first-application-alone',
    story: 'Of the applications that are authorized for an account the first one alone learns of a booking.',
    breaks: [WEB.bookingIsNotified],
    rules: (lawful) => ({
      consentsConcerned: (facts) => {
        const all = lawful.consentsConcerned(facts)
        return all.filter(({ consent }) => consent.clientId === all[0]?.consent.clientId)
      },
    }),
  },
  {
    id: 'one-application-disables-the-webhooks-of-all',
    story: 'When one application has its webhooks disabled, no application is notified any more.',
    breaks: [WEB.bookingIsNotified],
    rules: (lawful) => {
      const disabled = new Set<string>()
      return {
        settingsKept: (facts) => {
          const kept = lawful.settingsKept(facts)
          if (kept?.enabled === false) disabled.add(facts.client.clientId)
          return kept
        },
        webhookIsActive: (facts) =>
          (disabled.size === 0 || disabled.has(facts.client.clientId)) && lawful.webhookIsActive(facts),
      }
    },
  },
  {
    id: 'refreshes-are-notified-whether-enabled-or-not',
    story: 'A refresh is notified as soon as a URL is set, a booking once webhooks are active.',
    breaks: [WEB.disabledWebhookIsNotCalled, WEB.nothingIsSentBeforeTheNextFullHour],
    rules: (lawful) => {
      let isRefresh = false
      return {
        recipients: (facts) => {
          isRefresh = facts.event === 'accountEvent'
          return lawful.recipients(facts)
        },
        webhookIsActive: (facts) => lawful.webhookIsActive(facts) || (isRefresh && facts.settings.url !== ''),
      }
    },
  },
  {
    id: 'notified-until-the-first-renewal',
    story: 'A booking is notified as long as the tokens of the code exchange have not been renewed.',
    breaks: [WEB.bookingIsNotified],
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
  {
    id: 'second-customer-is-not-notified',
    story: 'Bookings are notified under the consents of the customer who was the first to have one.',
    breaks: [WEB.bookingIsNotified],
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
  {
    id: 'debits-are-not-notified',
    story: 'Money that comes in is notified, and money that goes out is not.',
    breaks: [WEB.bookingIsNotified],
    rules: (lawful) => ({
      bookingIsNotified: (facts) => facts.transaction.amount > 0 && lawful.bookingIsNotified(facts),
    }),
  },
  {
    id: 'account-events-go-to-the-first-url',
    story: 'A new URL holds for transactionEvents; accountEvents go to the one that was configured first.',
    breaks: [WEB.oldUrlIsNotCalled],
    rules: (lawful) => ({
      deliveryAddress: keepingTheFirst(({ settings }) => settings.url)(lawful.deliveryAddress),
    }),
  },
  {
    id: 'account-events-carry-the-first-security-header',
    story: 'A new security header holds for transactionEvents; accountEvents carry the first one.',
    breaks: [WEB.securityHeaderIsSentAsAuthorization],
    rules: (lawful) => {
      const headerOf = keepingTheFirst(({ settings }) => settings.securityHeader)(
        ({ settings }) => settings.securityHeader,
      )
      return {
        deliveryHeaders: (facts) =>
          lawful.deliveryHeaders({
            ...facts,
            settings: { ...facts.settings, securityHeader: headerOf(facts) },
          }),
      }
    },
  },
]
