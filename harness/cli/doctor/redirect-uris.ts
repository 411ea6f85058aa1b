import { findingOf, type Findings, type Finding } from '../../connection/first-contact/finding.ts'
import { judgeAddress } from '../../connection/first-contact/base-paths.ts'
import { renderFault, type Exchange } from '../../evidence/exchange.ts'
import { responseOf, type RedirectResult } from '../../evidence/record/answer.ts'
import { isAboutScope } from '../../profile/mismatch/requests.ts'
import { recipeOf, isAuthorizing, type PageRecipe } from '../../profile/schema/authorization.ts'
import { textOfPage, allOf, pageOf, firstOf, type Page } from '../../session/authorization/html-page.ts'
import type { Profile, ApplicationProfile } from '../../profile/schema.ts'
import type { Application } from '../../session/application.ts'
import type { Http } from '../../session/http/http.ts'

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
  const recipe = { pages: [page], code, codePattern: '\\S+', limit, reloadMs: 0 }
  return { ...profile, authorization: { kind: 'pages', ...recipe } }
}

interface RedirectSubject {
  readonly owner: ApplicationProfile
  readonly key: string
  readonly consentId: string | undefined
  readonly applicationIn: (profile: Profile) => Application
}

/** RFC 2606 reserves the top-level domain .invalid, so that this URI cannot be registered. */
const UNREGISTERED = 'https://not-registered.invalid/callback'

export const examineRedirects = async (
  profile: Profile,
  http: Http,
  { owner, key, consentId, applicationIn }: RedirectSubject,
): Promise<Findings> => {
  const { authorization, scopes } = profile
  if (!isAuthorizing(authorization)) return []
  const application = applicationIn(stoppingAtFirstPage(profile))
  const purpose = consentId === undefined ? { scope: scopes.accounts } : { consentId }
  const authorize = (redirectUri: string): Promise<RedirectResult> =>
    application.authorize({ redirectUri, ...purpose })
  // Sequential, since a bank may keep the state of an authorization in one cookie.
  const findings: Finding[] = []
  let firstPage: RedirectResult | undefined
  for (const [index, { uri }] of owner.redirectUris.entries()) {
    const redirectResult = await authorize(uri)
    findings.push(judgeRedirectResult(redirectResult, uri, `${key}.redirectUris.${index}.uri`))
    if (isRedirectAccepted(redirectResult)) firstPage ??= redirectResult
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
const isRedirectAccepted = ({ outcome, exchange }: RedirectResult): boolean =>
  (outcome === 'page' || outcome === 'result-screen') && responseOf(exchange).status < 400

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')

const judgeRedirectResult = (
  { exchange, outcome, redirect }: RedirectResult,
  uri: string,
  key: string,
): Finding => {
  if (outcome === 'fault') {
    const why = exchange.fault === undefined ? 'no answer' : renderFault(exchange.fault)
    return findingOf('TGT-HTTP-5', { cause: `The authorization with ${uri}: ${why}.` })
  }
  if (redirect !== undefined) return judgeRedirect(redirect, uri)
  const { status } = responseOf(exchange)
  const cause = `${uri} (\`${key}\`): the page answers ${status}.`
  const nowhere = judgeAddress(exchange, '`operations.authorize.path`')
  if (nowhere !== undefined) return nowhere
  if (status >= 500) return findingOf('TGT-HTTP-4', { cause })
  if (status < 400) return findingOf('TGT-URI-1', { cause })
  if (isAboutScope(exchange)) return findingOf('TGT-URI-3', { cause, shows: [textOf(exchange)] })
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

const examineRecipe = ({ exchange }: RedirectResult, recipe: PageRecipe, { origins }: Http): Findings => {
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
