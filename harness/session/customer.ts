import { attached } from '../evidence/attached.ts'
import { headerOf } from '../evidence/exchange.ts'
import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { hasRefusal } from '../profile/authorization-pages.ts'
import { Cookies } from './cookies.ts'
import { fieldsOf, formOf, tick } from './form-fields.ts'
import { fillControl, firstOf, pageOf, textOf, valueOf } from './page.ts'
import { encodeForm } from './request.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { KnownSecret } from '../evidence/redaction.ts'
import type { CustomerProfile, PageRecipe } from '../profile/schema.ts'
import type { Http } from './http.ts'
import type { Landing } from './landing.ts'
import type { Page } from './page.ts'
import type { Fields, HttpRequest } from './request.ts'

/** The customer in front of the bank's pages: follows redirects, logs in, grants or denies, reads the code. */

export type Decision = 'grant' | 'deny'

export interface Walk {
  readonly http: Http
  readonly recipe: PageRecipe
  readonly customer: CustomerProfile
  readonly decision: Decision
  /** The address that the application asked to be called back at; a redirect there is the end of the walk. */
  readonly redirectUri: string
}

/**
 * Opens an authorization request in a fresh browser and walks the pages to their end.
 * @throws Inconclusive where they have no end.
 * @throws NotReached where a form leads to an origin that the profile does not name.
 */
