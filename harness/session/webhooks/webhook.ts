import { isEncodedOtherwise, type Delivery } from '../../evidence/record/webhook-event.ts'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { findCall, settled, type CallSearch } from './call-search.ts'
import { changingSettings, type Settings, type SettingsOptions } from './settings.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { SettingsAttempt } from '../clock.ts'
import type { Inbox } from './sink/inbox.ts'

/** The webhook of a scenario: it has an address of its own, and waits by the target's clock. */
export interface Webhook {
  /** The address in the settings: a plain URL, without parameters. */
  readonly url: string
  /**
   * Whether the target can reach the sink: it runs on this machine, or a call has arrived before. If not, a missing
   * call may have been lost on the way.
   */
  isReached(): boolean
  /** The calls so far, in the order of arrival. @throws Inconclusive if more came than can be kept. */
  deliveries(): readonly Delivery[]
  /**
   * The first call that fits and that no `next` has returned yet; undefined if none arrived within that many ms of
   * the target's time. A clock that can be moved is moved step by step, by `longestStep` ms at most.
   * @throws Inconclusive if none fits and none of the calls is in JSON: then their contents are not known.
   */
  next(
    fits: (delivery: Delivery) => boolean,
    limits: { readonly within: number; readonly longestStep?: number },
  ): Promise<Delivery | undefined>
  /** Lets that many ms of the target's time pass. @returns all calls so far. */
  listen(ms: number): Promise<readonly Delivery[]>
  /**
   * Sends settings of an application (needs: webhook-settings), whether they are accepted or not. What is left out
   * has its default.
   */
  configure(settings?: Settings): Promise<SettingsAttempt>
  /**
   * Points the webhooks of an application here, and lets the time pass until they are active (needs: webhook). Does
   * nothing if the profile says that they are configured.
   * @throws NotReached if the target does not accept the settings.
   */
  activate(settings?: Pick<Settings, 'app' | 'securityHeader'>): Promise<void>
}

interface WebhookOptions extends SettingsOptions, Pick<CallSearch, 'clock' | 'delay' | 'speed'> {
  readonly inbox: Omit<Inbox, 'close'>
  /** Names of the applications whose settings already point here. */
  readonly configured: readonly string[]
  readonly isReached: () => boolean
  /** Called when settings that point here are active: the earlier ones no longer are. */
  readonly onActive?: () => void
}

/** The next full hour is less than an hour away; one minute is added for clocks that differ. */
const UNTIL_ACTIVE_MS = 61 * 60 * 1_000

/** A webhook, and how to restore the settings. */
export const createWebhook = (options: WebhookOptions) => {
  const { inbox, clock, delay } = options
  const { deliveries, take, refuseUnreadable } = receivedCalls(inbox)
  const { configure, restore } = changingSettings(options, inbox.url, () => settled(options, delay.lagMs))

  const webhook: Webhook = {
    url: inbox.url,
    isReached: options.isReached,
    deliveries,
    async next(fits, { within, longestStep = within }) {
      const found = await findCall({ ...options, longestStep, take: () => take(fits) }, within)
      if (found === undefined) refuseUnreadable()
      return found
    },
    async listen(ms) {
      await clock.pass(ms)
      await settled(options, delay.settleMs)
      return deliveries()
    },
    configure,
    async activate({ app = options.app(), securityHeader } = {}) {
      if (options.configured.includes(app.profile.name)) return
      const own = { app, ...(securityHeader !== undefined && { securityHeader }) }
      const { taken, exchange } = await configure(own)
      if (!taken) throw new NotReached(`the target does not take the webhook settings (${exchange.id})`)
      await clock.pass(UNTIL_ACTIVE_MS)
      options.onActive?.()
    },
  }
  return { webhook, restore }
}

/** The calls so far, each of which is taken once. */
const receivedCalls = (inbox: WebhookOptions['inbox']) => {
  const known = new Map<Exchange, Delivery>()
  const given = new Set<Delivery>()

  const deliveryOf = (exchange: Exchange): Delivery => {
    const delivery = known.get(exchange) ?? { kind: 'delivery', exchange }
    known.set(exchange, delivery)
    return delivery
  }

  const deliveries = (): readonly Delivery[] => {
    if (inbox.beyond > 0) throw new Inconclusive(`${inbox.beyond} webhook calls came beyond what can be kept`)
    return inbox.exchanges.map(deliveryOf)
  }

  const take = (fits: (delivery: Delivery) => boolean): Delivery | undefined => {
    const found = deliveries().find((delivery) => !given.has(delivery) && fits(delivery))
    if (found !== undefined) given.add(found)
    return found
  }

  /** @throws Inconclusive if calls have come, and none of them can be read. */
  const refuseUnreadable = (): void => {
    const all = deliveries()
    if (all.length === 0 || !all.every(isEncodedOtherwise)) return
    throw new Inconclusive(
      `${all.length} webhook calls have arrived, but not as JSON, a form or XML: the interface does not show how a call is encoded, and no other form is read`,
    )
  }

  return { deliveries, take, refuseUnreadable }
}
