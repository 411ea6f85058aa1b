import { Agent, Dispatcher } from 'undici'
import { withOwnValues } from '../bank/random.ts'
import { createBank, type Bank, type BankOptions } from '../bank/bank.ts'
import { spelled, type HeaderCase } from '../bank/base-paths.ts'
import { startBank } from '../bank/server.ts'
import { createRecorder, recorder } from '../evidence/recorder.ts'
import { drawnFrom } from '../profile/rotation.ts'
import { errorOf } from '../evidence/errors.ts'
import type { Defect, Dialect, Variation } from '../bank/defect.ts'
import type { Profile } from '../profile/schema.ts'
import type { TargetClock } from '../session/clock.ts'
import type { Target, Connection } from './target.ts'

/**
 * A dispatcher that passes requests to a function instead of a socket. The proof tries hundreds of banks, and a socket
 * for each would prove nothing more: their defects do not depend on it.
 */
class InProcessDispatcher extends Dispatcher {
  /** @param headerCase the case of header names; lower case by default. */
  constructor(
    readonly fetch: (request: Request) => Promise<Response>,
    readonly headerCase?: HeaderCase,
  ) {
    super()
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = new Controller()
    handler.onRequestStart?.(controller, {})
    this.#answer(options, handler, controller).catch((error: unknown) =>
      handler.onResponseError?.(controller, errorOf(error)),
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
    const response = await this.fetch(request)
    const bytes = Buffer.from(await response.arrayBuffer())
    controller.throwIfAborted()
    for (const [name, value] of response.headers)
      controller.rawHeaders.push(this.headerCase ? spelled(name, this.headerCase) : name, value)
    handler.onResponseStart?.(controller, response.status, {}, response.statusText)
    if (bytes.length > 0) handler.onResponseData?.(controller, bytes)
    controller.throwIfAborted()
    handler.onResponseEnd?.(controller, {})
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
    // The answer is complete before its first byte is passed on.
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

/** The reference bank in this process: a new one for each scenario, with its own port and clock. */

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

/** The fault or difference of a bank, and the transport of its webhook calls. */
type BankSetup = Faults & Pick<BankOptions, 'deliver' | 'startAt'>

interface OpenBank {
  readonly connection: Connection
  close(): Promise<void>
}

/** A shared error: undici would create one for each connection, and Node would map each stack to the sources. */
const SCENARIO_ENDED = new Error('the scenario has ended')

const openBank = async (setup: BankSetup): Promise<OpenBank> => {
  const { url, bank, close } = await startBank(setup)
  const agent = new Agent()
  return {
    connection: { baseUrl: url, dispatcher: agent.compose(recorder), clock: virtualClock(bank) },
    async close() {
      await agent.destroy(SCENARIO_ENDED)
      await close()
    },
  }
}

/** Without a socket a request takes no time, so that each run of a scenario waits for the same moments. */
const instantRecorder = createRecorder(() => 0)

const openBankWithoutSocket = (circumstances: BankSetup): OpenBank => {
  const bank = createBank({ ...circumstances, requiresTls: true })
  const { headerCase } = circumstances.variation?.server ?? {}
  let count = 0
  const fetch = (request: Request): Promise<Response> =>
    withOwnValues(`${(count += 1)}`, () => bank.fetch(request))
  const dispatcher = new InProcessDispatcher(fetch, headerCase).compose(instantRecorder)
  return {
    connection: { baseUrl: 'https://bank.example', dispatcher, clock: virtualClock(bank) },
    close: async () => undefined,
  }
}

/**
 * When the bank of a scenario opens: on any day, at any hour. The last days of a month, a leap day, midnight, the changes to
 * and from summer time and the days without settlement are near.
 */
const OPENINGS = [
  '2026-01-05T09:00:00Z',
  '2026-06-30T07:00:00Z',
  '2026-10-23T21:40:00Z',
  '2026-12-31T09:00:00Z',
  '2026-03-27T23:15:00Z',
  '2028-02-28T22:30:00Z',
  '2026-07-08T12:00:00Z',
]

const openingOf = (scenario: string, seed: number): Date =>
  new Date(OPENINGS[drawnFrom(`opening ${scenario} ${seed}`) % OPENINGS.length] ?? '')

interface EmbeddedOptions {
  readonly faultsFor?: (scenario: string) => Faults
  /** Whether requests use a socket; true by default. */
  readonly socket?: boolean
  /** Whether each scenario has a bank of its own; true by default. */
  readonly fresh?: boolean
  /** Whether scenarios that only read share a bank; true by default. */
  readonly shared?: boolean
  /** Sends the bank's webhook calls; over the network by default. */
  readonly deliver?: (request: Request) => Promise<Response>
  /** Draws when the bank of a scenario opens; by default all open at the same time. */
  readonly seed?: number
  /** When all open, whatever the seed. */
  readonly opensAt?: Date | undefined
}

/** Each scenario has its own bank, unless all share one; the runs of a property share one. */
export const createEmbeddedTarget = (
  profile: Profile,
  {
    faultsFor = () => ({}),
    socket = true,
    fresh = true,
    shared = true,
    deliver,
    seed,
    opensAt,
  }: EmbeddedOptions = {},
): Target => {
  const banks = new Map<string, Promise<OpenBank>>()
  const openFor = async (scenario: string): Promise<OpenBank> => {
    const circumstances = {
      ...faultsFor(scenario),
      ...(deliver && { deliver }),
      ...(seed !== undefined && { startAt: opensAt ?? openingOf(scenario, seed) }),
    }
    return socket ? openBank(circumstances) : openBankWithoutSocket(circumstances)
  }
  return {
    profile,
    fresh,
    shared,
    async open(scenario) {
      const name = fresh ? scenario : ''
      const opened = banks.get(name) ?? openFor(name)
      banks.set(name, opened)
      return (await opened).connection
    },
    async close() {
      const all = await Promise.all(banks.values())
      await Promise.all(all.map((residence) => residence.close()))
    },
  }
}
