import { randomUUID } from 'node:crypto'
import { isIndexPage } from '../../bank/page-layout.ts'
import { renderFault, type Exchange } from '../../evidence/exchange.ts'
import { NotReached } from '../../evidence/signals.ts'
import { openTargetHttp } from '../../connection/target-http.ts'
import { basePathOf, withDefaults, DEFAULTS, defaultBasePaths } from './answers.ts'
import { draftProfile } from './problems.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Http } from '../../session/http/http.ts'
import type { Environment, PartialAnswers, Variant } from './answers.ts'

/** Probes which of the default paths answer at a base URL. It sends only GET requests, without a token. */

/** Whether an interface answers at a path: `unclear` if a random path gets the same answer. */
type Presence = 'present' | 'absent' | 'unclear'

export type Probe =
  | { readonly reached: false; readonly reason: string }
  | {
      readonly reached: true
      /** The first candidate at which the account interface answers; `/` for no base path. */
      readonly basePath?: string
      readonly defaultBasePath: Presence
      readonly secondVariant: Presence
      readonly payments: Presence
      readonly loans: Presence
      /** Whether it is a reference bank, whose accounts are known. */
      readonly isReferenceBank: boolean
    }

/** Common base paths of account interfaces, which are tried after the profile's default. */
const CANDIDATES: Readonly<Record<Environment, readonly string[]>> = {
  sandbox: ['/sandbox', '/premium', '/api/sandbox', '/api', '/'],
  production: ['/', '/premium', '/production', '/api'],
}

/** Options for the requests of this command. No exchange is recorded. */
export const REQUESTS = { scenario: 'init', secrets: [], requestMs: 10_000 }

/** @throws the reason of `ends` when it is aborted. */
export const probeBank = async (given: PartialAnswers, ends: AbortSignal): Promise<Probe> => {
  const answers = withDefaults({ ...given, payments: true, loans: true, variant: 'both' })
  const { profile } = draftProfile(answers)
  const { environment, baseUrl } = answers
  const usual = basePathOf(answers)
  const candidates = [...new Set([usual || '/', ...CANDIDATES[environment]])]
  const { http, close } = openTargetHttp({ ...REQUESTS, profile, baseUrl, signal: ends })
  const ask = (path: string): Promise<Exchange> => get(http, baseUrl + path)
  try {
    const control = await ask(`/${randomUUID()}`)
    ends.throwIfAborted()
    if (control.fault !== undefined && control.fault.status === undefined)
      return { reached: false, reason: renderFault(control.fault) }
    const presences = async (paths: readonly string[]): Promise<readonly Presence[]> => {
      const exchanges = await Promise.all(paths.map((path) => ask(path).catch(undefinedIfNotSent)))
      return exchanges.map((exchange) =>
        exchange === undefined ? 'unclear' : presenceFrom(exchange, control),
      )
    }
    const { listAccounts } = profile.operations
    const found = await presences(
      candidates.map((candidate) => candidate.replace(/\/$/, '') + listAccounts.path),
    )
    const [secondVariant = 'unclear', payments = 'unclear', loans = 'unclear'] = await presences(
      furtherPaths(profile),
    )
    const index = await ask('/').catch(undefinedIfNotSent)
    ends.throwIfAborted()
    const basePath = candidates[found.indexOf('present')]
    const [defaultBasePath = 'unclear'] = found
    return {
      reached: true,
      ...(basePath !== undefined && { basePath }),
      defaultBasePath,
      secondVariant,
      payments,
      loans,
      isReferenceBank: isIndexPage(index?.response?.body.text ?? ''),
    }
  } finally {
    await close()
  }
}

const get = (http: Http, url: string): Promise<Exchange> =>
  http.send({ operation: 'probe', sender: 'probe', method: 'GET', url, headers: [] })

/** A request to a path that the profile assigns to production is not sent. */
const undefinedIfNotSent = (error: unknown): undefined => {
  if (!(error instanceof NotReached)) throw error
}

