import { check } from '../../harness/check/index.ts'
import { days, scenario } from '../../harness/session/index.ts'
import { grantsIn, YEAR_WITH_SETTINGS } from '../shared/life/acts.ts'
import { live } from '../shared/life/live.ts'
import { keeps } from '../shared/life/model.ts'
import { notifying } from '../shared/scenario-options.ts'
import { WEB } from './requirements.ts'

/** A sequence of most of a year in which webhooks are enabled and disabled, judged by the model in specs/shared/life. */

const year = scenario(
  "webhook calls in a year of two customers' lives",
  {
    ...notifying(
      grantsIn(YEAR_WITH_SETTINGS),
      'own-account',
      'booking',
      'revocation',
      'consent-revocation',
      'clock',
      'webhook',
      'webhook-settings',
    ),
    waitsMs: days(245),
  },
  (session) => live(session, YEAR_WITH_SETTINGS, { waits: true, webhook: session.webhook }),
)

check(WEB.bookingIsNotified, year, keeps('bookingIsNotified'))
check(WEB.revokedConsentIsNotNotified, year, keeps('revokedConsentIsQuiet'))
check(WEB.disabledWebhookIsNotCalled, year, keeps('disabledIsQuiet'))
check(WEB.securityHeaderIsSentInEachCall, year, keeps('callIsSecured'))
