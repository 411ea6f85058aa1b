import { inPlace } from '../../profile/schema/places.ts'
import { renderFault, type Exchange } from '../../evidence/exchange.ts'
import {
  anywhere,
  fieldOf,
  isAccepted,
  jsonOf,
  responseOf,
  type Landing,
} from '../../evidence/record/answer.ts'
import { isAuthorizing, recipeOf, type PageRecipe } from '../../profile/schema/authorization.ts'
import { createVariants } from '../../session/accounts/variants.ts'
import { createTokenOwners } from '../../session/token-owners.ts'
import { createApplication, type Application } from '../../session/application.ts'
import { allOf, firstOf, pageOf, textOfPage, type Page } from '../../session/authorization/page-navigation.ts'
import { isLoginPage, MOST_REFUSALS } from '../../session/authorization/login-guard.ts'
import { openAuthorizationDriver } from '../../session/authorization/open-driver.ts'
import { createVerifier } from '../../session/invented-values.ts'
import { chance } from '../../session/random.ts'
import { findingOf, type Finding, type Findings } from '../../connection/first-contact/finding.ts'
import type { ApplicationProfile, Profile } from '../../profile/schema.ts'
import type { Http } from '../../session/http/http.ts'
import type { Examination, ExaminedTarget } from '../../connection/first-contact/examination.ts'

/**
 * Examines whether the authorize page accepts each registered redirect URI, and whether the recipe of `authorization`
 * recognises the first page. It does not log in.
 */

/** A selector that matches no element, so that the authorization ends at its first page. */
const NO_ELEMENT = 'no-such-element'

const MOST_REDIRECTS = 20

/** The profile with a recipe that only opens the first page. */
const stoppingAtFirstPage = (profile: Profile): Profile => {
  const { code = NO_ELEMENT, limit = MOST_REDIRECTS } = recipeOf(profile.authorization) ?? {}
  const page = { when: NO_ELEMENT, fill: {}, press: NO_ELEMENT }
  // One word of the element is enough, since an element of the code on the first page is reported as such.
  return { ...profile, authorization: { kind: 'pages', pages: [page], code, codePattern: '\\S+', limit } }
}

interface RedirectSubject {
  readonly owner: ApplicationProfile
  /** The key of the application in the profile. */
  readonly key: string
  readonly consentId: string | undefined
  readonly createApplication: (profile: Profile) => Application
}

/** RFC 2606 reserves the top-level domain .invalid, so that this URI cannot be registered. */
const UNREGISTERED = 'https://not-registered.invalid/callback'

const examineRedirects = async (
  profile: Profile,
  http: Http,
  { owner, key, consentId, createApplication }: RedirectSubject,
): Promise<Findings> => {
  const { authorization, scopes } = profile
  if (!isAuthorizing(authorization)) return []
  const application = createApplication(stoppingAtFirstPage(profile))
  const purpose = consentId === undefined ? { scope: scopes.accounts } : { consentId }
  const authorize = (redirectUri: string): Promise<Landing> =>
    application.authorize({ redirectUri, ...purpose })
  // Sequential, since a bank may keep the state of an authorization in one cookie.
  const findings: Finding[] = []
  let firstPage: Landing | undefined
  for (const [index, { uri }] of owner.redirectUris.entries()) {
    const landing = await authorize(uri)
    findings.push(judgeLanding(landing, uri, `${key}.redirectUris.${index}.uri`))
    if (isRedirectAccepted(landing)) firstPage ??= landing
  }
  if (firstPage === undefined) return findings
  // In a real browser scripts may change the page, so that only a recipe of kind pages can be compared.
  if (authorization.kind === 'pages') findings.push(...examineRecipe(firstPage, authorization, http))
  if (isRedirectAccepted(await authorize(UNREGISTERED)))
    findings.push(
      findingOf('TGT-URI-2', {
        cause: `${owner.name}: ${UNREGISTERED} is answered like a registered redirect URI.`,
      }),
    )
  return findings
}

/** Whether the bank answered with the first page of an authorization. */
const isRedirectAccepted = ({ outcome, exchange }: Landing): boolean =>
  (outcome === 'page' || outcome === 'result-screen') && responseOf(exchange).status < 400

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')

