import { randomUUID } from 'node:crypto'
import { renderFault, type Exchange } from '../../evidence/exchange.ts'
import { NotReached } from '../../evidence/signals.ts'
import { ask, furtherBasePaths } from '../../connection/first-contact/base-paths.ts'
import { openTargetHttp } from '../../connection/target-http.ts'
import { basePathOf, isAuthorized, withDefaults, type PartialAnswers } from './answers.ts'
import { draftProfile } from './profile-input.ts'

/** Probes which of the default paths answer at a base URL. It sends only GET requests, without a token. */

/** Whether an interface answers at a path: `unclear` if a random path gets the same answer. */
type Presence = 'present' | 'absent' | 'unclear'

export type Probe = { readonly reached: false; readonly reason: string } | Reached

interface Reached extends Readonly<Record<keyof typeof OFFERS, Presence>> {
  readonly reached: true
  /** The first candidate at which the account interface answers; `/` for no base path. */
  readonly basePath?: string
  /** At the given base path, or the default one. */
  readonly firstVariant: Presence
}

/** Common base paths of account interfaces, which are tried after the profile's default. */
const CANDIDATES = {
  sandbox: ['/sandbox', '/premium', '/api/sandbox', '/api', '/'],
  production: ['/', '/premium', '/production', '/api'],
} as const

/** Options for the requests of this command. No exchange is recorded. */
export const REQUESTS = { scenario: 'init', secrets: [], requestMs: 10_000 }

/** @throws the reason of `ends` when it is aborted. */
export const probeBank = async (given: PartialAnswers, ends: AbortSignal): Promise<Probe> => {
  const all = { payments: true, loans: true, testHooks: true, accountsVariant: 'both' } as const
  const answers = withDefaults({ ...given, ...all })
  const { profile } = draftProfile(answers)
  const { environment, baseUrl } = answers
  const candidates = [...new Set([basePathOf(answers) || '/', ...CANDIDATES[environment]])]
  const { http, close } = openTargetHttp({ ...REQUESTS, profile, baseUrl, signal: ends })
  try {
    const control = await ask(http, baseUrl, { path: `/${randomUUID()}` })
    ends.throwIfAborted()
    if (control.fault !== undefined && control.fault.status === undefined)
      return { reached: false, reason: renderFault(control.fault) }
    const presenceAt = async (path = '/'): Promise<Presence> => {
      const exchange = await ask(http, baseUrl, { path }).catch(undefinedIfNotSent)
      return exchange === undefined ? 'unclear' : presenceFrom(exchange, control)
    }
    const { listAccounts } = profile.operations
    const found = await Promise.all(
      candidates.map((candidate) => presenceAt(candidate.replace(/\/$/, '') + listAccounts.path)),
    )
    const further = furtherBasePaths(profile)
    const [secondVariant, payments, loans, testHooks] = await Promise.all([
      presenceAt(further.secondVariant?.path),
      presenceAt(further.payments?.path),
      presenceAt(further.loans?.path),
      presenceAt(profile.testHooks.readClock?.url),
    ])
    ends.throwIfAborted()
    const basePath = candidates[found.indexOf('present')]
    return {
      reached: true,
      ...(basePath !== undefined && { basePath }),
      firstVariant: found[0] ?? 'unclear',
      secondVariant,
      payments,
      loans,
      testHooks,
    }
  } finally {
    await close()
  }
}

/** A request to a path that the profile assigns to production is not sent. */
const undefinedIfNotSent = (error: unknown): undefined => {
  if (!(error instanceof NotReached)) throw error
}

/** An interface refuses a request without a token in another way than a request to a random path. */
const presenceFrom = ({ response }: Exchange, control: Exchange): Presence => {
  if (response === undefined || response.status >= 500) return 'unclear'
  if (response.status === control.response?.status) return response.status === 404 ? 'absent' : 'unclear'
  if (response.status === 404 || response.status === 410) return 'absent'
  return response.status >= 300 && response.status < 400 ? 'unclear' : 'present'
}

export const fillFromProbe = (given: PartialAnswers, probe: Probe) => {
  if (!probe.reached) return { given, lines: [`Nothing answers at ${given.baseUrl ?? ''}: ${probe.reason}`] }
  if (!isAuthorized(withDefaults(given))) return { given, lines: [] }
  const { basePath, firstVariant, secondVariant } = probe
  const isOther = basePath !== undefined && firstVariant !== 'present' && given.basePath === undefined
  const others = firstVariant === 'absent' && basePath === undefined ? 'second' : 'both'
  const filled: PartialAnswers = {
    ...given,
    ...(isOther && { basePath }),
    accountsVariant: given.accountsVariant ?? (secondVariant === 'present' ? others : 'first'),
  }
  return { given: filled, lines: [basePathLine(given, probe), ...offerLines(filled, probe)] }
}

const basePathLine = (given: PartialAnswers, { basePath, firstVariant }: Reached): string => {
  const answers = `GET …/v1/accounts answers at the base path ${basePath ?? '/'}`
  if (firstVariant === 'present') return `${answers} and requires a token.`
  if (basePath === undefined)
    return 'GET …/v1/accounts does not answer as an account interface at any common base path: see basePaths and operations.'
  return given.basePath === undefined
    ? `${answers} and requires a token: the profile uses it.`
    : `${answers} and not at ${given.basePath}: see basePaths.`
}

/** What may answer besides the first accounts variant, with the options that add it. */
export const OFFERS = {
  secondVariant: 'the second accounts variant (--accounts-variant both)',
  payments: 'payments (--debtor and --creditor)',
  loans: 'instalment loans (--loans)',
  testHooks: 'the test hooks of the reference bank (--test-hooks)',
} as const

const offerLines = (given: PartialAnswers, probe: Reached): readonly string[] => {
  const { accountsVariant, payments = given.debtor } = given
  const chosen = { ...given, payments, secondVariant: accountsVariant !== 'first' || undefined }
  return (['secondVariant', 'payments', 'loans', 'testHooks'] as const)
    .filter((key) => probe[key] === 'present' && chosen[key] === undefined)
    .map((key) => `The bank also answers at the paths of ${OFFERS[key]}: not checked without these options.`)
}
