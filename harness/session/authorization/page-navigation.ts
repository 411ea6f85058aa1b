import type { Exchange } from '../../evidence/exchange.ts'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { hasRefusal, type PageRecipe } from '../../profile/schema/authorization.ts'
import { Cookies } from '../http/cookies.ts'
import { encodeForm, FORM_HEADER, pageRequest, type Fields, type HttpRequest } from '../http/request.ts'
import {
  accountBoxes,
  fillIn,
  isAskedAgain,
  tickedOn,
  withoutBox,
  type Decision,
  type Progress,
} from './customer-acts.ts'
import {
  allOf,
  fieldsOf,
  fillControl,
  firstOf,
  formOf,
  locationIn,
  orUndefinedIfTooDeep,
  pageIn,
  refuseLargePage,
  repeatsRequest,
  resolve,
  setChosen,
  tick,
  type Page,
} from './html-page.ts'
import { addressOfRefresh, codesIn, refreshOf, shownCode, wholeCode } from './shown-codes.ts'
import type { RedirectResult } from '../../evidence/record/answer.ts'
import type { RegisteredUri } from '../../profile/redirect-uris.ts'
import type { AccountProfile, CustomerProfile } from '../../profile/schema.ts'
import type { Http } from '../http/http.ts'

/**
 * Goes through the bank's pages over HTTP as a customer would: follows redirects, logs in, grants or denies, reads
 * the code.
 */

export interface Navigation {
  readonly http: Http
  readonly recipe: PageRecipe
  readonly customer: CustomerProfile
  readonly decision: Decision
  /** The known accounts, of which those with `consented` are shared; left out where no account is asked for. */
  readonly accounts?: readonly AccountProfile[]
  /** The redirect URI of the application; a redirect there is the end. A page flow without one has `NO_REDIRECT_URI`. */
  readonly redirectUri: string
  /** All that the applications have registered. */
  readonly registered?: readonly RegisteredUri[]
}

/**
 * Sends the authorization request with an empty cookie jar, and goes through the pages to the end.
 * @throws Inconclusive if there is no end.
 * @throws NotReached if a form leads to an origin that the profile does not list.
 */
export const navigatePages = async (walk: Navigation, start: HttpRequest): Promise<RedirectResult> => {
  const cookies = new Cookies()
  const progress: Progress = { acted: [], decision: 'unasked' }
  let request = start
  let from: string | undefined
  for (let step = 1; ; step += 1) {
    const opened = await openPage(walk, cookies, request, from)
    const reload = (address: string) => openPage(walk, cookies, get(address))
    const exchange = progress.acted.length === 0 ? opened : await untilApproved(walk, opened, reload)
    from = exchange.request.url
    const next = nextStep(walk, exchange, { progress, request })
    if ('redirectResult' in next) return next.redirectResult
    if (step >= walk.recipe.limit) throw endless(step, exchange)
    request = next.request
  }
}

export const endless = (steps: number, { id }: Exchange): Inconclusive =>
  new Inconclusive(
    `the authorization had not ended after ${steps} pages and redirects (authorization.limit), at ${id}`,
  )

export const foreignForm = (from: Exchange, origin: string): NotReached =>
  new NotReached(`the form of ${from.id} leads to ${origin}; if it is the bank's, add it to \`origins\``)

type NextStep = { readonly redirectResult: RedirectResult } | { readonly request: HttpRequest }

/** What a browser says of the page that a form is on: to another origin no more than its own (Referrer Policy). */
const senderOf = (page: string, address: string): Fields => {
  const { origin } = new URL(page)
  return Object.entries({ Origin: origin, Referer: new URL(address).origin === origin ? page : `${origin}/` })
}

const openPage = async (
  { http, recipe }: Navigation,
  cookies: Cookies,
  request: HttpRequest,
  from?: string,
): Promise<Exchange> => {
  const named = (url: string): string => http.named?.(url) ?? url
  const address = named(request.url)
  // Against forged forms, many banks take those of their own pages only (Fetch, Origin).
  const page = request.method === 'POST' && from !== undefined ? named(from) : undefined
  const sender: Fields = page === undefined ? [] : senderOf(page, address)
  const headers = [...request.headers, ...sender, ...cookies.fieldFor(address)]
  const exchange = await http.send({ ...request, headers }, (seen) => codesIn(seen, recipe))
  cookies.keep(exchange, address)
  return exchange
}

