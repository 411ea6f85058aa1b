import { Agent, Dispatcher } from 'undici'
import { createBank, type Bank, type BankOptions } from '../bank/bank.ts'
import { spelled, type HeaderCase } from '../bank/base-paths.ts'
import { startBank } from '../bank/server.ts'
import { recorder } from '../evidence/recorder.ts'
import type { Defect, Dialect, Variation } from '../bank/defect.ts'
import type { Profile } from '../profile/schema.ts'
import type { TargetClock } from '../session/clock.ts'
import type { Target, Visit } from './target.ts'

/**
 * A dispatcher that hands requests to a function instead of a socket. The proof tries hundreds of banks, and a socket
 * for each would prove nothing more: what they do wrong does not depend on it.
 */
class InProcessDispatcher extends Dispatcher {
  readonly #fetch: (request: Request) => Promise<Response>
  readonly #headerCase: HeaderCase | undefined

  /** @param headerCase how the names of headers are spelled; in lower case, if it is left out. */
  constructor(fetch: (request: Request) => Promise<Response>, headerCase?: HeaderCase) {
    super()
    this.#fetch = fetch
    this.#headerCase = headerCase
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = new Controller()
    handler.onRequestStart?.(controller, {})
    this.#answer(options, handler, controller).catch((error: unknown) =>
      handler.onResponseError?.(controller, error as Error),
    )
    return true
  }

  async #answer(
    { origin, path, method, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    controller: Controller,
  ): Promise<void> {
    const request = new Request(`${String(origin)}${path}`, {
      method,
      headers: pairs(headers as readonly string[]),
      body: (body as string | null | undefined) ?? null,
      redirect: 'manual',
    })
    const response = await this.#fetch(request)
    const bytes = Buffer.from(await response.arrayBuffer())
    controller.throwIfAborted()
    for (const [name, value] of response.headers) controller.rawHeaders.push(this.#named(name), value)
    handler.onResponseStart?.(controller, response.status, {}, response.statusText)
    if (bytes.length > 0) handler.onResponseData?.(controller, bytes)
    controller.throwIfAborted()
    handler.onResponseEnd?.(controller, {})
  }

  #named(name: string): string {
    return this.#headerCase === undefined ? name : spelled(name, this.#headerCase)
  }

  override async close(): Promise<void> {
    // Nothing is open.
  }

  override async destroy(): Promise<void> {
    // Nothing is open.
  }
}

class Controller implements Dispatcher.DispatchController {
  readonly paused = false
  readonly rawTrailers = null
  readonly rawHeaders: string[] = []
  reason: Error | null = null

  get aborted(): boolean {
    return this.reason !== null
  }

  abort(reason: Error): void {
    this.reason = reason
  }

  throwIfAborted(): void {
    if (this.reason !== null) throw this.reason
  }

  pause(): void {
    // A whole answer is at hand before any of it is given.
  }

  resume(): void {
    // Never paused.
  }
}

const pairs = (flat: readonly string[]): [string, string][] => {
  const fields: [string, string][] = []
  for (let at = 0; at + 1 < flat.length; at += 2) fields.push([flat[at] ?? '', flat[at + 1] ?? ''])
  return fields
}

/** The reference bank in this process: a new one for each scenario, on a port of its own, with its own clock. */

export interface Faults {
  readonly defect?: Defect
  readonly variation?: Variation
  readonly dialect?: Dialect
}

const virtualClock = ({ clock }: Bank): TargetClock => ({
  kind: 'virtual',
  now: () => clock.now(),
  async pass(ms) {
    await clock.advance(ms)
  },
})

/** What is wrong or different about a bank, and how its webhook calls are carried. */
type Circumstances = Faults & Pick<BankOptions, 'deliver'>

/** A bank in use, and how it is left. */
interface Residence {
  readonly visit: Visit
  close(): Promise<void>
}

/** One for all: undici would make one for each connection, whose stack Node then traces through the source maps. */
const LEFT = new Error('the scenario has left its bank')

const settle = async (circumstances: Circumstances): Promise<Residence> => {
  const { url, bank, close } = await startBank(circumstances)
  const agent = new Agent()
  return {
    visit: { baseUrl: url, dispatcher: agent.compose(recorder), clock: virtualClock(bank) },
    async close() {
      await agent.destroy(LEFT)
      await close()
    },
  }
}

const settleWithoutSocket = (circumstances: Circumstances): Residence => {
  const bank = createBank({ ...circumstances, requiresTls: true })
  const { headerCase } = circumstances.variation?.server ?? {}
  const dispatcher = new InProcessDispatcher(bank.fetch, headerCase).compose(recorder)
  return {
    visit: { baseUrl: 'https://bank.example', dispatcher, clock: virtualClock(bank) },
    close: async () => undefined,
  }
}

interface EmbeddedOptions {
  /** What is wrong or different about the bank that a scenario visits. */
  readonly faultsFor?: (scenario: string) => Faults
  /** Whether requests go over a socket; they do, unless this says no. */
  readonly socket?: boolean
  /** Whether scenarios that only read share a bank; they do, unless this says no. */
  readonly shared?: boolean
  /** How the bank's webhook calls are carried; over the network, unless this says otherwise. */
  readonly deliver?: (request: Request) => Promise<Response>
}

/** Every scenario has a bank of its own, and the runs of a property share theirs. */
export const createEmbeddedTarget = (
  profile: Profile,
  { faultsFor = () => ({}), socket = true, shared = true, deliver }: EmbeddedOptions = {},
): Target => {
  const residences = new Map<string, Promise<Residence>>()
  const found = async (faults: Faults): Promise<Residence> => {
    const circumstances = { ...faults, ...(deliver && { deliver }) }
    return socket ? settle(circumstances) : settleWithoutSocket(circumstances)
  }
  return {
    profile,
    fresh: true,
    shared,
    async open(scenario) {
      const residence = residences.get(scenario) ?? found(faultsFor(scenario))
      residences.set(scenario, residence)
      return (await residence).visit
    },
    async close() {
      const all = await Promise.all(residences.values())
      await Promise.all(all.map((residence) => residence.close()))
    },
  }
}
