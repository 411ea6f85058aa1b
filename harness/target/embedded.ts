import { Agent } from 'undici'
import { startBank } from '../bank/server.ts'
import { RESULT_SCREEN, residents } from '../bank/residents.ts'
import { recorder } from '../evidence/recorder.ts'
import type { Defect, Variation } from '../bank/defect.ts'
import type { ProfileInput, Profile } from '../profile/schema.ts'
import type { TargetClock } from '../session/session.ts'
import type { RunningBank } from '../bank/server.ts'
import type { Target } from './target.ts'

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

const virtualClock = ({ bank }: RunningBank): TargetClock => ({
  kind: 'virtual',
  now: () => bank.clock.now(),
  async advance(ms) {
    await bank.clock.advance(ms)
  },
})

/** @param faultsFor what is wrong or different about the bank that a scenario visits. */
export const createEmbeddedTarget = (
  profile: Profile,
  faultsFor: (scenario: string) => Faults = () => ({}),
): Target => ({
  profile,
  fresh: true,
  async open(scenario) {
    const running = await startBank(faultsFor(scenario))
    const agent = new Agent()
    return {
      baseUrl: running.url,
      dispatcher: agent.compose(recorder),
      clock: virtualClock(running),
      async close() {
        await agent.destroy()
        await running.close()
      },
    }
  },
  close: async () => undefined,
})
