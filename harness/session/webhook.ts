import { Inconclusive, NotReached } from '../evidence/signals.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Application } from './application.ts'
import type { Pace } from './pace.ts'
import type { Levers, SettingsAttempt, TargetClock, WebhookSettings } from './session.ts'
import { isEncodedOtherwise } from './webhook-event.ts'
import type { Delivery } from './webhook-event.ts'

/** Webhook calls, as a scenario sees them: it has an address of its own, and waits by the target's clock. */
export interface Webhook {
  /** What the target is told: a plain URL, without parameters. */
  readonly url: string
  /**
   * Whether the target can make its calls: known where it stands beside us, or has made one before. Where it is not,
   * a call that does not come may be lost on its way.
   */
  isReached(): boolean
  /** The calls so far, in the order in which they came. @throws Inconclusive where more came than can be kept. */
  deliveries(): readonly Delivery[]
  /**
   * The first call that fits and that no `next` has given yet; nothing where none came within that many ms of the
   * target's time. A clock that can be moved is moved step by step.
   * @throws Inconclusive where none came, and none of those that did is in JSON: what they say is not known.
   */
  next(
    fits: (delivery: Delivery) => boolean,
    limits: { readonly within: number },
  ): Promise<Delivery | undefined>
  /** Lets that many ms of the target's time pass. @returns all calls so far. */
  listen(ms: number): Promise<readonly Delivery[]>
  /** Sets the settings of an application (needs: webhook-settings), whatever comes of it. What is left out is as usual. */
  configure(settings?: Settings): Promise<SettingsAttempt>
  /**
   * Points the webhooks of an application here, and lets the time pass until they are active (needs: webhook). Where
   * the profile says that they are configured, there is nothing to do.
   * @throws NotReached where the target does not take the settings.
   */
  activate(settings?: Pick<Settings, 'app' | 'securityHeader'>): Promise<void>
}

export interface Settings {
  /** Whose settings they are: the acting application's, unless it is said. */
  readonly app?: Application
  /** True, unless it is said. */
  readonly enabled?: boolean
  /** The scenario's own address, unless it is said. */
  readonly url?: string
  /** None, unless it is said. */
  readonly securityHeader?: string
}

/** Where calls come in. */
export interface Inbox {
  readonly url: string
  readonly exchanges: readonly Exchange[]
  /** How many calls came beyond those. */
  readonly beyond: number
  /** Waits for the next call, that many ms of the wall; whether one came. */
  arrival(ms: number): Promise<boolean>
}

export interface WebhookOptions {
  readonly inbox: Inbox
  readonly clock: TargetClock
  readonly levers: Levers
  readonly app: () => Application
  /** Names of the applications whose settings point here already. */
  readonly configured: readonly string[]
  readonly isReached: () => boolean
  /** How soon the calls of a target come whose clock is moved over HTTP. */
  readonly pace: Pace
  /** How many times as fast as here the target's time runs, where nobody moves it. */
  readonly speed: number
  /** Tells of a security header before it is sent. */
  readonly learn: (securityHeader: string) => void
  /** Is told that settings which point here hold: those of before do not any more. */
  readonly onActive?: () => void
  /** What the settings are put back with when the scenario has ended, however it has; the levers, if it is left out. */
  readonly endLevers?: Levers
}

/** A webhook that can be left as it was found. */
export interface OpenWebhook {
  readonly webhook: Webhook
  /** Puts the settings back as they were found; where nobody can tell how that was, switches off what was switched on. */
  restore(): Promise<void>
}

const SECOND = 1_000
/** From any moment, the next full hour is less than an hour away: a minute is added for clocks that differ. */
const UNTIL_ACTIVE = 61 * 60 * SECOND
/** Between two steps of a clock that is moved over HTTP the target has no more than this for its calls, in ms. */
const STEP_LAG = 250
const PATIENCE = 20_000

