import type { Defect } from '../../harness/bank/defect.ts'
import { WEB } from './requirements.ts'

/** What one application is told, and another is not; and what is told whom nobody should tell. */

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
]
