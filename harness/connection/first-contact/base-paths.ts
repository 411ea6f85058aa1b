import { addressOf } from '../../profile/operations.ts'
import { headerOf, renderFault, type Exchange, type ReceivedResponse } from '../../evidence/exchange.ts'
import { heldEnvironments, otherThan, type Environment } from '../../profile/environment.ts'
import { findingOf, type Finding, type Findings } from './finding.ts'
import type { ExaminedTarget } from './examination.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Http } from '../../session/http/http.ts'

/**
 * Where the interface answers: the addresses of a profile that are asked without a token, and what their answers say. A run,
 * the doctor and `init` ask them.
 */

export interface BasePath {
  /** An address without a token: base path and path. */
  readonly path: string
  readonly key: string
  /** The environment, if it is the one that is not judged. */
  readonly other?: Environment
}

/** An id in paths that does not exist. */
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const withUnknownId = (path: string): string => path.replaceAll(/\{[\w-]+\}/g, UNKNOWN_ID)

export const firstBasePath = (profile: Profile): BasePath => ({
  path: addressOf(profile, 'operations.listAccounts'),
  key: `basePaths.${profile.environment}`,
})

export const furtherBasePaths = (profile: Profile) => {
  const { environment, secondVariant, payments, loans } = profile
  return {
    secondVariant: secondVariant && {
      path: addressOf(profile, 'secondVariant.listAccounts'),
      key: `secondVariant.basePaths.${environment}`,
    },
    payments: payments && {
      path: withUnknownId(addressOf(profile, 'payments.status')),
      key: `payments.basePaths.${environment}`,
    },
    loans: loans && {
      path: withUnknownId(addressOf(profile, 'loans.status', 'sandbox')),
      key: 'loans.basePath',
    },
  } satisfies Readonly<Record<string, BasePath | undefined>>
}

const ofOtherEnvironment = (profile: Profile): readonly BasePath[] => {
  const other = otherThan(profile.environment)
  if (!profile.allow[other].includes('read')) return []
  return [{ path: addressOf(profile, 'operations.listAccounts', other), key: `basePaths.${other}`, other }]
}

/** A request without a token. */
export const ask = (
  http: Http,
  baseUrl: string,
  { path, other }: Pick<BasePath, 'path' | 'other'>,
): Promise<Exchange> =>
  http.send({
    operation: 'probe',
    sender: 'probe',
    method: 'GET',
    url: baseUrl + path,
    headers: [],
    ...(other !== undefined && { environment: other }),
  })

/** Every base path of the profile but the first one. */
export const examineBasePaths = (
  { target: { profile, baseUrl } }: { readonly target: ExaminedTarget },
  http: Http,
): Promise<Findings> => {
  const further = Object.values(furtherBasePaths(profile)).filter((one) => one !== undefined)
  return Promise.all(
    [...ofOtherEnvironment(profile), ...further].map(async (basePath) =>
      inContext(judgeBasePath(await ask(http, baseUrl, basePath), basePath.key), basePath, profile),
    ),
  )
}

const typeOf = ({ headers }: ReceivedResponse): string => headerOf(headers, 'content-type') ?? ''

/**
 * Whether nothing is at an address, or only a redirect, which no request follows.
 * @param key the key of the profile that the address comes from.
 */
export const judgeAddress = ({ request, response }: Exchange, key: string): Finding | undefined => {
  if (response === undefined) return undefined
  const { status, headers } = response
  const sent = `${request.method} ${request.url.replace(/\?.*$/s, '')} (${key}) answers ${status}`
  if (status === 404) return findingOf('TGT-PATH-2', { cause: `${sent}.` })
  if (status < 300 || status >= 400) return undefined
  const location = (headerOf(headers, 'location') ?? 'no address').replace(/\?.*$/s, '?…')
  return findingOf('TGT-PATH-4', { cause: `${sent} and redirects to ${location}.` })
}

/**
 * Whether an interface answers at the base path. A request without a token may be refused in any way, except by an HTML page, by a
 * redirect, or because nothing is there.
 */
export const judgeBasePath = (exchange: Exchange, key: string): Finding => {
  const { request, response, fault } = exchange
  const sent = `GET ${request.url} (${key})`
  if (response === undefined)
    return findingOf('TGT-HTTP-5', {
      cause: `${sent}: ${fault === undefined ? 'no answer' : renderFault(fault)}.`,
    })
  const { status } = response
  const isUnknownId = status === 404 && request.url.includes(UNKNOWN_ID)
  // A gateway answers 404 in its own form for an unknown path; an interface that answers 404 in JSON knows the path.
  if (isUnknownId && /\bjson\b/i.test(typeOf(response)))
    return findingOf('TGT-PATH-1', { cause: `${sent} answers 404, in JSON: there is nothing with this id.` })
  const problem = judgeAddress(exchange, key)
  if (problem !== undefined) return isUnknownId ? { ...problem, level: 'warning' } : problem
  if (/\b(text\/html|application\/xhtml)/i.test(typeOf(response))) {
    const details = { cause: `${sent} answers ${status} with an HTML page.` }
    // The interface does not show the form of a refusal: a bank may refuse with a page.
    const mayBeRefusal = status >= 400 && status < 500
    return findingOf('TGT-PATH-3', mayBeRefusal ? { ...details, level: 'notice' } : details)
  }
  return findingOf(status >= 500 ? 'TGT-HTTP-4' : 'TGT-PATH-1', { cause: `${sent} answers ${status}.` })
}

const inContext = (finding: Finding, { key, other }: BasePath, profile: Profile): Finding => {
  const { cause, level } = finding
  // This request has no credentials, and a bank that checks signatures first may answer it otherwise than a signed one.
  if (key.startsWith('payments.') && profile.payments?.signature !== undefined)
    return {
      ...finding,
      cause: `${cause} It was sent without credentials, and not signed by \`payments.signature\`: --day sends signed requests.`,
    }
  if (other === undefined || level === 'ok' || level === 'notice') return finding
  // The other environment is optional, unless the profile says that its credentials are valid there.
  const isExpected = heldEnvironments(profile).includes(other)
  return findingOf('TGT-PATH-5', isExpected ? { cause, level: 'warning' } : { cause })
}