export const createWebhook = (options: WebhookOptions): OpenWebhook => {
  const { inbox, clock, levers, pace, speed } = options
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

  /** @throws Inconclusive where calls have come, and none of them can be read. */
  const areReadable = (): void => {
    const deliveries = soFar()
    if (deliveries.length === 0 || !deliveries.every(isEncodedOtherwise)) return
    throw new Inconclusive(
      `${deliveries.length} webhook calls have come, none of them in JSON: how a call is encoded is not shown, and no other form is read`,
    )
  }

  const settle = async (ms: number): Promise<void> => {
    if (clock.kind === 'lever') await quiet(inbox, ms)
  }

  const configure = async (settings: Settings = {}): Promise<SettingsAttempt> => {
    const { app = options.app(), url = inbox.url, securityHeader = '' } = settings
    const { clientId } = app.profile
    const all = { clientId, enabled: settings.enabled ?? true, url, securityHeader }
    // Blanks alone would be found everywhere.
    if (securityHeader.trim() !== '') options.learn(securityHeader)
    // A call that is still on its way was made by the settings of before.
    if (taken.has(clientId)) await settle(pace.lagMs)
    else await remember(clientId)
    const before = taken.get(clientId)
    // Whoever is interrupted sees no answer: then it may have been taken.
    taken.set(clientId, all)
    const attempt = await levers.configureWebhook(all)
    if (!attempt.taken) forget(clientId, before)
    return attempt
  }

  const forget = (clientId: string, before: WebhookSettings | undefined): void => {
    if (before === undefined) taken.delete(clientId)
    else taken.set(clientId, before)
  }

  /** @throws where they cannot be read: what could not be put back is not written over. */
  const remember = async (clientId: string): Promise<void> => {
    const settings = await levers.readWebhook(clientId)
    if (settings === undefined) return
    if (settings.securityHeader.trim() !== '') options.learn(settings.securityHeader)
    found.set(clientId, settings)
  }

  const restoreOne = async (settings: WebhookSettings): Promise<void> => {
    const { endLevers = levers } = options
    const before = found.get(settings.clientId)
    if (before !== undefined && (await endLevers.configureWebhook(before)).taken) return
    // Off as they may be already: nobody else can tell.
    await endLevers.configureWebhook({ ...settings, enabled: false, securityHeader: '' })
  }

  return {
    webhook: {
      url: inbox.url,
      isReached: options.isReached,
      deliveries: soFar,
      async next(fits, { within }) {
        const wait = clock.kind === 'wall' ? waitingFor : steppingTo
        const found = await wait({ inbox, clock, pace, speed, look: () => take(fits) }, within)
        if (found === undefined) areReadable()
        return found
      },
      async listen(ms) {
        await clock.pass(ms)
        await settle(pace.settleMs)
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
      // One that cannot be put back is no reason to leave the next one as it is.
      for (const settings of taken.values()) await restoreOne(settings).catch(() => undefined)
    },
  }
}

interface Search {
  readonly inbox: Inbox
  readonly clock: TargetClock
  readonly pace: Pace
  readonly speed: number
  readonly look: () => Delivery | undefined
}

/** On a clock that cannot be moved: each call that comes is looked at. */
const waitingFor = async (
  { inbox, clock, speed, look }: Search,
  within: number,
): Promise<Delivery | undefined> => {
  const deadline = clock.now().getTime() + within
  for (;;) {
    const found = look()
    const left = deadline - clock.now().getTime()
    if (found !== undefined || left <= 0) return found
    await inbox.arrival(left / speed)
  }
}

/** On a clock that can be moved: by 1 s, 2 s, 4 s … so that what comes soon is seen soon, and what comes late at all. */
const steppingTo = async (search: Search, within: number): Promise<Delivery | undefined> => {
  const { clock, pace, look } = search
  let found = look()
  if (found !== undefined || within <= 0) return found
  for (let passed = 0, step = SECOND; found === undefined && passed < within; step *= 2) {
    const ms = Math.min(step, within - passed)
    await clock.pass(ms)
    passed += ms
    found = look()
    if (found !== undefined || clock.kind === 'virtual') continue
    found = await (passed < within ? arriving(search, Math.min(STEP_LAG, pace.settleMs)) : comingLast(search))
  }
  return found
}

/** Once the clock has been moved all the way, only the wall tells how late a call is. */
const comingLast = async (search: Search): Promise<Delivery | undefined> => {
  const { pace } = search
  const startedAt = performance.now()
  const found = await arriving(search, pace.lastMs)
  if (found === undefined) pace.missed()
  else pace.came(performance.now() - startedAt)
  return found
}

/** The call that fits, within that many ms of the wall, whichever others come before it. */
const arriving = async ({ inbox, look }: Search, ms: number): Promise<Delivery | undefined> => {
  const deadline = performance.now() + ms
  for (;;) {
    const left = Math.max(0, deadline - performance.now())
    const isMore = await inbox.arrival(left)
    const found = look()
    if (found !== undefined || !isMore || left === 0) return found
  }
}

/** Until no call has come for a while; who calls without end is not waited for. */
const quiet = async (inbox: Inbox, settleMs: number): Promise<void> => {
  const deadline = Date.now() + PATIENCE
  while ((await inbox.arrival(settleMs)) && Date.now() < deadline);
}
