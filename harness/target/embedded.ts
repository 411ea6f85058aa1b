import { Agent } from 'undici'
import { createBank } from '../bank/bank.ts'
import { startBank } from '../bank/server.ts'
import { RESULT_SCREEN, residents } from '../bank/residents.ts'
import { recorder } from '../evidence/recorder.ts'
import { InProcessDispatcher } from './in-process.ts'
import type { Bank } from '../bank/bank.ts'
import type { Defect, Variation } from '../bank/defect.ts'
import type { ProfileInput, Profile } from '../profile/schema.ts'
import type { TargetClock } from '../session/session.ts'
import type { Target, Visit } from './target.ts'

/** The reference bank in this process: a new one for each scenario, on a port of its own, with its own clock. */

type PagesInput = Extract<ProfileInput['authorization'], { kind: 'pages' }>

export interface Faults {
  readonly defect?: Defect
  readonly variation?: Variation
}

/** The bank's pages: login, decision, and whatever else may come before them. */
const PAGES: NonNullable<PagesInput['pages']> = [
  {
    when: 'input[name=username]',
    fill: { 'input[name=username]': '{username}', 'input[name=password]': '{password}' },
    press: 'button[type=submit]',
  },
  { when: 'button[value=grant]', press: 'button[value=grant]', refuse: 'button[value=deny]' },
  { when: 'form', press: 'button[type=submit]' },
]

/** What the owner of the reference bank would write into a profile. */
export const referenceProfile = (environment: 'sandbox' | 'production' = 'sandbox'): ProfileInput => ({
  name: 'Reference bank',
  environment,
  applications: residents.clients.map(({ name, kind, clientId, secret, redirectUris }) => ({
    name,
    kind,
    clientId,
    clientSecret: secret,
    redirectUris: redirectUris.map((uri) => ({
      uri,
      delivery: uri === RESULT_SCREEN ? ('result-screen' as const) : ('redirect' as const),
    })),
  })),
  customers: residents.customers.map(({ name, username, password }) => ({ name, username, password })),
  authorization: { kind: 'pages', pages: PAGES, code: '#code' },
  levers: {
    readClock: { method: 'GET', url: '/_levers/clock', result: 'now' },
    advanceClock: { url: '/_levers/clock/advance', body: { milliseconds: '{milliseconds}' }, result: 'now' },
    revokeToken: { url: '/_levers/tokens/revoke', body: { token: '{token}' } },
  },
})

const virtualClock = ({ clock }: Bank): TargetClock => ({
  kind: 'virtual',
  now: () => clock.now(),
  async advance(ms) {
    await clock.advance(ms)
  },
  async pass(ms) {
    await clock.advance(ms)
  },
})

/** A bank in use, and how it is left. */
interface Residence {
  readonly visit: Visit
  close(): Promise<void>
}

const settle = async (faults: Faults): Promise<Residence> => {
  const { url, bank, close } = await startBank(faults)
  const agent = new Agent()
  return {
    visit: { baseUrl: url, dispatcher: agent.compose(recorder), clock: virtualClock(bank) },
    async close() {
      await agent.destroy()
      await close()
    },
  }
}

const settleWithoutSocket = (faults: Faults): Residence => {
  const bank = createBank(faults)
  const dispatcher = new InProcessDispatcher(bank.fetch).compose(recorder)
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
}

/** Every scenario has a bank of its own, and the runs of a property share theirs. */
export const createEmbeddedTarget = (
  profile: Profile,
  { faultsFor = () => ({}), socket = true, shared = true }: EmbeddedOptions = {},
): Target => {
  const residences = new Map<string, Promise<Residence>>()
  const found = async (faults: Faults): Promise<Residence> =>
    socket ? settle(faults) : settleWithoutSocket(faults)
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
