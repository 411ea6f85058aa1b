import { shelf, undisclosed } from '../../harness/check/requirement.ts'
import { ACCOUNT_EVENTS } from './requirements-of-account-events.ts'
import { CALLING } from './requirements-of-calling.ts'
import { TRANSACTION_EVENTS } from './requirements-of-transaction-events.ts'

const ACCOUNT_EVENT = 'Events, accountEvent'

export const WEB = {
  ...CALLING,
  ...TRANSACTION_EVENTS,
  ...ACCOUNT_EVENTS,

  otherEventTypes: undisclosed('WEB-U1', {
    subject: 'the values of eventType of an accountEvent beside ADDED',
    quote: 'Other eventType values of accountEvent: not shown.',
    place: ACCOUNT_EVENT,
  }),
  deliveryRetries: undisclosed('WEB-U2', {
    subject: 'whether and when a failed delivery is repeated',
    quote: 'Delivery retries and timing guarantees: not shown.',
    place: ACCOUNT_EVENT,
  }),
  deliveryTiming: undisclosed('WEB-U3', {
    subject: 'how soon after a change the webhook is called',
    quote: 'Delivery retries and timing guarantees: not shown.',
    place: ACCOUNT_EVENT,
  }),
  methodOfTheCall: undisclosed('WEB-U4', {
    subject: 'the HTTP method of the webhook call',
    quote: 'The HTTP method and encoding of the webhook call: not shown.',
    place: ACCOUNT_EVENT,
  }),
  encodingOfTheCall: undisclosed('WEB-U5', {
    subject: 'the encoding of the webhook call',
    quote: 'The HTTP method and encoding of the webhook call: not shown.',
    place: ACCOUNT_EVENT,
  }),
} as const

export default shelf('webhooks', WEB)
