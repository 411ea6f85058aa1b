import { Agent } from 'undici'
import { type Bank, type BankOptions, createBank } from '../bank/bank.ts'
import type { Defect, Dialect, Variation } from '../bank/defect.ts'
import { startBank } from '../bank/server.ts'
import { recorder } from '../evidence/recorder.ts'
import type { Profile } from '../profile/schema.ts'
import type { TargetClock } from '../session/clock.ts'
import { InProcessDispatcher } from './in-process.ts'
import type { Target, Visit } from './target.ts'

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
  const bank = createBank(circumstances)
  const { headerCase } = circumstances.variation?.server ?? {}
  const dispatcher = new InProcessDispatcher(bank.fetch, headerCase).compose(recorder)
  return {
    visit: { baseUrl: 'http://bank.example', dispatcher, clock: virtualClock(bank) },
    close: async () => undefined,
  }
}

export interface EmbeddedOptions {
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
