import { openTargetSession } from '../../connection/target-http.ts'
import { applicationsIn } from '../../profile/applications.ts'
import { inPlace } from '../../profile/schema/places.ts'
import { anywhere, fieldOf, isAccepted, jsonOf } from '../../evidence/record/answer.ts'
import { leavesOf, pathOf } from '../../profile/mismatch/kinds.ts'
import { isAboutCode, isUnknownClient } from '../../profile/mismatch/requests.ts'
import { createVerifier } from '../../session/pkce.ts'
import { chance } from '../../session/random.ts'
import { findingOf, type Findings } from '../../connection/first-contact/finding.ts'
import { judgeAddress } from '../../connection/first-contact/base-paths.ts'
import { examineRedirects } from './redirect-uris.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ApplicationProfile, Profile } from '../../profile/schema.ts'
import type { Application } from '../../session/application.ts'
import type { Http } from '../../session/http/http.ts'
import type { Examination, ExaminedTarget } from '../../connection/first-contact/examination.ts'

/** Examines whether the credentials of each application and imported tokens are accepted, without a customer. */

export const examineApplications = async ({ target }: Examination, http: Http): Promise<Findings> => {
  const { profile } = target
  if (!profile.allow[profile.environment].includes('consent')) {
    const cause = `Credentials, redirect URIs and the recipe are left out: \`allow.${profile.environment}\` lacks consent.`
    const next = 'Allow the effect consent, or start a run.'
    return [findingOf('OWN-LEFT-1', { cause, next })]
  }
  const examined = profile.applications.flatMap((registered, index) => {
    const application = inPlace(registered, profile.environment)
    const key = `applications.${index}`
    return application === undefined ? [] : [examineApplication(target, http, application, key)]
  })
  return (await Promise.all(examined)).flat()
}

const examineApplication = async (
  target: ExaminedTarget,
  http: Http,
  owner: ApplicationProfile,
  key: string,
): Promise<Findings> => {
  const { profile, baseUrl } = target
  const applicationIn = (changed: Profile): Application =>
    openTargetSession({ profile: changed, baseUrl, http }).applicationOf(owner.kind, owner.name)
  const application = applicationIn(profile)
  const { findings, consentId, isRefused } = await examineCredentials(profile, application, key)
  if (isRefused || (owner.kind === 'TPP' && consentId === undefined)) {
    const last = findings.at(-1)
    const because = last === undefined ? 'there is no consent' : `of ${last.code} (${last.title})`
    const cause = `Redirect URIs of ${owner.name}: left out, because ${because}.`
    return [...findings, findingOf('OWN-LEFT-1', { cause })]
  }
  const redirects = await examineRedirects(profile, http, { key, owner, consentId, applicationIn })
  return [...findings, ...redirects]
}

interface ExaminedCredentials {
  readonly findings: Findings
  readonly isRefused: boolean
  readonly consentId?: string
}

/** A TPP creates a consent. A FAC, or a TPP without a consent, exchanges a code that was never issued. */
const examineCredentials = async (
  profile: Profile,
  application: Application,
  key: string,
): Promise<ExaminedCredentials> => {
  if (application.kind === 'FAC') return exchangeUnknownCode(profile, application, key)
  const created = await application.createConsent()
  const [consentId] = created.response === undefined ? [] : anywhere(jsonOf(created), 'consentId')
  if (typeof consentId === 'string' && isAccepted(created))
    return { findings: judgeConsent(created, profile, application), isRefused: false, consentId }
  const nowhere = judgeAddress(created, 'operations.createConsent.path')
  const exchanged = await exchangeUnknownCode(profile, application, key)
  if (exchanged.isRefused) return exchanged
  if (nowhere !== undefined) return { findings: [...exchanged.findings, nowhere], isRefused: false }
  const status = created.response?.status ?? created.fault?.message ?? 'nothing'
  const cause = `${application.profile.name}: POST ${profile.operations.createConsent.path} answers ${status}, without a consentId.`
  return { findings: [...exchanged.findings, findingOf('TGT-CRED-3', { cause })], isRefused: false }
}

const knownClient = ({ formEncoded }: Exchange, cause: string) =>
  formEncoded
    ? findingOf('TGT-CRED-4', { cause: `${cause} As they are, client id and secret were refused.` })
    : findingOf('TGT-CRED-1', { cause })

const judgeConsent = (
  created: Exchange,
  { operations }: Profile,
  { profile: { name } }: Application,
): Findings => {
  const status = created.response?.status ?? 0
  const accepted = knownClient(created, `${name}: a consent is created (${status}).`)
  const { success } = operations.createConsent
  if (success.includes(status)) return [accepted]
  const cause = `\`operations.createConsent.success\` has ${success.join(', ')}; the answer with a consentId has ${status}.`
  return [accepted, findingOf('TGT-BIND-2', { cause })]
}

