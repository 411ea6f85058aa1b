import { addressOf, type OperationKey } from '../profile/operations.ts'
import { applicationsIn } from '../profile/applications.ts'
import { testHooksIn } from '../profile/test-hooks.ts'
import { EFFECTS, type Effect } from '../evidence/exchange.ts'
import { otherThan, type Environment } from '../profile/environment.ts'
import { grantedVariants, oauthOf } from '../profile/oauth.ts'
import { sharedGrants } from './shared-grants.ts'
import { plural } from './lists.ts'
import { running, scenariosOf, sumOver, type Plan, type PlannedCheck } from './plan.ts'
import type { Profile } from '../profile/schema.ts'
import type { LoansProfile } from '../profile/schema/loans.ts'

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

const inScenarios = (count: number): string => `in ${plural(count, 'scenario')}`

const write = (method: string, address: string, count: string): Write => ({ method, address, count })

const consentWrites = ({ profile, environment, doing, authorizations, shared }: Acts): readonly Write[] => {
  const endpoints = grantedVariants(profile).map((variant) => oauthOf(profile, variant))
  const addresses = (endpoint: 'authorize' | 'token'): readonly string[] => [
    ...new Set(endpoints.map((oauth) => addressOf(profile, oauth[endpoint], environment))),
  ]
  const asking = EFFECTS.slice(EFFECTS.indexOf('consent') + 1).flatMap(doing)
  const own = doing('consent').length + asking.filter((check) => check.authorizations > 0).length
  if (own === 0 && authorizations + shared === 0) return []
  const count = inScenarios(own) + (shared > 0 ? `, and for ${shared} shared grants` : '')
  return [
    ...(applicationsIn(profile, environment).some(({ kind }) => kind === 'TPP')
      ? [write('POST', addressOf(profile, 'operations.createConsent', environment), count)]
      : []),
    ...addresses('authorize').map((address, at) =>
      write('GET', address, at === 0 ? `${authorizations + shared} by a customer` : 'of these'),
    ),
    ...addresses('token').map((address, at) => write('POST', address, at === 0 ? count : 'of these')),
  ]
}

const notifyWrites = ({ profile, environment, doing }: Acts): readonly Write[] => {
  const { configureWebhook: hook } = testHooksIn(profile)
  const notifying = doing('notify')
  const settings = notifying.filter(({ awaitsWebhooks }) => awaitsWebhooks === true).length
  const refresh = () => addressOf(profile, 'operations.refresh', environment)
  return [
    ...(notifying.length === 0 ? [] : [write('PUT', refresh(), inScenarios(notifying.length))]),
    ...(hook === undefined || settings === 0 ? [] : [write(hook.method, hook.url, inScenarios(settings))]),
  ]
}

const loanWrites = ({ profile, environment, doing, runs }: Acts): readonly Write[] => {
  const { loans } = profile
  const applying = doing('apply')
  if (loans === undefined || environment === 'production' || applying.length === 0) return []
  const submitted = sumOver(applying, runs, (check) => check.loans?.submitted ?? 0)
  const upTo = `${submitted} at most`
  return [
    write('POST', addressOf(profile, 'loans.submission', environment), `${submitted} applications`),
    ...selectionWrites(loans, () => addressOf(profile, 'loans.scenario', environment), upTo),
    write('DELETE', addressOf(profile, 'loans.cancellation', environment), upTo),
  ]
}

/** @param addressOfCall of the operation, which only a call has. */
const selectionWrites = (
  { scenario }: LoansProfile,
  addressOfCall: () => string,
  upTo: string,
): readonly Write[] => {
  if (scenario.kind === 'parameter') return []
  const { kind, link } = scenario
  if (kind === 'page') return [write('POST', `the pages in \`${link}\` of its answer`, upTo)]
  const method = scenario.methodIn === undefined ? scenario.method : 'the method and'
  const place = link === undefined ? addressOfCall() : `the address in the answer to the submission (${link})`
  return [write(method, place, upTo)]
}

const paymentWrites = ({ profile, environment, doing, runs }: Acts): readonly Write[] => {
  const { payments } = profile
  const paying = doing('pay').filter(({ payments: each }) => each !== undefined)
  if (payments === undefined || paying.length === 0) return []
  const sum = (key: 'initiated' | 'submitted'): number =>
    sumOver(paying, runs, (check) => check.payments?.[key] ?? 0)
  const at = (key: OperationKey): string => addressOf(profile, key, environment)
  // A scenario that pays in both environments has one number for the two.
  const most = paying.some(({ effect, elsewhere }) => effect === 'pay' && elsewhere === 'pay')
    ? ' at most'
    : ''
  return [
    ...(payments.authentication === 'bearer'
      ? [write('POST', at('payments.token'), inScenarios(paying.length))]
      : []),
    ...payments.initiations.map((_, index) =>
      write(
        'POST',
        at(`payments.initiations.${index}`),
        index === 0 ? `${sum('initiated')} payments${most}, these and those below` : 'of these',
      ),
    ),
    write(
      'GET',
      payments.approval === undefined
        ? at('payments.authorize')
        : `the address in the answer to the initiation (${payments.approval.link})`,
      'before a submission',
    ),
    write('POST', at('payments.submission'), `${sum('submitted')} submissions${most}`),
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
      : [write(hook.method, hook.url, `testHooks.${name}, if a scenario needs it`)],
  )
}

const addressed = (address: string, baseUrl: string | undefined): string => {
  if (/^(https?:|the )/i.test(address)) return address
  return `${baseUrl ?? '(embedded)'}${address.startsWith('/') ? '' : '/'}${address}`
}

/** One line for each kind of write, grouped by environment; empty if nothing is written. */
export const writeLines = (
  plan: Pick<Plan, 'checks' | 'runs'>,
  { profile, baseUrl }: WrittenTarget,
): readonly string[] => {
  const { runs } = plan
  const scenarios = scenariosOf(running(plan))
  const here = profile.environment
  const lines = [here, otherThan(here)].flatMap((environment) => {
    const effectIn = ({ effect, elsewhere }: PlannedCheck): Effect | undefined =>
      environment === here ? effect : elsewhere
    const acting = scenarios.filter((check) => effectIn(check) !== undefined)
    const acts: Acts = {
      profile,
      environment,
      runs,
      doing: (effect) => acting.filter((check) => effectIn(check) === effect),
      authorizations: sumOver(acting, runs, (check) => check.authorizations),
      shared: environment === here ? sharedGrants(acting).length : 0,
    }
    return [consentWrites, notifyWrites, loanWrites, paymentWrites]
      .flatMap((writesOf) => writesOf(acts))
      .map((one) => ({ ...one, environment }))
  })
  const hooks = scenarios.length === 0 ? [] : testHookWrites({ profile })
  const all = [...lines, ...hooks.map((one) => ({ ...one, environment: here }))].map((one) => ({
    ...one,
    address: addressed(one.address, baseUrl),
  }))
  const width = Math.max(...all.map(({ address }) => address.length))
  return all.map(
    ({ environment, method, address, count }) =>
      `  ${environment.padEnd(10)} ${method.padEnd(6)} ${address.padEnd(width)}  ${count}`,
  )
}