const judgeLanding = ({ exchange, outcome, redirect }: Landing, uri: string, key: string): Finding => {
  if (outcome === 'fault') {
    const why = exchange.fault === undefined ? 'no answer' : renderFault(exchange.fault)
    return findingOf('TGT-HTTP-5', { cause: `The authorization with ${uri}: ${why}.` })
  }
  if (redirect !== undefined) return judgeRedirect(redirect, uri)
  const { status } = responseOf(exchange)
  const cause = `${uri} (\`${key}\`): the page answers ${status}.`
  if (status === 404) {
    const address = withoutQuery(exchange.request.url)
    return findingOf('TGT-PATH-2', { cause: `${address} (\`operations.authorize.path\`) answers 404.` })
  }
  if (status >= 500) return findingOf('TGT-HTTP-4', { cause })
  if (status < 400) return findingOf('TGT-URI-1', { cause })
  const next = `Write \`${key}\` exactly as it is registered, or register it at the target.`
  return findingOf('CFG-URI-1', { cause, next, shows: [textOf(exchange)] })
}

const judgeRedirect = (redirect: string, uri: string): Finding => {
  const { origin, searchParams } = new URL(redirect)
  if (withoutQuery(redirect) !== withoutQuery(uri)) {
    const cause = `The authorization continues at ${origin}, to which no request is sent.`
    return findingOf('TGT-PAGE-4', { cause })
  }
  const error = searchParams.get('error')
  if (error === null)
    return findingOf('TGT-URI-1', { cause: `${uri}: the browser is redirected to it at once.` })
  const description = searchParams.get('error_description')
  const cause = `${uri} is called with the error ${error}${description === null ? '' : `: ${description}`}.`
  return findingOf('TGT-URI-3', { cause })
}

const textOf = (exchange: Exchange): string => {
  const text = textOfPage(exchange)
  return text === '' ? 'The page has no text.' : `The page says: ${text}`
}

const MOST_ELEMENTS = 12

/** The elements that a selector could match. Their values are not shown. */
const elementsOf = (page: Page): readonly string[] =>
  allOf(page, 'input, button, select, textarea')
    .slice(0, MOST_ELEMENTS)
    .map(({ name: tag, attribs }) => {
      const shown = ['type', 'name', 'id'].flatMap((name) => {
        const value = attribs[name]
        return value === undefined ? [] : [`[${name}=${value}]`]
      })
      return tag + shown.join('')
    })

const examineRecipe = ({ exchange }: Landing, recipe: PageRecipe, { origins }: Http): Findings => {
  const page = pageOf(exchange.response?.body.text ?? '')
  const findings = [recipeFinding(page, exchange, recipe)]
  if (firstOf(page, recipe.code) !== undefined) {
    const cause = `${recipe.code} (\`authorization.code\`) matches an element of this page, whose text would be used as the code.`
    findings.push(findingOf('TGT-PAGE-3', { cause }))
  }
  const action = firstOf(page, 'form')?.attribs['action'] ?? ''
  const { url } = exchange.request
  if (URL.canParse(action, url) && !origins.includes(new URL(action, url).origin)) {
    const cause = `Its form is sent to ${new URL(action, url).origin}, to which no request is sent.`
    findings.push(findingOf('TGT-PAGE-4', { cause }))
  }
  return findings
}

const recipeFinding = (page: Page, exchange: Exchange, { pages }: PageRecipe): Finding => {
  const index = pages.findIndex(({ when }) => firstOf(page, when) !== undefined)
  const found = pages[index]
  if (found !== undefined)
    return findingOf('TGT-PAGE-1', {
      cause: `\`authorization.pages.${index}\` matches it with ${found.when}.`,
    })
  const elements = elementsOf(page)
  return findingOf('TGT-PAGE-2', {
    cause: `None of the ${pages.length} pages of \`authorization.pages\` matches it with its \`when\`.`,
    shows: elements.length === 0 ? [textOf(exchange)] : elements,
  })
}

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
  return [...announceLogins(profile), ...(await Promise.all(examined)).flat()]
}

/** The examination does not log in; a run does. */
const announceLogins = ({ authorization, customers }: Profile): Findings => {
  if (recipeOf(authorization)?.pages.some(isLoginPage) !== true) return []
  const names = customers.map(({ name }) => name).join(', ')
  const cause = `Customers: ${names}. After ${MOST_REFUSALS} refused logins of a customer in a row, a run sends no further one; one scenario sends wrong passwords on purpose, no more than two in a row.`
  return [findingOf('CFG-LOGIN-1', { cause })]
}

const createFor = (
  { profile, baseUrl }: ExaminedTarget,
  http: Http,
  owner: ApplicationProfile,
): Application =>
  createApplication(owner, {
    profile,
    baseUrl,
    http,
    driver: openAuthorizationDriver(profile),
    accountBase: baseUrl + profile.basePaths[profile.environment],
    accounts: createVariants({
      profile,
      baseUrl,
      http,
      random: chance,
      hasNoAccount: createTokenOwners(profile).hasNoAccount,
    }),
    customer: profile.customers[0],
  })

