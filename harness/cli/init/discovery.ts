import { randomUUID } from 'node:crypto'
import { renderFault, type Exchange } from '../../evidence/exchange.ts'
import { NotReached } from '../../evidence/signals.ts'
import { openTargetHttp } from '../../target/target-http.ts'
import { basePathOf, completed, DEFAULTS, defaultBasePaths } from './answers.ts'
import { draftProfile } from './problems.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Http } from '../../session/http/http.ts'
import type { Environment, Given, Variant } from './answers.ts'

/** Looks which of the usual paths answer at a base URL. Nothing is sent but requests that read, without any token. */

/** What a path says of itself: `unclear` where a path that nobody can know is answered in the same way. */
type Sign = 'there' | 'absent' | 'unclear'

export type Look =
  | { readonly reached: false; readonly because: string }
  | {
      readonly reached: true
      /** Of those that were tried, the first at which the account interface answers; `/` for none. */
      readonly basePath?: string
      readonly usualBasePath: Sign
      readonly secondVariant: Sign
      readonly payments: Sign
      readonly loans: Sign
    }

/** Where documentation puts account interfaces, behind what the profile takes for usual. */
const CANDIDATES: Readonly<Record<Environment, readonly string[]>> = {
  sandbox: ['/sandbox', '/premium', '/api/sandbox', '/api', '/'],
  production: ['/', '/premium', '/production', '/api'],
}

/** How the bank is asked while its profile is written: a person waits, and nothing is kept. */
export const REQUESTS = { scenario: 'init', secrets: [], requestMs: 10_000 }

/** @throws the reason of `ends`, once that is aborted. */
export const lookAround = async (given: Given, ends: AbortSignal): Promise<Look> => {
  const answers = completed({ ...given, payments: true, loans: true, variant: 'both' })
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
      return { reached: false, because: renderFault(control.fault) }
    const signs = async (paths: readonly string[]): Promise<readonly Sign[]> => {
      const exchanges = await Promise.all(paths.map((path) => ask(path).catch(unsent)))
      return exchanges.map((exchange) => (exchange === undefined ? 'unclear' : signOf(exchange, control)))
    }
    const { listAccounts } = profile.operations
    const found = await signs(candidates.map((candidate) => candidate.replace(/\/$/, '') + listAccounts.path))
    const [secondVariant = 'unclear', payments = 'unclear', loans = 'unclear'] = await signs(
      furtherPaths(profile),
    )
    ends.throwIfAborted()
    const basePath = candidates[found.indexOf('there')]
    const [usualBasePath = 'unclear'] = found
    return {
      reached: true,
      ...(basePath !== undefined && { basePath }),
      ...{ usualBasePath, secondVariant, payments, loans },
    }
  } finally {
    await close()
  }
}

const get = (http: Http, url: string): Promise<Exchange> =>
  http.send({ operation: 'probe', sender: 'probe', method: 'GET', url, headers: [] })

/** A usual path of the sandbox may be one of production's: then it is not asked, and could be no base path either. */
const unsent = (error: unknown): undefined => {
  if (!(error instanceof NotReached)) throw error
}

/** Paths of the further interfaces that answer a GET. */
const furtherPaths = (profile: Profile): readonly string[] => {
  const { environment, secondVariant, payments, loans } = profile
  const nobody = randomUUID()
  return [
    `${secondVariant?.basePaths[environment] ?? ''}${secondVariant?.listAccounts.path ?? '/'}`,
    `${payments?.basePaths[environment] ?? ''}${payments?.status.path ?? '/'}`,
    `${loans?.basePath ?? ''}${loans?.status.path ?? '/'}`,
  ].map((path) => path.replaceAll(/\{[\w-]+\}/g, nobody))
}

/** An interface that wants a token says so; a path that leads nowhere is answered as one that nobody can know. */
const signOf = ({ response }: Exchange, control: Exchange): Sign => {
  if (response === undefined || response.status >= 500) return 'unclear'
  if (response.status === control.response?.status) return response.status === 404 ? 'absent' : 'unclear'
  if (response.status === 404 || response.status === 410) return 'absent'
  return response.status >= 300 && response.status < 400 ? 'unclear' : 'there'
}

/** Whether the usual base path needs no mention: it answers, or nothing better does. */
export const isUsual = (path: string, environment: Environment): boolean =>
  (path === '/' ? '' : path) === defaultBasePaths()[environment]

/** What the bank itself tells of its profile, while it is written. */

export interface Told {
  readonly given: Given
  readonly lines: readonly string[]
}

/** Takes from a look what was not said. */
export const fillFrom = (given: Given, look: Look): Told => {
  if (!look.reached) return { given, lines: [`Nothing answers at ${given.baseUrl ?? ''}: ${look.because}`] }
  const { environment } = completed(given)
  const { basePath } = look
  const strange = basePath !== undefined && !isUsual(basePath, environment)
  const filled = {
    ...given,
    ...(given.basePath === undefined && strange && { basePath }),
    variant: given.variant ?? variantSeen(look),
  }
  return { given: filled, lines: [...aboutBasePath(given, look), ...aboutOffers(filled, look)] }
}

type Reached = Extract<Look, { reached: true }>

const aboutBasePath = (given: Given, { basePath, usualBasePath }: Reached): readonly string[] => {
  if (usualBasePath === 'there')
    return [`GET …/v1/accounts wants a token at the base path ${basePath ?? '/'}.`]
  if (basePath === undefined)
    return [
      'None of the usual base paths answers GET …/v1/accounts as accounts do: see basePaths and operations.',
    ]
  return given.basePath === undefined
    ? [`GET …/v1/accounts wants a token at the base path ${basePath}: it is taken.`]
    : [
        `GET …/v1/accounts wants a token at the base path ${basePath}, and not at ${given.basePath}: see basePaths.`,
      ]
}

const aboutOffers = (given: Given, { secondVariant, payments, loans }: Reached): readonly string[] => [
  ...(secondVariant === 'there' && given.variant === 'first'
    ? ['The second accounts variant answers too: --accounts-variant both has it judged.']
    : []),
  ...(payments === 'there' && given.payments === undefined && given.debtor === undefined
    ? ['Payments answer as well: --payments has them judged.']
    : []),
  ...(loans === 'there' && given.loans === undefined
    ? ['Instalment loans answer as well: --loans has them judged.']
    : []),
]

/** Whether an interface answers. */
export const showing = (look: Look | undefined, name: 'secondVariant' | 'payments' | 'loans'): boolean =>
  look?.reached === true && look[name] === 'there'

/** Of the two variants, those that answer; the first, where nothing can be told. */
export const variantSeen = (look: Look | undefined): Variant => {
  if (!showing(look, 'secondVariant')) return DEFAULTS.variant
  return look?.reached === true && look.basePath === undefined && look.usualBasePath === 'absent'
    ? 'second'
    : 'both'
}