/** A path with GET of each further interface. */
const furtherPaths = (profile: Profile): readonly string[] => {
  const { environment, secondVariant, payments, loans } = profile
  const randomId = randomUUID()
  return [
    `${secondVariant?.basePaths[environment] ?? ''}${secondVariant?.listAccounts.path ?? '/'}`,
    `${payments?.basePaths[environment] ?? ''}${payments?.status.path ?? '/'}`,
    `${loans?.basePath ?? ''}${loans?.status.path ?? '/'}`,
  ].map((path) => path.replaceAll(/\{[\w-]+\}/g, randomId))
}

/** An interface refuses a request without a token in another way than a request to a random path. */
const presenceFrom = ({ response }: Exchange, control: Exchange): Presence => {
  if (response === undefined || response.status >= 500) return 'unclear'
  if (response.status === control.response?.status) return response.status === 404 ? 'absent' : 'unclear'
  if (response.status === 404 || response.status === 410) return 'absent'
  return response.status >= 300 && response.status < 400 ? 'unclear' : 'present'
}

/** Whether this is the default base path of the environment. */
export const isDefaultBasePath = (path: string, environment: Environment): boolean =>
  (path === '/' ? '' : path) === defaultBasePaths()[environment]

/** The answers that the probe of the bank supplies. */

export interface FilledAnswers {
  readonly given: PartialAnswers
  readonly lines: readonly string[]
}

/** Completes the given answers from the result of the probe. */
export const fillFromProbe = (given: PartialAnswers, probe: Probe): FilledAnswers => {
  if (!probe.reached) return { given, lines: [`Nothing answers at ${given.baseUrl ?? ''}: ${probe.reason}`] }
  const { environment } = withDefaults(given)
  const { basePath } = probe
  const isOtherPath = basePath !== undefined && !isDefaultBasePath(basePath, environment)
  const filled = {
    ...given,
    ...(given.basePath === undefined && isOtherPath && { basePath }),
    variant: given.variant ?? offeredVariant(probe),
  }
  return { given: filled, lines: [...basePathLines(given, probe), ...offerLines(filled, probe)] }
}

type Reached = Extract<Probe, { reached: true }>

const basePathLines = (given: PartialAnswers, { basePath, defaultBasePath }: Reached): readonly string[] => {
  if (defaultBasePath === 'present')
    return [`GET …/v1/accounts answers at the base path ${basePath ?? '/'} and requires a token.`]
  if (basePath === undefined)
    return [
      'GET …/v1/accounts does not answer as an account interface at any common base path: see basePaths and operations.',
    ]
  return given.basePath === undefined
    ? [`GET …/v1/accounts answers at the base path ${basePath} and requires a token: the profile uses it.`]
    : [`GET …/v1/accounts answers at the base path ${basePath} and not at ${given.basePath}: see basePaths.`]
}

const offerLines = (
  given: PartialAnswers,
  { secondVariant, payments, loans }: Reached,
): readonly string[] => [
  ...(secondVariant === 'present' && given.variant === 'first'
    ? ['The second accounts variant answers too: add --accounts-variant both to check it.']
    : []),
  ...(payments === 'present' && given.payments === undefined && given.debtor === undefined
    ? ['Payments answer too: add --payments to check them.']
    : []),
  ...(loans === 'present' && given.loans === undefined
    ? ['Instalment loans answer too: add --loans to check them.']
    : []),
]

/** Whether the probe found the interface. */
export const isOffered = (probe: Probe | undefined, name: 'secondVariant' | 'payments' | 'loans'): boolean =>
  probe?.reached === true && probe[name] === 'present'

/** The accounts variants that answer; the first if the probe found none. */
export const offeredVariant = (probe: Probe | undefined): Variant => {
  if (!isOffered(probe, 'secondVariant')) return DEFAULTS.variant
  return probe?.reached === true && probe.basePath === undefined && probe.defaultBasePath === 'absent'
    ? 'second'
    : 'both'
}