const nextStep = (
  walk: Navigation,
  exchange: Exchange,
  { progress, request: sent }: { readonly progress: Progress; readonly request: HttpRequest },
): NextStep => {
  const land = (outcome: RedirectResult['outcome'], more: Partial<RedirectResult> = {}): NextStep => ({
    redirectResult: { kind: 'redirect-result', outcome, exchange, ...progress, ...more },
  })
  if (exchange.response === undefined) return land('fault')

  const location = locationIn(exchange)
  if (location !== undefined) {
    const url = resolve(location, exchange.request.url)
    if (url === undefined) return land('page')
    if (leavesBank(url, walk)) return land('redirect', redirected(url, walk))
    return { request: repeatsRequest(exchange) ? { ...sent, url } : get(url) }
  }

  refuseLargePage(exchange)
  const [code] = shownCode(exchange, walk.recipe)
  if (code !== undefined) return land('result-screen', { code: wholeCode(exchange, walk.recipe, code.value) })
  const request = orUndefinedIfTooDeep(() => onward(walk, exchange, progress))
  if (request === 'asked again') return land('page', { isAskedAgain: true })
  if (request === undefined) return land('page')
  if (!leavesBank(request.url, walk)) return { request }
  if (isOfClient(request.url, walk)) return land('redirect', redirected(request.url, walk))
  throw foreignForm(exchange, new URL(request.url).origin)
}

/** No page leads here. */
export const NO_REDIRECT_URI = 'about:blank'