export const walkPages = async (walk: Walk, start: HttpRequest): Promise<Landing> => {
  const cookies = new Cookies()
  const progress: Progress = { acted: [], decision: 'unasked' }
  let request = start
  for (let step = 1; ; step += 1) {
    const exchange = await visit(walk, cookies, request)
    const next = onward(walk, exchange, { progress, request })
    if ('landing' in next) return next.landing
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

/** How far the customer has come. It is written on as the walk goes. */
export interface Progress {
  readonly acted: number[]
  decision: Landing['decision']
}

type Onward = { readonly landing: Landing } | { readonly request: HttpRequest }

const visit = async ({ http, recipe }: Walk, cookies: Cookies, request: HttpRequest): Promise<Exchange> => {
  const headers = [...request.headers, ...cookies.fieldFor(request.url)]
  const exchange = await http.send({ ...request, headers }, (seen) => shownCode(seen, recipe))
  cookies.keep(exchange, request.url)
  return exchange
}

const onward = (
  walk: Walk,
  exchange: Exchange,
  { progress, request: sent }: { readonly progress: Progress; readonly request: HttpRequest },
): Onward => {
  const land = (outcome: Landing['outcome'], more: Partial<Landing> = {}): Onward => ({
    landing: { kind: 'landing', outcome, exchange, ...progress, ...more },
  })
  const { response } = exchange
  if (response === undefined) return land('fault')

  const location =
    response.status >= 300 && response.status < 400 ? headerOf(response.headers, 'location') : undefined
  if (location !== undefined) {
    const url = resolve(location, exchange.request.url)
    if (url === undefined) return land('page')
    if (leavesBank(url, walk)) return land('redirect', redirected(url))
    // These two ask for the same request again, and not for a GET (RFC 9110 §15.4.8, §15.4.9).
    return { request: [307, 308].includes(response.status) ? { ...sent, url } : get(url) }
  }

  const [code] = shownCode(exchange, walk.recipe)
  if (code !== undefined) return land('result-screen', { code: code.value })
  const request = readably(() => act(walk, exchange, progress))
  if (request === 'asked again') return land('page', { isAskedAgain: true })
  if (request === undefined) return land('page')
  const { origin } = new URL(request.url)
  if (walk.http.origins.includes(origin)) return { request }
  throw foreignForm(exchange, origin)
}

export const resolve = (location: string, base: string): string | undefined =>
  URL.canParse(location, base) ? new URL(location, base).href : undefined

const withoutQuery = (url: string): string => url.replace(/[?#].*$/, '')

/** A result screen has a registered address at the bank itself: it is visited like any other page. */
export const leavesBank = (url: string, { http, redirectUri }: Walk): boolean =>
  !http.origins.includes(new URL(url).origin) ||
  (withoutQuery(url) === withoutQuery(redirectUri) && !http.origins.includes(new URL(redirectUri).origin))

export const redirected = (url: string): Partial<Landing> => {
  const code = new URL(url).searchParams.get('code')
  return { redirect: url, ...(code !== null && code !== '' && { code }) }
}

const get = (url: string): HttpRequest => ({
  operation: 'authorize',
  sender: 'customer',
  method: 'GET',
  url,
  headers: [],
})

const pageIn = attached<Exchange, Page>('page')

/** Nobody fills in a page of more tags, and one that nests them all takes seconds to look through. */
const MOST_TAGS = 20_000

const countTags = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('<'); at !== -1 && count <= MOST_TAGS; at = text.indexOf('<', at + 1)) count += 1
  return count
}

/** The page of an answer, parsed once; undefined where there is none. */
const parse = (exchange: Exchange): Page | undefined => {
  const text = exchange.response?.body.text ?? ''
  const tags = countTags(text)
  if (tags === 0 || tags > MOST_TAGS) return undefined
  return pageIn(exchange, () => pageOf(text))
}

/** What is nested more deeply than a stack is high is no page for a customer. */
const readably = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Both who keeps the code secret and who reads it ask for it. */
const codesIn = attached<Exchange, readonly KnownSecret[]>('codes')

export const shownCode = (exchange: Exchange, recipe: PageRecipe): readonly KnownSecret[] =>
  codesIn(exchange, () => readCode(exchange, recipe))

const readCode = (exchange: Exchange, recipe: PageRecipe): readonly KnownSecret[] => {
  const value = readably(() => {
    const page = parse(exchange)
    const element = page && firstOf(page, recipe.code)
    return element && String(valueOf(element) ?? textOf(element)).trim()
  })
  return value === undefined || value === '' ? [] : [{ name: 'code', value }]
}

const act = (walk: Walk, exchange: Exchange, progress: Progress): HttpRequest | 'asked again' | undefined => {
  const page = parse(exchange)
  if (page === undefined) return undefined
  const index = walk.recipe.pages.findIndex(({ when }) => firstOf(page, when) !== undefined)
  const step = walk.recipe.pages[index]
  if (step === undefined) return undefined
  // The same page again means that what was typed was not accepted: a customer would not try for ever.
  if (progress.acted.at(-1) === index) return 'asked again'
  progress.acted.push(index)
  const refuse = refusalOn(page, walk.recipe)
  const denies = walk.decision === 'deny'
  if (refuse !== undefined || hasRefusal(step)) progress.decision = denies ? 'denied' : 'granted'
  tick(page, tickedOn(step, walk.decision))
  const button = denies ? (refuse ?? step.press) : step.press
  return submit(page, button, fillIn(step.fill, walk.customer), exchange.request.url)
}

/** A bank may put two pages of the recipe on one: a button to refuse is looked for wherever it may stand. */
const refusalOn = (page: Page, { pages }: PageRecipe): string | undefined =>
  pages.flatMap(({ refuse }) => refuse ?? []).find((selector) => firstOf(page, selector) !== undefined)

/** What is ticked on a page: where nothing is there to refuse by, the same for whoever agrees and whoever refuses. */
export const tickedOn = (page: PageRecipe['pages'][number], decision: Decision): readonly string[] =>
  (decision === 'deny' && hasRefusal(page) ? page.tickToRefuse : page.tick) ?? []

export const fillIn = (fill: Readonly<Record<string, string>>, customer: CustomerProfile): Fields =>
  Object.entries(fill).map(([selector, text]) => [
    selector,
    // As functions: in a text that is put in the place of another, a $ has a meaning of its own.
    text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => typedFor(customer, name) ?? placeholder),
  ])

const typedFor = ({ username, password, fields = {} }: CustomerProfile, name: string): string | undefined => {
  if (name === 'username') return username
  if (name === 'password') return password
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

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
  if (method === 'POST') return { ...get(url.href), method, headers: FORM, form: fields }
  url.search = encodeForm(fields)
  return get(url.href)
}

const followed = (link: string, from: string): HttpRequest | undefined => {
  const address = resolve(link, from)
  return address === undefined ? undefined : get(address)
}

const FORM: Fields = [['Content-Type', 'application/x-www-form-urlencoded']]
