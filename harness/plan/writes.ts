import { addressOf } from '../profile/operations.ts'
import { applicationsIn } from '../profile/applications.ts'
import { testHooksIn } from '../profile/test-hooks.ts'
import { EFFECTS, type Effect } from '../evidence/exchange.ts'
import { otherThan, type Environment } from '../profile/environment.ts'
import { grantedVariants, oauthOf } from '../profile/oauth.ts'
import { sharedGrants } from './shared-grants.ts'
import { ownAuthorizations } from './select.ts'
import type { Profile } from '../profile/schema.ts'
import type { Plan, PlannedCheck } from './plan.ts'

/** The URL of each kind of write of a run, and the number of its requests. */

/** The target whose addresses are shown. */
export interface WrittenTarget {
  readonly profile: Profile
  /** Absent for the embedded reference bank, which has a new address for each scenario. */
  readonly baseUrl?: string | undefined
}

interface Write {
  readonly method: string
  /** Relative to the base URL, or an absolute URL. */
  readonly address: string
  readonly count: string
}

/** The scenarios of a run in one environment. */
interface Acts {
  readonly profile: Profile
  readonly environment: Environment
  /** The scenarios with this strongest effect there. */
  readonly doing: (effect: Effect) => readonly PlannedCheck[]
  readonly runs: number
  readonly authorizations: number
  /** Shared grants, which are created in the environment that is judged. */
  readonly shared: number
}

const scenarios = (count: number): string => `in ${count} ${count === 1 ? 'scenario' : 'scenarios'}`

const consentWrites = ({ profile, environment, doing, authorizations, shared }: Acts): readonly Write[] => {
  const endpoints = grantedVariants(profile).map((variant) => oauthOf(profile, variant))
  const addresses = (endpoint: 'authorize' | 'token'): readonly string[] => [
    ...new Set(endpoints.map((oauth) => addressOf(profile, oauth[endpoint], environment))),
  ]
  const asking = EFFECTS.slice(EFFECTS.indexOf('consent') + 1).flatMap(doing)
  const own = doing('consent').length + asking.filter((check) => check.authorizations > 0).length
  if (own === 0 && authorizations + shared === 0) return []
  const count = scenarios(own) + (shared > 0 ? `, and for ${shared} shared grants` : '')
  return [
    ...(applicationsIn(profile, environment).some(({ kind }) => kind === 'TPP')
      ? [{ method: 'POST', address: addressOf(profile, 'operations.createConsent', environment), count }]
      : []),
    ...addresses('authorize').map((address, at) => ({
      method: 'GET',
      address,
      count: at === 0 ? `${authorizations + shared} by a customer` : 'of these',
    })),
    ...addresses('token').map((address, at) => ({
      method: 'POST',
      address,
      count: at === 0 ? count : 'of these',
    })),
  ]
}

const notifyWrites = ({ profile, environment, doing }: Acts): readonly Write[] => {
  const testHooks = testHooksIn(profile)
  const notifying = doing('notify')
  const settings = notifying.filter(({ awaitsWebhooks }) => awaitsWebhooks === true).length
  return [
    ...(notifying.length === 0
      ? []
      : [
          {
            method: 'PUT',
            address: addressOf(profile, 'operations.refresh', environment),
            count: scenarios(notifying.length),
          },
        ]),
    ...(testHooks.configureWebhook === undefined || settings === 0
      ? []
      : [
          {
            method: testHooks.configureWebhook.method,
            address: testHooks.configureWebhook.url,
            count: scenarios(settings),
          },
        ]),
  ]
}

const loanWrites = ({ profile, environment, doing, runs }: Acts): readonly Write[] => {
  const { loans } = profile
  const applying = doing('apply')
  if (loans === undefined || environment === 'production' || applying.length === 0) return []
  const submitted = applying.reduce(
    (total, { loans: each, property }) => total + (each?.submitted ?? 0) * (property ? runs : 1),
    0,
  )
  const upTo = `${submitted} at most`
  const { scenario } = loans
  return [
    {
      method: 'POST',
      address: addressOf(profile, 'loans.submission', environment),
      count: `${submitted} applications`,
    },
    ...(scenario.kind === 'call'
      ? [
          {
            method: scenario.methodIn === undefined ? scenario.method : 'the method and',
            address:
              scenario.link === undefined
                ? addressOf(profile, 'loans.scenario', environment)
                : `the address in the answer to the submission (${scenario.link})`,
            count: upTo,
          },
        ]
      : []),
    ...(scenario.kind === 'page'
      ? [{ method: 'POST', address: `the pages in \`${scenario.link}\` of its answer`, count: upTo }]
      : []),
    { method: 'DELETE', address: addressOf(profile, 'loans.cancellation', environment), count: upTo },
  ]
}

