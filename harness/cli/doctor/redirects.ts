import { load } from 'cheerio/slim'
import { renderFault } from '../../evidence/fault.ts'
import { responseOf } from '../../evidence/record/answer.ts'
import { isAuthorizing, recipeOf } from '../../profile/schema/authorization.ts'
import { allOf, firstOf, pageOf } from '../../session/authorization/html-page.ts'
import { findingOf } from '../../target/first-contact/finding.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Landing } from '../../evidence/record/landing.ts'
import type { PageRecipe } from '../../profile/schema/authorization.ts'
import type { ApplicationProfile, Profile } from '../../profile/schema.ts'
import type { Application } from '../../session/application.ts'
import type { Page } from '../../session/authorization/html-page.ts'
import type { Http } from '../../session/http/http.ts'
import type { Finding, Findings } from '../../target/first-contact/finding.ts'

/**
 * Whether the authorize page accepts each registered redirect URI, and whether the recipe of `authorization` (what is
 * typed and pressed on the bank's pages) recognises the first page. Nobody logs in.
 */

/** No page has such an element, so that the authorization ends at its first page. */
const NO_ELEMENT = 'no-such-element'

const MOST_REDIRECTS = 20

/** Whatever the profile says of the login, a program opens its first page. */
const stoppingAtFirstPage = (profile: Profile): Profile => {
  const { code = NO_ELEMENT, limit = MOST_REDIRECTS } = recipeOf(profile.authorization) ?? {}
  const page = { when: NO_ELEMENT, fill: {}, press: NO_ELEMENT }
  return { ...profile, authorization: { kind: 'pages', pages: [page], code, limit } }
}

export interface RedirectSubject {
  readonly owner: ApplicationProfile
  /** Of the application in the profile. */
  readonly key: string
  readonly consentId: string | undefined
  readonly createApplication: (profile: Profile) => Application
}

/** RFC 2606 reserves this name, so that nobody can have registered it. */
const UNREGISTERED = 'https://not-registered.invalid/callback'

export const examineRedirects = async (
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
  // One after the other: a bank may recognise the browser of its customer by one cookie.
  const findings: Finding[] = []
  let firstPage: Landing | undefined
  for (const [index, { uri }] of owner.redirectUris.entries()) {
    const landing = await authorize(uri)
    findings.push(judgeLanding(landing, uri, `${key}.redirectUris.${index}.uri`))
    if (isAccepted(landing)) firstPage ??= landing
  }
  if (firstPage === undefined) return findings
  // A real browser may change the page that was sent, so that only a recipe for plain pages can be compared with it.
  if (authorization.kind === 'pages') findings.push(...examineRecipe(firstPage, authorization, http))
  if (isAccepted(await authorize(UNREGISTERED)))
    findings.push(
      findingOf('TGT-URI-2', { cause: `${owner.name}: ${UNREGISTERED} is answered like a registered one.` }),
    )
  return findings
}

/** Whether the first page of an authorization came. */
const isAccepted = ({ outcome, exchange }: Landing): boolean =>
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
    const cause = `The authorization continues at ${origin}, which nothing is sent to.`
    return findingOf('TGT-PAGE-4', { cause })
  }
  const error = searchParams.get('error')
  if (error === null) return findingOf('TGT-URI-1', { cause: `${uri}: the browser is sent there at once.` })
  const description = searchParams.get('error_description')
  const cause = `${uri} is called with the error ${error}${description === null ? '' : `: ${description}`}.`
  return findingOf('TGT-URI-3', { cause })
}

const LONGEST_TEXT = 160

/** The first words of a page. */
const textOf = ({ response }: Exchange): string => {
  const $ = load(response?.body.text ?? '')
  $('script, style, head').remove()
  const text = $.root().text().replaceAll(/\s+/g, ' ').trim()
  return text === '' ? 'The page has no text.' : `The page says: ${text.slice(0, LONGEST_TEXT)}`
}

const MOST_ELEMENTS = 12

/** The elements that a selector could name. Their values are not shown. */
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
  const findings = [recognised(page, exchange, recipe)]
  if (firstOf(page, recipe.code) !== undefined) {
    const cause = `${recipe.code} (\`authorization.code\`) is found on it, so that it is taken for the code.`
    findings.push(findingOf('TGT-PAGE-3', { cause }))
  }
  const action = firstOf(page, 'form')?.attribs['action'] ?? ''
  const { url } = exchange.request
  if (URL.canParse(action, url) && !origins.includes(new URL(action, url).origin)) {
    const cause = `Its form is sent to ${new URL(action, url).origin}, which nothing is sent to.`
    findings.push(findingOf('TGT-PAGE-4', { cause }))
  }
  return findings
}

const recognised = (page: Page, exchange: Exchange, { pages }: PageRecipe): Finding => {
  const index = pages.findIndex(({ when }) => firstOf(page, when) !== undefined)
  const found = pages[index]
  if (found !== undefined)
    return findingOf('TGT-PAGE-1', { cause: `\`authorization.pages.${index}\` finds ${found.when} there.` })
  const elements = elementsOf(page)
  return findingOf('TGT-PAGE-2', {
    cause: `None of the ${pages.length} pages of \`authorization.pages\` finds its \`when\` there.`,
    shows: elements.length === 0 ? [textOf(exchange)] : elements,
  })
}