/** @param key the key of the application in the profile. */
const examineApplication = async (
  target: ExaminedTarget,
  http: Http,
  owner: ApplicationProfile,
  key: string,
): Promise<Findings> => {
  const application = createFor(target, http, owner)
  const { findings, consentId, isRefused } = await examineCredentials(target.profile, application, key)
  if (isRefused || (owner.kind === 'TPP' && consentId === undefined)) {
    const last = findings.at(-1)
    const because = last === undefined ? 'there is no consent' : `of ${last.code} (${last.title})`
    const cause = `Redirect URIs of ${owner.name}: left out, because ${because}.`
    return [...findings, findingOf('OWN-LEFT-1', { cause })]
  }
  const redirects = await examineRedirects(target.profile, http, {
    key,
    owner,
    consentId,
    createApplication: (profile) => createFor({ ...target, profile }, http, owner),
  })
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
  const exchanged = await exchangeUnknownCode(profile, application, key)
  if (exchanged.isRefused) return exchanged
  const status = created.response?.status ?? created.fault?.message ?? 'nothing'
  const cause = `${application.profile.name}: POST ${profile.operations.createConsent.path} answers ${status}, without a consentId.`
  return { findings: [...exchanged.findings, findingOf('TGT-CRED-3', { cause })], isRefused: false }
}

const judgeConsent = (
  { response }: Exchange,
  { operations }: Profile,
  { profile: { name } }: Application,
): Findings => {
  const status = response?.status ?? 0
  const accepted = findingOf('TGT-CRED-1', { cause: `${name}: a consent is created (${status}).` })
  const { success } = operations.createConsent
  if (success.includes(status)) return [accepted]
  const cause = `\`operations.createConsent.success\` has ${success.join(', ')}; the answer with a consentId has ${status}.`
  return [accepted, findingOf('TGT-BIND-2', { cause })]
}

/** Errors about the code: a server validates it only after the client's credentials (RFC 6749 §5.2). */
const ABOUT_THE_CODE = /^(invalid_grant|invalid_code|invalid_redirect_uri|invalid_scope|unauthorized_client)$/

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
  const json = response === undefined ? undefined : jsonOf(exchange)
  const error = fieldOf(json, errorCode)
  const answer = [response?.status ?? fault?.message, typeof error === 'string' ? error : ''].join(' ').trim()
  const cause = `${application.profile.name}: the token endpoint answers a code that was never issued with ${answer}.`
  const isAboutCode = ABOUT_THE_CODE.test(String(error))
  if (error === 'invalid_client' || (response?.status === 401 && !isAboutCode)) {
    const next = `Correct \`${key}.clientId\` and \`${key}.clientSecret\`, or those in \`${key}.environments.${profile.environment}\`; check that they are those of ${profile.environment}.`
    return { findings: [findingOf('CFG-CRED-1', { cause, next })], isRefused: true }
  }
  if (isAboutCode) return { findings: [findingOf('TGT-CRED-1', { cause })], isRefused: false }
  const shows = response === undefined || error !== undefined ? [] : fieldsOf(json)
  const missing =
    shows.length === 0 ? '' : ` \`operations.token.errorCode\` is ${errorCode}, which is not in the answer.`
  return { findings: [findingOf('TGT-CRED-2', { cause: cause + missing, shows })], isRefused: false }
}

/** Examines whether imported tokens are accepted, and whether the list of accounts fits the profile. */
export const examineTokens = async ({ target }: Examination, http: Http): Promise<Findings> => {
  const { profile } = target
  const { authorization, applications } = profile
  if (authorization.kind !== 'tokens') return []
  const examined = authorization.tokens.map(async ({ application: name, accessToken, variant }, index) => {
    const owner = applications.find((each) => each.name === name)
    if (owner === undefined) return []
    const exchange = await createFor(target, http, owner).for(variant).listAccounts(accessToken)
    const findings = judgeList(exchange, profile, `authorization.tokens.${index}`)
    // The fields of the second variant are other ones.
    return variant === 'first' ? findings : findings.slice(0, 1)
  })
  return (await Promise.all(examined)).flat()
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
const DEEPEST = 4

/** The paths of the fields of an answer, without their values. */
const fieldsOf = (json: unknown): readonly string[] => fieldsBelow(json, '').slice(0, MOST_FIELDS)

const fieldsBelow = (json: unknown, path: string): readonly string[] => {
  if (typeof json !== 'object' || json === null || path.split('.').length > DEEPEST) return []
  if (Array.isArray(json)) return fieldsBelow(json[0], `${path}[]`)
  return Object.entries(json).flatMap(([key, inner]) => {
    const innerPath = path === '' ? key : `${path}.${key}`
    return [innerPath, ...fieldsBelow(inner, innerPath)]
  })
}