const paymentWrites = ({ profile, environment, doing, runs }: Acts): readonly Write[] => {
  const { payments } = profile
  const paying = doing('pay').filter(({ payments: each }) => each !== undefined)
  if (payments === undefined || paying.length === 0) return []
  const sum = (key: 'initiated' | 'submitted'): number =>
    paying.reduce(
      (total, { payments: each, property }) => total + (each?.[key] ?? 0) * (property ? runs : 1),
      0,
    )
  // A scenario that pays in both environments has one number for the two.
  const most = paying.some(({ effect, elsewhere }) => effect === 'pay' && elsewhere === 'pay')
    ? ' at most'
    : ''
  return [
    ...(payments.authentication === 'bearer'
      ? [
          {
            method: 'POST',
            address: addressOf(profile, 'payments.token', environment),
            count: scenarios(paying.length),
          },
        ]
      : []),
    ...payments.initiations.map((_, at) => ({
      method: 'POST',
      address: addressOf(profile, `payments.initiations.${at}`, environment),
      count: at === 0 ? `${sum('initiated')} payments${most}, these and those below` : 'of these',
    })),
    {
      method: 'GET',
      address:
        payments.approval === undefined
          ? addressOf(profile, 'payments.authorize', environment)
          : `the address in the answer to the initiation (${payments.approval.link})`,
      count: 'before a submission',
    },
    {
      method: 'POST',
      address: addressOf(profile, 'payments.submission', environment),
      count: `${sum('submitted')} submissions${most}`,
    },
  ]
}

/** Test hooks that change the target; the number of calls depends on the answers. */
const testHookWrites = ({ profile }: Pick<Acts, 'profile'>): readonly Write[] => {
  const here = testHooksIn(profile)
  const ofLoans = profile.loans === undefined ? undefined : testHooksIn(profile, 'loans').advanceClock
  const hooks = [
    ...Object.entries(here),
    ...(ofLoans === undefined || ofLoans.url === here.advanceClock?.url
      ? []
      : [['advanceClock', ofLoans] as const]),
  ]
  return hooks.flatMap(([name, hook]) =>
    hook === undefined || hook.method === 'GET' || name === 'configureWebhook'
      ? []
      : [{ method: hook.method, address: hook.url, count: `testHooks.${name}, if a scenario needs it` }],
  )
}

const addressed = (address: string, baseUrl: string | undefined): string => {
  if (/^(https?:|the )/i.test(address)) return address
  return `${baseUrl ?? '(embedded)'}${address.startsWith('/') ? '' : '/'}${address}`
}

/** One line for each kind of write, grouped by environment; empty if nothing is written. */
export const writeLines = (
  { checks, runs }: Pick<Plan, 'checks' | 'runs'>,
  { profile, baseUrl }: WrittenTarget,
): readonly string[] => {
  const running = [
    ...new Map(
      checks.filter(({ heldBack }) => heldBack === undefined).map((check) => [check.scenario, check]),
    ).values(),
  ]
  const here = profile.environment
  const lines = [here, otherThan(here)].flatMap((environment) => {
    const effectIn = ({ effect, elsewhere }: PlannedCheck): Effect | undefined =>
      environment === here ? effect : elsewhere
    const acting = running.filter((check) => effectIn(check) !== undefined)
    const own = acting.reduce((total, check) => total + ownAuthorizations(check, runs), 0)
    const acts: Acts = {
      profile,
      environment,
      runs,
      doing: (effect) => acting.filter((check) => effectIn(check) === effect),
      authorizations: own,
      shared: environment === here ? sharedGrants(acting).length : 0,
    }
    const writes = [
      ...consentWrites(acts),
      ...notifyWrites(acts),
      ...loanWrites(acts),
      ...paymentWrites(acts),
    ]
    return writes.map((write) => ({ ...write, environment }))
  })
  const hooks = running.length === 0 ? [] : testHookWrites({ profile })
  const all = [...lines, ...hooks.map((write) => ({ ...write, environment: here }))].map((write) => ({
    ...write,
    address: addressed(write.address, baseUrl),
  }))
  const width = Math.max(...all.map(({ address }) => address.length))
  return all.map(
    ({ environment, method, address, count }) =>
      `  ${environment.padEnd(10)} ${method.padEnd(6)} ${address.padEnd(width)}  ${count}`,
  )
}
