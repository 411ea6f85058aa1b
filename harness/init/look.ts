import { randomUUID } from 'node:crypto'
import { renderFault } from '../evidence/fault.ts'
import { basePathOf, defaultBasePaths } from './base-path.ts'
import { completed } from './given.ts'
import { draftProfile } from './problems.ts'
import { openVisit } from './visit.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Http } from '../session/http.ts'
import type { Environment } from './answers.ts'
import type { Given } from './given.ts'

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

/** @throws the reason of `ends`, once that is aborted. */
export const lookAround = async (given: Given, ends: AbortSignal): Promise<Look> => {
  const answers = completed({ ...given, payments: true, loans: true, variant: 'both' })
  const { profile } = draftProfile(answers)
  const { environment, baseUrl } = answers
  const usual = basePathOf(answers)
  const candidates = [...new Set([usual || '/', ...CANDIDATES[environment]])]
  const visit = openVisit(profile, baseUrl, ends)
  const ask = (path: string): Promise<Exchange> => get(visit.http, baseUrl + path)
  try {
    const control = await ask(`/${randomUUID()}`)
    ends.throwIfAborted()
    if (control.fault !== undefined && control.fault.status === undefined)
      return { reached: false, because: renderFault(control.fault) }
    const signs = async (paths: readonly string[]): Promise<readonly Sign[]> => {
      const exchanges = await Promise.all(paths.map(ask))
      return exchanges.map((exchange) => signOf(exchange, control))
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
    await visit.close()
  }
}

const get = (http: Http, url: string): Promise<Exchange> =>
  http.send({ operation: 'probe', sender: 'probe', method: 'GET', url, headers: [] })

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
