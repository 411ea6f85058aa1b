import { eventOf, type Delivery } from '../check/index.ts'
import { anywhere, jsonOf } from '../evidence/record/answer.ts'
import { testHooksIn } from '../profile/test-hooks.ts'
import { exchangeOf, openInbox } from '../session/webhooks/sink/inbox.ts'
import { CallDelay } from '../session/webhooks/call-search.ts'
import { createWebhook } from '../session/webhooks/webhook.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Application } from '../session/application.ts'
import type { TargetClock, TestHooks } from '../session/clock.ts'
import type { Webhook } from '../session/index.ts'
import type { Sink, Arrival } from '../session/webhooks/sink/sink.ts'
import type { SessionOptions, SessionContext } from './session-options.ts'

/** Gives a scenario its own address at the sink, and restores the target's settings afterwards. */

const isLoopback = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** How long calls take is measured once for all scenarios. */
const delays = new WeakMap<Sink, CallDelay>()

const callDelayAt = (sink: Sink, settleMs: number): CallDelay => {
  const delay = delays.get(sink) ?? new CallDelay(settleMs)
  delays.set(sink, delay)
  return delay
}

/** Whether a call contains a consent id that was created in these exchanges: then it cannot be a late call of an earlier scenario. */
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

interface Reception extends Pick<SessionOptions, 'connection' | 'recording' | 'attempt' | 'onEnd'> {
  readonly sink: Sink
  readonly clock: TargetClock
  readonly testHooks: TestHooks
  readonly endTestHooks: TestHooks
}

export const openWebhook =
  (
    context: SessionContext,
    { sink, clock, testHooks, endTestHooks, connection: { baseUrl }, recording, attempt, onEnd }: Reception,
  ) =>
  (app: () => Application): Webhook => {
    const { profile, fresh } = context.target
    // Without a test hook that sets the address, all calls go to the address of the whole sink.
    const canConfigure = testHooksIn(profile).configureWebhook !== undefined
    const { redactor, exchanges, id } = recording
    const isOurs = namesConsentOf(exchanges)
    // Before that, a call to the address of an earlier scenario may be permitted.
    let isActive = false
    const claims = (arrival: Arrival): boolean => isActive && isOurs(arrival)
    const inbox = openInbox(
      (receive) => (canConfigure ? sink.open(receive, claims) : sink.openWhole(receive)),
      {
        scenario: id,
        now: () => clock.now(),
        redactor,
        journal: context.journal,
        onExchange: (exchange) => exchanges.push(exchange),
        ...(context.limits && { ends: context.limits.ends }),
      },
    )
    const opened = createWebhook({
      inbox,
      clock,
      testHooks,
      endTestHooks,
      app,
      configured: canConfigure ? [] : profile.webhooks.configured.map(({ application }) => application),
      delay: callDelayAt(sink, profile.webhooks.settleMs),
      speed: profile.clock.speed,
      isReached: () =>
        fresh || sink.calls > 0 || (sink.isDirect && isLoopback(inbox.url) && isLoopback(baseUrl)),
      learn(securityHeader) {
        redactor.learn('security_header', securityHeader)
        // Blanks at the ends are no part of a field's value.
        redactor.learn('security_header', securityHeader.trim())
      },
      onActive: () => void (isActive = true),
      ...(attempt && !fresh && { onChange: (before) => attempt.storeSettings(before) }),
    })
    onEnd?.(async () => {
      // A failure here says nothing about what the scenario has seen.
      if (!fresh) await opened.restore().catch(() => undefined)
      inbox.close()
    })
    return opened.webhook
  }