const exchangeUnknownCode = async (
  profile: Profile,
  application: Application,
  key: string,
): Promise<ExaminedCredentials> => {
  const { errorCode } = profile.operations.token
  const exchange = await application.exchangeCode({
    code: chance.uuid(),
    verifier: createVerifier(),
    redirectUri: application.redirectUri(() => true),
    scope: profile.scopes.accounts,
  })
  const { response, fault } = exchange
  const nowhere = judgeAddress(exchange, 'operations.token.path')
  if (nowhere !== undefined) return { findings: [nowhere], isRefused: false }
  const json = response === undefined ? undefined : jsonOf(exchange)
  const error = fieldOf(json, errorCode)
  const answer = [response?.status ?? fault?.message, typeof error === 'string' ? error : ''].join(' ').trim()
  const cause = `${application.profile.name}: the token endpoint answers a code that was never issued with ${answer}.`
  if (isUnknownClient(exchange, profile)) {
    const next = `Correct \`${key}.clientId\` and \`${key}.clientSecret\`, or those in \`${key}.environments.${profile.environment}\`; check that they are those of ${profile.environment}.`
    return { findings: [findingOf('CFG-CRED-1', { cause, next })], isRefused: true }
  }
  if (response !== undefined && isAboutCode(exchange, profile))
    return { findings: [knownClient(exchange, cause)], isRefused: false }
  const shows = response === undefined || error !== undefined ? [] : fieldsOf(json)
  const missing =
    shows.length === 0 ? '' : ` \`operations.token.errorCode\` is ${errorCode}, which is not in the answer.`
  return { findings: [findingOf('TGT-CRED-2', { cause: cause + missing, shows })], isRefused: false }
}

/** Examines whether imported tokens are accepted, and whether the list of accounts fits the profile. */
export const examineTokens = async ({ target }: Examination, http: Http): Promise<Findings> => {
  const { profile, baseUrl } = target
  const { authorization } = profile
  if (authorization.kind !== 'tokens') return []
  const session = openTargetSession({ profile, baseUrl, http })
  const examined = authorization.tokens.map(async ({ application: name, accessToken, variant }, index) => {
    const owner = applicationsIn(profile).find((each) => each.name === name)
    if (owner === undefined) return []
    const application = session.applicationOf(owner.kind, name)
    const exchange = await application.for(variant).listAccounts(accessToken)
    const part = variant === 'first' ? 'operations' : 'secondVariant'
    const nowhere = judgeAddress(exchange, `${part}.listAccounts.path`)
    if (nowhere !== undefined) return [nowhere]
    const findings = judgeList(exchange, profile, `authorization.tokens.${index}`)
    // The fields of the second variant are other ones.
    return variant === 'first' ? findings : findings.slice(0, 1)
  })
  const findings = (await Promise.all(examined)).flat()
  // Without any access, a run judges almost nothing.
  const level = findings.every(({ code }) => code === 'TGT-TOKEN-2') ? { level: 'error' as const } : {}
  return findings.map((finding) => ({ ...finding, ...level }))
}

const judgeList = (exchange: Exchange, profile: Profile, key: string): Findings => {
  const status = exchange.response?.status
  const cause = `The list of accounts answers ${status ?? exchange.fault?.message ?? 'nothing'} to \`${key}\`.`
  return status === undefined || !isAccepted(exchange)
    ? [findingOf('TGT-TOKEN-2', { cause })]
    : [findingOf('TGT-TOKEN-1', { cause }), judgeFields(jsonOf(exchange), status, profile)]
}

const judgeFields = (json: unknown, status: number, { operations: { listAccounts } }: Profile) => {
  const accounts: unknown = fieldOf(json, listAccounts.accounts)
  const list: readonly unknown[] = Array.isArray(accounts) ? accounts : []
  const problems: string[] = []
  if (!listAccounts.success.includes(status))
    problems.push(`\`operations.listAccounts.success\` lacks ${status}`)
  if (!Array.isArray(accounts))
    problems.push(
      `\`operations.listAccounts.accounts\` is ${listAccounts.accounts}, which is not a list here`,
    )
  if (!list.every((account) => typeof fieldOf(account, listAccounts.iban) === 'string'))
    problems.push(`\`operations.listAccounts.iban\` is ${listAccounts.iban}, which is missing in an account`)
  return problems.length === 0
    ? findingOf('TGT-BIND-1', { cause: 'The list of accounts fits `operations.listAccounts`.' })
    : findingOf('TGT-BIND-2', { cause: `${problems.join('; ')}.`, shows: fieldsOf(json) })
}

const MOST_FIELDS = 30

/** The paths of the fields of an answer, without their values. */
const fieldsOf = (json: unknown): readonly string[] =>
  [...new Set(leavesOf(json).slice(1).map(pathOf))].slice(0, MOST_FIELDS)
