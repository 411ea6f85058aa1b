import { anywhere, jsonOf } from '../evidence/record/answer.ts'
import { eventOf } from '../evidence/record/webhook-event.ts'
import { exchangeOf, openInbox } from '../session/webhooks/sink/inbox.ts'
import { CallDelay } from '../session/webhooks/call-delay.ts'
import { createWebhook } from '../session/webhooks/webhook.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Application } from '../session/application.ts'
import type { TargetClock } from '../session/clock.ts'
import type { TestHooks } from '../session/test-hooks.ts'
import type { Webhook } from '../session/webhooks/webhook.ts'
import type { Delivery } from '../evidence/record/webhook-event.ts'
import type { Arrival, Sink } from '../session/webhooks/sink/sink.ts'
import type { Backstage, Opening } from './opening.ts'

/** From the sink to the address of one scenario, and back to settings as they were. */

const isLoopback = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** What one scenario learns of the target, the next one need not. */
const delays = new WeakMap<Sink, CallDelay>()

const callDelayAt = (sink: Sink, settleMs: number): CallDelay => {
  const delay = delays.get(sink) ?? new CallDelay(settleMs)
  delays.set(sink, delay)
  return delay
}

/**
 * Whether a call names a consent that was created in these exchanges: then it is about nothing that was before them, and
 * is not late, wherever it comes.
 */
const namesConsentOf =
  (exchanges: readonly Exchange[]) =>
  (arrival: Arrival): boolean => {
    const delivery: Delivery = { kind: 'delivery', exchange: exchangeOf(arrival, 'claimed', new Date()) }
    const { consentId } = eventOf(delivery) ?? {}
    return (
      consentId !== undefined &&
      exchanges
        .filter(({ operation, response }) => operation === 'createConsent' && response !== undefined)
        .some((creation) => anywhere(jsonOf(creation), 'consentId').includes(consentId))
    )
  }

interface Reception extends Pick<Opening, 'visit' | 'recording' | 'onEnd'> {
  readonly sink: Sink
  readonly clock: TargetClock
  readonly testHooks: TestHooks
  readonly endTestHooks: TestHooks
}

export const openWebhook =
  (
    stage: Backstage,
    { sink, clock, testHooks, endTestHooks, visit: { baseUrl }, recording, onEnd }: Reception,
  ) =>
  (app: () => Application): Webhook => {
    const { profile, fresh } = stage.target
    // Where nobody can point the webhooks to an address of the scenario's own, they point to the sink as a whole.
    const canConfigure = profile.testHooks.configureWebhook !== undefined
    const { redactor, exchanges, id } = recording
    const isOurs = namesConsentOf(exchanges)
    // Until then a call to where an earlier scenario has listened may be lawful.
    let isActive = false
    const claims = (arrival: Arrival): boolean => isActive && isOurs(arrival)
    const inbox = openInbox((hear) => (canConfigure ? sink.open(hear, claims) : sink.openWhole(hear)), {
      scenario: id,
      now: () => clock.now(),
      redactor,
      journal: stage.journal,
      onExchange: (exchange) => exchanges.push(exchange),
      ...(stage.course && { ends: stage.course.ends }),
    })
    const opened = createWebhook({
      ...{ inbox, clock, testHooks, endTestHooks, app },
      configured: canConfigure ? [] : profile.webhooks.configured.map(({ application }) => application),
      delay: callDelayAt(sink, profile.webhooks.settleMs),
      speed: profile.clock.speed,
      isReached: () => fresh || sink.calls > 0 || (isLoopback(inbox.url) && isLoopback(baseUrl)),
      learn: (securityHeader) => redactor.learn('security_header', securityHeader),
      onActive: () => void (isActive = true),
    })
    onEnd?.(async () => {
      // What cannot be switched off says nothing about what the scenario has seen.
      if (!fresh) await opened.restore().catch(() => undefined)
      inbox.close()
    })
    return opened.webhook
  }
