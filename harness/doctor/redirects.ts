import { responseOf } from '../session/answer.ts'
import { renderFault } from '../evidence/fault.ts'
import { applicationFor } from './asking.ts'
import { find } from './finding.ts'
import { examineRecipe, textOf } from './recipe.ts'
import type { Profile } from '../profile/schema.ts'
import type { Http } from '../session/http.ts'
import type { Landing } from '../session/landing.ts'
import type { Named } from './asking.ts'
import type { Finding } from './finding.ts'
import type { Findings, Visit } from './patient.ts'

/** Whether the authorize page takes each registered redirect URI. Nobody logs in. */

/** No page has it: the customer acts on nothing, so that the walk ends at the first page. */
const NO_ELEMENT = 'no-such-element'

const actingOnNothing = (profile: Profile): Profile => {
  const { authorization } = profile
  if (authorization.kind !== 'pages') return profile
  const pages: typeof authorization.pages = [{ when: NO_ELEMENT, fill: {}, press: NO_ELEMENT }]
  return { ...profile, authorization: { ...authorization, pages } }
}

interface Asking extends Named {
  readonly consentId?: string | undefined
}

/** RFC 2606 keeps this name from everybody. */
const NOBODYS = 'https://not-registered.invalid/callback'

export const examineRedirects = async (visit: Visit, http: Http, asking: Asking): Promise<Findings> => {
  const { profile } = visit.patient
  const { authorization } = profile
  if (authorization.kind !== 'pages') return []
  const patient = { ...visit.patient, profile: actingOnNothing(profile) }
  const application = applicationFor({ ...visit, patient }, http, asking.profile)
  const land = (redirectUri: string): Promise<Landing> =>
    application.authorize({
      redirectUri,
      ...(asking.consentId === undefined
        ? { scope: profile.scopes.accounts }
        : { consentId: asking.consentId }),
    })
  // One after the other: a bank may know its customer's browser by one cookie.
  const findings: Finding[] = []
  let page: Landing | undefined
  for (const [at, { uri }] of asking.profile.redirectUris.entries()) {
    const landing = await land(uri)
    findings.push(judgeLanding(landing, { uri, key: `${asking.key}.redirectUris.${at}.uri`, http }))
    if (isTaken(landing)) page ??= landing
  }
  if (page === undefined) return findings
  const stranger = await land(NOBODYS)
  const alike = find('TGT-URI-2', {
    cause: `${asking.profile.name}: ${NOBODYS} is answered like a registered one.`,
  })
  return [...findings, ...examineRecipe(page, authorization, http), ...(isTaken(stranger) ? [alike] : [])]
}

/** The first page of an authorization that has begun. */
const isTaken = ({ outcome, exchange }: Landing): boolean =>
  (outcome === 'page' || outcome === 'result-screen') && responseOf(exchange).status < 400

interface Registered {
  readonly uri: string
  readonly key: string
  readonly http: Http
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')

const judgeLanding = (landing: Landing, { uri, key }: Registered): Finding => {
  const { exchange, outcome, redirect } = landing
  if (outcome === 'fault') {
    const why = exchange.fault === undefined ? 'no answer' : renderFault(exchange.fault)
    return find('TGT-HTTP-5', { cause: `The authorization with ${uri}: ${why}.` })
  }
  if (redirect !== undefined) return judgeRedirect(redirect, uri)
  const { status } = responseOf(exchange)
  const cause = `${uri} (\`${key}\`): the page answers ${status}.`
  if (status === 404)
    return find('TGT-PATH-2', {
      cause: `${withoutQuery(exchange.request.url)} (\`operations.authorize.path\`) answers 404.`,
    })
  if (status >= 500) return find('TGT-HTTP-4', { cause })
  if (status < 400) return find('TGT-URI-1', { cause })
  const next = `Write \`${key}\` as it is registered, to the letter, or register it at the target.`
  return find('CFG-URI-1', { cause, next, shows: [textOf(exchange)] })
}

const judgeRedirect = (redirect: string, uri: string): Finding => {
  const { origin, searchParams } = new URL(redirect)
  if (withoutQuery(redirect) !== withoutQuery(uri))
    return find('TGT-PAGE-4', { cause: `The authorization goes on at ${origin}, which nothing is sent to.` })
  const error = searchParams.get('error')
  if (error === null) return find('TGT-URI-1', { cause: `${uri}: the browser is sent there at once.` })
  const description = searchParams.get('error_description')
  return find('TGT-URI-3', {
    cause: `${uri} is called with the error ${error}${description === null ? '' : `: ${description}`}.`,
  })
}
