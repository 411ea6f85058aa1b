import { isEncodedOtherwise, type Delivery } from '../../evidence/record/webhook-event.ts'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Application } from '../application.ts'
import type { SettingsAttempt, TargetClock, TestHooks, WebhookSettings } from '../clock.ts'

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

interface Settings {
  /** By default the application that acts. */
  readonly app?: Application
  /** True by default. */
  readonly enabled?: boolean
  /** By default the address of the scenario. */
  readonly url?: string
  /** None by default. */
  readonly securityHeader?: string
}

/** Where calls arrive. */
interface Inbox {
  readonly url: string
  readonly exchanges: readonly Exchange[]
  /** How many more calls came than could be kept. */
  readonly beyond: number
  /** Waits up to that many ms of real time for the next call; whether one arrived. */
  arrival(ms: number): Promise<boolean>
}

interface WebhookOptions {
  readonly inbox: Inbox
  readonly clock: TargetClock
  readonly testHooks: TestHooks
  readonly app: () => Application
  /** Names of the applications whose settings already point here. */
  readonly configured: readonly string[]
  readonly isReached: () => boolean
  /** How long the calls of a target take whose clock is moved over HTTP. */
  readonly delay: CallDelay
  /** How many times as fast as real time the target's clock runs while it is not moved. */
  readonly speed: number
  /** Reports a security header to the redactor before it is sent. */
  readonly learn: (securityHeader: string) => void
  /** Called before the settings of an application are changed for the first time. @param before what restores them. */
  readonly onChange?: (before: WebhookSettings) => void
  /** Called when settings that point here are active: the earlier ones no longer are. */
  readonly onActive?: () => void
  /** The test hooks that restore the settings at the end of the scenario; by default the same ones. */
  readonly endTestHooks?: TestHooks
}

/** A webhook, and how to restore the settings. */
interface OpenWebhook {
  readonly webhook: Webhook
  /** Restores the settings of before; if they are not known, disables what the scenario enabled. */
  restore(): Promise<void>
}

const SECOND = 1_000
/** The next full hour is less than an hour away; one minute is added for clocks that differ. */
const UNTIL_ACTIVE = 61 * 60 * SECOND
/** Between two steps of a clock that is moved over HTTP, the target has at most this many ms for its calls. */
const STEP_LAG = 250
const LONGEST_SETTLING_MS = 20_000

export const createWebhook = (options: WebhookOptions): OpenWebhook => {
  const { inbox, clock, testHooks, delay, speed } = options
  const known = new Map<Exchange, Delivery>()
  const given = new Set<Delivery>()
  const taken = new Map<string, WebhookSettings>()
  const found = new Map<string, WebhookSettings>()

  const deliveryOf = (exchange: Exchange): Delivery => {
    const delivery = known.get(exchange) ?? { kind: 'delivery', exchange }
    known.set(exchange, delivery)
    return delivery
  }

  const soFar = (): readonly Delivery[] => {
    if (inbox.beyond > 0) throw new Inconclusive(`${inbox.beyond} webhook calls came beyond what can be kept`)
    return inbox.exchanges.map(deliveryOf)
  }

  const take = (fits: (delivery: Delivery) => boolean): Delivery | undefined => {
    const found = soFar().find((delivery) => !given.has(delivery) && fits(delivery))
    if (found !== undefined) given.add(found)
    return found
  }

  /** @throws Inconclusive if calls have come, and none of them can be read. */
  const refuseUnreadable = (): void => {
    const deliveries = soFar()
    if (deliveries.length === 0 || !deliveries.every(isEncodedOtherwise)) return
    throw new Inconclusive(
      `${deliveries.length} webhook calls have arrived, but not in JSON: the interface does not show how a call is encoded, and no other form is read`,
    )
  }

  const settle = async (ms: number): Promise<void> => {
    if (clock.kind === 'testHook') await quiet(inbox, ms)
  }

  const configure = async (settings: Settings = {}): Promise<SettingsAttempt> => {
    const { app = options.app(), url = inbox.url, securityHeader = '' } = settings
    const { clientId } = app.profile
    const all = { clientId, enabled: settings.enabled ?? true, url, securityHeader }
    // A value of blanks would be found everywhere.
    if (securityHeader.trim() !== '') options.learn(securityHeader)
    // A call that is still on its way was made under the earlier settings.
    if (taken.has(clientId)) await settle(delay.lagMs)
    else {
      await storeSettings(clientId)
      options.onChange?.(found.get(clientId) ?? { ...all, enabled: false, securityHeader: '' })
    }
    const before = taken.get(clientId)
    // After an interruption the answer is not known: the settings may have been accepted.
    taken.set(clientId, all)
    const attempt = await testHooks.configureWebhook(all)
    if (!attempt.taken) forget(clientId, before)
    return attempt
  }

  const forget = (clientId: string, before: WebhookSettings | undefined): void => {
    if (before === undefined) taken.delete(clientId)
    else taken.set(clientId, before)
  }

  /** @throws if they cannot be read: settings that cannot be restored are not overwritten. */
  const storeSettings = async (clientId: string): Promise<void> => {
    const settings = await testHooks.readWebhook(clientId)
    if (settings === undefined) return
    if (settings.securityHeader.trim() !== '') options.learn(settings.securityHeader)
    found.set(clientId, settings)
  }

  const restoreOne = async (settings: WebhookSettings): Promise<void> => {
    const { endTestHooks = testHooks } = options
    const before = found.get(settings.clientId)
    if (before !== undefined && (await endTestHooks.configureWebhook(before)).taken) return
    // They may be disabled already, but this is not known.
    await endTestHooks.configureWebhook({ ...settings, enabled: false, securityHeader: '' })
  }

  return {
    webhook: {
      url: inbox.url,
      isReached: options.isReached,
      deliveries: soFar,
      async next(fits, { within, longestStep = within }) {
        const wait = clock.kind === 'wall' ? waitingFor : steppingTo
        const found = await wait(
          { inbox, clock, delay, speed, longestStep, findCall: () => take(fits) },
          within,
        )
        if (found === undefined) refuseUnreadable()
        return found
      },
      async listen(ms) {
        await clock.pass(ms)
        await settle(delay.settleMs)
        return soFar()
      },
      configure,
      async activate({ app = options.app(), securityHeader } = {}) {
        if (options.configured.includes(app.profile.name)) return
        const { taken, exchange } = await configure({
          app,
          ...(securityHeader !== undefined && { securityHeader }),
        })
        if (!taken) throw new NotReached(`the target does not take the webhook settings (${exchange.id})`)
        await clock.pass(UNTIL_ACTIVE)
        options.onActive?.()
      },
    },
    async restore() {
      // If one cannot be restored, the others are restored all the same.
      for (const settings of taken.values()) await restoreOne(settings).catch(() => undefined)
    },
  }
}

