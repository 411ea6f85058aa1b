import { fieldOf, jsonOf, isAccepted, anywhere } from '../session/answer.ts'
import { createVerifier } from '../session/pkce.ts'
import { chance } from '../session/random.ts'
import { applicationFor } from './asking.ts'
import { find } from './finding.ts'
import { keysIn } from './fields.ts'
import { examineRedirects } from './redirects.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Application } from '../session/application.ts'
import type { Http } from '../session/http.ts'
import type { Named } from './asking.ts'
import type { Findings, Visit } from './patient.ts'

/** Whether the credentials of each application hold, as far as the interface tells it without a customer. */

export const examineClients = async (visit: Visit, http: Http): Promise<Findings> => {
  const { profile } = visit.patient
  if (!profile.allow[profile.environment].includes('consent')) {
    const cause = `Credentials, redirect URIs and the recipe are left out: \`allow.${profile.environment}\` lacks consent.`
    return [find('OWN-LEFT-1', { cause, next: 'Allow the effect consent, or let a run tell.' })]
  }
  const examined = profile.applications.map((each, at) =>
    examineClient(visit, http, { profile: each, key: `applications.${at}` }),
  )
  return (await Promise.all(examined)).flat()
}

const examineClient = async (visit: Visit, http: Http, named: Named): Promise<Findings> => {
  const application = applicationFor(visit, http, named.profile)
  const { findings, consentId, isRefused } = await examineCredentials(visit, application, named)
  const canAsk = named.profile.kind === 'FAC' || consentId !== undefined
  if (isRefused || !canAsk) {
    const last = findings.at(-1)
    const because = last === undefined ? 'no consent is there' : `of ${last.code} (${last.title})`
    const cause = `Redirect URIs of ${named.profile.name}: left out, because ${because}.`
    return [...findings, find('OWN-LEFT-1', { cause })]
  }
  return [...findings, ...(await examineRedirects(visit, http, { ...named, consentId }))]
}

interface Examined {
  readonly findings: Findings
  readonly isRefused: boolean
  readonly consentId?: string
}

/** A TPP creates a consent; a FAC, and a TPP that came to none, exchanges a code that nobody was ever given. */
const examineCredentials = async (
  visit: Visit,
  application: Application,
  named: Named,
): Promise<Examined> => {
  const { profile } = visit.patient
  if (application.kind === 'FAC')
    return judgeExchange(await exchangeNothing(application, profile.scopes.accounts), profile, named)
  const created = await application.createConsent()
  const [consentId] = created.response === undefined ? [] : anywhere(jsonOf(created), 'consentId')
  if (typeof consentId === 'string' && isAccepted(created))
    return { findings: consented(created, profile, named), isRefused: false, consentId }
  const { findings, isRefused } = judgeExchange(
    await exchangeNothing(application, profile.scopes.accounts),
    profile,
    named,
  )
  if (isRefused) return { findings, isRefused }
  const status = created.response?.status ?? created.fault?.message ?? 'nothing'
  const cause = `${application.profile.name}: POST ${profile.operations.createConsent.path} answers ${status}, without a consentId.`
  return { findings: [...findings, find('TGT-CRED-3', { cause })], isRefused }
}

const exchangeNothing = (application: Application, scope: string): Promise<Exchange> =>
  application.exchangeCode({
    code: chance.uuid(),
    verifier: createVerifier(),
    redirectUri: application.redirectUri(() => true),
    scope,
  })

const consented = (created: Exchange, { operations }: Profile, { profile }: Named): Findings => {
  const status = created.response?.status ?? 0
  const held = find('TGT-CRED-1', { cause: `${profile.name}: a consent is created (${status}).` })
  const { success } = operations.createConsent
  if (success.includes(status)) return [held]
  const cause = `\`operations.createConsent.success\` has ${success.join(', ')}; the answer with a consentId has ${status}.`
  return [held, find('TGT-BIND-2', { cause })]
}

/** A code is looked at once the client is known (RFC 6749 §5.2). */
const ABOUT_THE_CODE = /^(invalid_grant|invalid_code|invalid_redirect_uri|invalid_scope|unauthorized_client)$/

/** An error that stands under another name is not read. */
const unnamed = (keys: readonly string[], { operations }: Profile): string =>
  keys.length === 0
    ? ''
    : ` \`operations.token.errorCode\` names ${operations.token.errorCode}, which it lacks.`

const judgeExchange = (exchange: Exchange, profile: Profile, { profile: { name }, key }: Named): Examined => {
  const status = exchange.response?.status
  const error =
    exchange.response === undefined
      ? undefined
      : fieldOf(jsonOf(exchange), profile.operations.token.errorCode)
  const said = `${String(status ?? exchange.fault?.message)}${typeof error === 'string' ? ` ${error}` : ''}`
  const cause = `${name}: the token endpoint answers a code that nobody was given with ${said}.`
  if (error === 'invalid_client' || (status === 401 && !ABOUT_THE_CODE.test(String(error)))) {
    const next = `Correct \`${key}.clientId\` and \`${key}.clientSecret\`; do they belong to ${profile.environment}?`
    return { findings: [find('CFG-CRED-1', { cause, next })], isRefused: true }
  }
  if (ABOUT_THE_CODE.test(String(error)))
    return { findings: [find('TGT-CRED-1', { cause })], isRefused: false }
  const shows = exchange.response === undefined || error !== undefined ? [] : keysIn(jsonOf(exchange))
  return {
    findings: [find('TGT-CRED-2', { cause: cause + unnamed(shows, profile), shows })],
    isRefused: false,
  }
}
