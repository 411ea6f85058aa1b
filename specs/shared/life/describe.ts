import type { ObservedExchange } from '../../../harness/check/index.ts'
import type { Happened, Lived } from './known.ts'

/** A sequence in words, for a counterexample. */

const answeredWith = ({ status, accepted }: ObservedExchange): string =>
  `${String(status.value)}${accepted ? '' : ', refused'}`

const lineOf = (event: Happened): string => {
  switch (event.does) {
    case 'authorize':
      return `${event.customer} authorizes ${event.app}: ${event.exchange ? answeredWith(event.exchange) : 'no code'}`
    case 'renew':
      return `grant ${event.grant + 1} is refreshed: ${answeredWith(event.exchange)}`
    case 'revoke':
    case 'endConsent':
      return `the customer ends ${event.does === 'revoke' ? '' : 'the consent of '}grant ${event.grant + 1}`
    case 'list':
    case 'read':
    case 'page':
      return `token ${event.token + 1} of grant ${event.grant + 1}, ${event.does}: ${answeredWith(event.exchange)}`
    case 'walk':
      return `the transactions of ${event.account}: ${event.walk.ids.length}`
    case 'book':
      return `${event.amount} is booked on ${event.account}`
    case 'pass':
      return `time passes: ${Math.round(event.ms / 60_000)} min`
    case 'refreshElsewhere':
      return `a refresh of the other banks: ${answeredWith(event.exchange)}`
    case 'setWebhooks':
      return `webhooks of ${event.apps.map(({ name }) => name).join(' and ')} are ${event.enabled ? 'enabled' : 'disabled'}`
  }
}

/** A sequence as a numbered list. */
export const describeLife = ({ events }: Lived): string =>
  events.map((event, at) => `${at + 1}. ${lineOf(event)}`).join('\n')