interface Search {
  readonly inbox: Inbox
  readonly clock: TargetClock
  readonly delay: CallDelay
  readonly speed: number
  readonly longestStep: number
  readonly findCall: () => Delivery | undefined
}

/** On a clock that cannot be moved: checks each call that arrives. */
const waitingFor = async (
  { inbox, clock, speed, findCall }: Search,
  within: number,
): Promise<Delivery | undefined> => {
  const deadline = clock.now().getTime() + within
  for (;;) {
    const found = findCall()
    const left = deadline - clock.now().getTime()
    if (found !== undefined || left <= 0) return found
    await inbox.arrival(left / speed)
  }
}

/** On a clock that can be moved: by 1 s, 2 s, 4 s …, so that an early call is found early, and a late one at all. */
const steppingTo = async (search: Search, within: number): Promise<Delivery | undefined> => {
  const { clock, delay, longestStep, findCall } = search
  let found = findCall()
  if (found !== undefined || within <= 0) return found
  for (let passed = 0, step = SECOND; found === undefined && passed < within; step *= 2) {
    const ms = Math.min(step, longestStep, within - passed)
    await clock.pass(ms)
    passed += ms
    found = findCall()
    if (found !== undefined || clock.kind === 'virtual') continue
    found = await (passed < within
      ? arriving(search, Math.min(STEP_LAG, delay.settleMs))
      : arrivingLast(search))
  }
  return found
}

/** After the last step of the clock, a call can only be late in real time. */
const arrivingLast = async (search: Search): Promise<Delivery | undefined> => {
  const { delay } = search
  const startedAt = performance.now()
  const found = await arriving(search, delay.lastMs)
  if (found === undefined) delay.missed()
  else delay.came(performance.now() - startedAt)
  return found
}

/** The call that fits, within that many ms of real time; other calls may come before it. */
const arriving = async ({ inbox, findCall }: Search, ms: number): Promise<Delivery | undefined> => {
  const deadline = performance.now() + ms
  for (;;) {
    const left = Math.max(0, deadline - performance.now())
    const isMore = await inbox.arrival(left)
    const found = findCall()
    if (found !== undefined || !isMore || left === 0) return found
  }
}

/** Waits until no call has come for a while, but not endlessly. */
const quiet = async (inbox: Inbox, settleMs: number): Promise<void> => {
  const deadline = performance.now() + LONGEST_SETTLING_MS
  while ((await inbox.arrival(settleMs)) && performance.now() < deadline);
}

/** In ms. */
const LAG = 250
/** The longest wait, in ms. */
const LONGEST_MS = 10_000
/** After this many missing calls, the longest wait is no longer used. */
const MOST_MISSED = 2

/** How long the webhook calls of a target take in real time: as the profile says, until they have taken longer. */
export class CallDelay {
  readonly #saidMs: number
  #settleMs: number
  #lagMs: number
  #missed = 0

  /** @param settleMs the time in the profile. */
  constructor(settleMs: number) {
    this.#saidMs = settleMs
    this.#settleMs = settleMs
    this.#lagMs = Math.min(LAG, settleMs)
  }

  /** How long the target may take for the calls that fell due when its clock was moved, in ms. */
  get settleMs(): number {
    return this.#settleMs
  }

  /** How late a call may be if none is known to be due, in ms: as late as calls have been before. */
  get lagMs(): number {
    return this.#lagMs
  }

  /** How long to wait for a call that should have arrived, in ms: a queue or a network may delay it. */
  get lastMs(): number {
    return this.#missed < MOST_MISSED ? Math.max(this.#settleMs, LONGEST_MS) : this.#settleMs
  }

  /** A call arrived that many ms after the last move of the clock. */
  came(ms: number): void {
    // The next one may be slower still.
    const next = Math.min(2 * ms, Math.max(this.#saidMs, LONGEST_MS))
    this.#lagMs = Math.max(this.#lagMs, next)
    if (ms > this.#settleMs) this.#settleMs = next
  }

  /** A call that should have arrived did not. */
  missed(): void {
    this.#missed += 1
  }
}
