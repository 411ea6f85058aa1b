import { check } from '../../harness/check/index.ts'
import { days, scenario } from '../../harness/session/index.ts'
import { QUARTER } from '../shared/life/acts.ts'
import { live } from '../shared/life/live.ts'
import { keeps } from '../shared/life/model.ts'
import { notifying } from '../shared/scenario-options.ts'
import { WEB } from './requirements.ts'

/** A sequence of a quarter in which webhooks are enabled and disabled, judged by the model in specs/shared/life. */

const quarter = scenario(
  "webhook calls in a quarter of two customers' lives",
  {
    ...notifying(
      6,
      'own-account',
      'booking',
      'revocation',
      'consent-revocation',
      'clock',
      'webhook',
      'webhook-settings',
    ),
    waitsMs: days(125),
  },
  (session) => live(session, QUARTER, { waits: true, webhook: session.webhook }),
)

check(WEB.bookingIsNotified, quarter, keeps('bookingIsNotified'))
check(WEB.revokedConsentIsNotNotified, quarter, keeps('revokedConsentIsQuiet'))
check(WEB.disabledWebhookIsNotCalled, quarter, keeps('disabledIsQuiet'))