const withoutQuery = (url: string): string => url.replace(/[?#].*$/, '')

const isSame = (url: string, other: string): boolean => withoutQuery(url) === withoutQuery(other)

/**
 * Whether an address is outside of the bank. A result screen has a registered address at the bank itself: it is
 * requested like any other page.
 */
export const leavesBank = (url: string, { http }: Pick<Navigation, 'http'>): boolean =>
  !http.origins.includes(new URL(url).origin)

/**
 * Whether an address is a redirect URI of a client. A page that leads there, by a link, a form or a refresh, ends the
 * flow as a redirect does: with `form-action 'self'`, a bank cannot redirect after a form.
 */
export const isOfClient = (url: string, { redirectUri, registered = [] }: Navigation): boolean => {
  const known = registered.find(({ uri }) => isSame(uri, url))
  return known === undefined ? isSame(redirectUri, url) : known.delivery === 'redirect'
}

export const redirected = (
  url: string,
  { redirectUri, recipe: { parameter = CODE } }: Pick<Navigation, 'redirectUri' | 'recipe'>,
): Partial<RedirectResult> => {
  const { searchParams, hash } = new URL(url)
  const code = searchParams.get(parameter)
  if (code !== null && code !== '') return { redirect: url, code }
  const given = [...searchParams.keys(), ...new URLSearchParams(hash.slice(1)).keys()]
  const isAnswered = given.some((name) => ANSWERED.has(name))
  const isElsewhere = !isAnswered && !isSame(url, redirectUri)
  return isElsewhere ? { redirect: url, isElsewhere } : { redirect: url }
}

/** The parameter of a redirect that carries the code (RFC 6749 §4.1.2). */
const CODE = 'code'

/** Parameters of a redirect that is an answer to the request (RFC 6749 §4.1.2). */
const ANSWERED: ReadonlySet<string> = new Set([CODE, 'error', 'state'])

const get = (url: string): HttpRequest => pageRequest('authorize', url)

const SHORTEST_RELOAD_MS = 1_000

/** After how many ms a page is to be reloaded, by its header or `meta`; undefined if it does not reload itself. */
const reloadAfter = (page: Page | undefined, exchange: Exchange): number | undefined => {
  const { url } = exchange.request
  const content = refreshOf(exchange, page)
  const address = resolve(addressOfRefresh(content) ?? '', url)
  if (content === undefined || address === undefined || !isSame(address, url)) return undefined
  const seconds = Number.parseInt(content, 10)
  return Number.isNaN(seconds) ? undefined : Math.max(SHORTEST_RELOAD_MS, seconds * 1_000)
}

/** Once the customer has acted, a page that the recipe does not know may wait for an approval in their app, and reload itself. */
const untilApproved = async (
  { http, recipe: { pages, code, reloadMs = 0 } }: Navigation,
  first: Exchange,
  reload: (address: string) => Promise<Exchange>,
): Promise<Exchange> => {
  const known = [code, ...pages.map(({ when }) => when)].join(', ')
  let exchange = first
  for (let left = reloadMs; exchange.response?.status === 200;) {
    const ms = orUndefinedIfTooDeep(() => {
      const page = pageIn(exchange)
      return page && firstOf(page, known) ? undefined : reloadAfter(page, exchange)
    })
    if (ms === undefined || ms > left) break
    left -= ms
    await http.wait?.(ms)
    exchange = await reload(exchange.request.url)
  }
  return exchange
}

/** The address to which a page leads at once, as a redirect does: another page of the bank. */
export const addressAtOnce = (exchange: Exchange): string | undefined => {
  const { url } = exchange.request
  const content = refreshOf(exchange, pageIn(exchange))
  const address = resolve(addressOfRefresh(content) ?? '', url)
  if (address === undefined || address === url || Number.parseFloat(content ?? '') !== 0) return undefined
  return new URL(address).origin === new URL(url).origin ? address : undefined
}

/** A refresh that leads back to the client, or at once to another page. Others may only inform that the session has ended. */
const refreshAsRedirect = (walk: Navigation, exchange: Exchange): HttpRequest | undefined => {
  const link = addressOfRefresh(refreshOf(exchange, pageIn(exchange)))
  const request = link === undefined ? undefined : followed(link, exchange.request.url)
  if (request !== undefined && isOfClient(request.url, walk)) return request
  const address = addressAtOnce(exchange)
  return address === undefined ? undefined : get(address)
}

const onward: typeof act = (walk, exchange, progress) => {
  const acted = act(walk, exchange, progress)
  return typeof acted === 'object' ? acted : (refreshAsRedirect(walk, exchange) ?? acted)
}

const act = (
  walk: Navigation,
  exchange: Exchange,
  progress: Progress,
): HttpRequest | 'asked again' | undefined => {
  const page = pageIn(exchange)
  if (page === undefined) return undefined
  const index = walk.recipe.pages.findIndex(({ when }) => firstOf(page, when) !== undefined)
  const step = walk.recipe.pages[index]
  if (step === undefined) return undefined
  if (isAskedAgain(progress, index)) return 'asked again'
  progress.acted.push(index)
  const refuse = refusalOn(page, walk.recipe)
  const denies = walk.decision === 'deny'
  if (refuse !== undefined || hasRefusal(step)) progress.decision = denies ? 'denied' : 'granted'
  tick(page, tickedOn(step, walk.decision))
  for (const box of accountBoxes(step, walk)) {
    const found = allOf(page, box.selector)
    if (found.length === 0 && box.isShared) throw withoutBox(exchange, index, box)
    for (const each of found) setChosen(each, box.isShared)
  }
  const button = denies ? (refuse ?? step.press) : step.press
  return submit(page, button, fillIn(step.fill, walk.customer), exchange.request.url)
}

/** A bank may combine two pages of the recipe: the button to refuse may be on any page. */
const refusalOn = (page: Page, { pages }: PageRecipe): string | undefined =>
  pages.flatMap(({ refuse }) => refuse ?? []).find((selector) => firstOf(page, selector) !== undefined)

const submit = (page: Page, button: string, typed: Fields, from: string): HttpRequest | undefined => {
  const pressed = firstOf(page, button)
  if (pressed === undefined) return undefined
  const { href, name, value = '', formaction, formmethod } = pressed.attribs
  if (pressed.name === 'a' && href !== undefined) return followed(href, from)
  const form = formOf(page, pressed)
  if (form === undefined) return undefined
  for (const [selector, text] of typed) fillControl(page, selector, text)
  const fields: Fields = [...fieldsOf(page, form), ...(name === undefined ? [] : [[name, value] as const])]
  const action = formaction ?? form.attribs['action'] ?? ''
  const method = (formmethod ?? form.attribs['method'] ?? 'GET').toUpperCase()
  const address = resolve(action === '' ? from : action, from)
  if (address === undefined) return undefined
  const url = new URL(address)
  if (method === 'POST') return { ...get(url.href), method, headers: [FORM_HEADER], form: fields }
  url.search = encodeForm(fields)
  return get(url.href)
}

const followed = (link: string, from: string): HttpRequest | undefined => {
  const address = resolve(link, from)
  return address === undefined ? undefined : get(address)
}
