import { contains, load } from 'cheerio/slim'
import { compile, selectAll, selectOne } from 'css-select'
import { parseDocument } from 'htmlparser2'
import { headerOf, type Exchange } from '../../evidence/exchange.ts'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { codeIn, hasRefusal, isSentence, type PageRecipe } from '../../profile/schema/authorization.ts'
import { Cookies } from '../http/cookies.ts'
import { encodeForm, type Fields, type HttpRequest } from '../http/request.ts'
import type { RedirectResult } from '../../evidence/record/answer.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import { fillSelector } from '../../profile/template.ts'
import type { RegisteredUri } from '../../profile/redirect-uris.ts'
import type { AccountProfile, CustomerProfile } from '../../profile/schema.ts'
import type { Http } from '../http/http.ts'

/** A parsed page of the bank. It is a plain tree, which is cheap to create and search. */
export type Page = ReturnType<typeof parseDocument>
export type Element = Extract<Page['children'][number], { readonly attribs: unknown }>

export const pageOf = (html: string): Page => parseDocument(html)

type Node = Page | Page['children'][number]
type Query = ReturnType<typeof compile<Node, Element>>

/** The few selectors of a profile are compiled once. */
const queries = new Map<string, Query>()

const queryOf = (selector: string): Query => {
  // Results are not cached: the page changes while it is filled in.
  const query = queries.get(selector) ?? compile<Node, Element>(selector, { cacheResults: false })
  queries.set(selector, query)
  return query
}

/** The first element of the page that the selector finds. */
export const firstOf = (page: Page, selector: string): Element | undefined =>
  selectOne<Node, Element>(queryOf(selector), page) ?? undefined

/** All elements inside that the selector finds, in the order of the page. */
export const allOf = (inside: Page | Element, selector: string): readonly Element[] =>
  selectAll<Node, Element>(queryOf(selector), inside)

/** Cheerio's functions, for an element of any page. */
const of = load('')

/** The value of a control, or the chosen options; undefined if there is none. */
export const valueOf = (control: Element): string | string[] | undefined => of(control).val()

/** Types a text into the first control that the selector finds, if there is one. */
const fillControl = (page: Page, selector: string, text: string): void => {
  const control = firstOf(page, selector)
  if (control !== undefined) of(control).val(text)
}

export const textOf = (element: Element): string => of(element).text()

type Controls = 'input, select, textarea' | `${'input' | 'button'}${string}`

/** The form that contains the element, or the element itself. */
export const formAround = (page: Page, element: Element): Element | undefined =>
  allOf(page, 'form').findLast((form) => form === element || contains(form, element))

/** The form of a control: the one that its `form` attribute names, or the one that contains it. */
export const formOf = (page: Page, control: Element): Element | undefined => {
  const named = control.attribs['form']
  return named === undefined
    ? formAround(page, control)
    : allOf(page, 'form').find(({ attribs }) => attribs['id'] === named)
}

/**
 * The controls of a form in the order of the page: those inside it that name no other form, and those elsewhere
 * that name it.
 * @param selector which controls.
 */
export const controlsOf = (page: Page, form: Element, selector: Controls): readonly Element[] => {
  const { id } = form.attribs
  const inside = allOf(form, selector).filter(({ attribs }) => attribs['form'] === undefined)
  return id === undefined || id === ''
    ? inside
    : allOf(page, selector).filter((control) =>
        control.attribs['form'] === undefined ? inside.includes(control) : control.attribs['form'] === id,
      )
}

/** The fields that a browser sends of a form, without the pressed button. */
export const fieldsOf = (page: Page, form: Element): Fields =>
  controlsOf(page, form, CONTROLS).flatMap((control) => {
    const { name = '', disabled, checked } = control.attribs
    const type = control.attribs['type']?.toLowerCase() ?? ''
    const isChosen = !CHOICES.has(type) || checked !== undefined
    if (name === '' || disabled !== undefined || SENT_OTHERWISE.has(type) || !isChosen) return []
    return [valueOf(control) ?? ''].flat().map((value) => [name, value.replace(/\r?\n/g, '\r\n')] as const)
  })

/** Ticks all check boxes and radio buttons that a selector finds; of radio buttons with one name, only the last. */
export const tick = (page: Page, selectors: readonly string[]): void => {
  const radios = selectors.length === 0 ? [] : allOf(page, 'input[type=radio i]')
  for (const control of selectors.flatMap((selector) => allOf(page, selector))) {
    if (radios.includes(control))
      for (const { attribs } of radios.filter((each) => each.attribs['name'] === control.attribs['name']))
        delete attribs['checked']
    control.attribs['checked'] = 'checked'
  }
}

const CONTROLS = 'input, select, textarea'

/** Buttons and files are not sent as fields. */
const SENT_OTHERWISE: ReadonlySet<string> = new Set(['submit', 'button', 'image', 'reset', 'file'])
const CHOICES: ReadonlySet<string> = new Set(['checkbox', 'radio'])

/**
 * Goes through the bank's pages over HTTP as a customer would: follows redirects, logs in, grants or denies, reads
 * the code.
 */

export type Decision = 'grant' | 'deny'

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
  for (let step = 1; ; step += 1) {
    const exchange = await openPage(walk, cookies, request)
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

/** How far the customer has come. It is updated on the way. */
export interface Progress {
  readonly acted: number[]
  decision: RedirectResult['decision']
}

/**
 * Whether a customer would give up: the same page comes again, since what was typed was not accepted, or the pages come
 * round, since each has been answered once.
 */
export const isAskedAgain = ({ acted }: Progress, index: number): boolean => {
  const last = acted.at(-1)
  return last === index || acted.some((page, at) => page === last && acted[at + 1] === index)
}

type NextStep = { readonly redirectResult: RedirectResult } | { readonly request: HttpRequest }

const openPage = async (
  { http, recipe }: Navigation,
  cookies: Cookies,
  request: HttpRequest,
): Promise<Exchange> => {
  const address = http.named?.(request.url) ?? request.url
  const headers = [...request.headers, ...cookies.fieldFor(address)]
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
  const { response } = exchange
  if (response === undefined) return land('fault')

  const location =
    response.status >= 300 && response.status < 400 ? headerOf(response.headers, 'location') : undefined
  if (location !== undefined) {
    const url = resolve(location, exchange.request.url)
    if (url === undefined) return land('page')
    if (leavesBank(url, walk)) return land('redirect', redirected(url, walk))
    // After 307 and 308 the same request is repeated, not a GET (RFC 9110 §15.4.8, §15.4.9).
    return { request: [307, 308].includes(response.status) ? { ...sent, url } : get(url) }
  }

  const [code] = shownCode(exchange, walk.recipe)
  if (code !== undefined) return land('result-screen', { code: wholeCode(exchange, walk.recipe, code.value) })
  const request = orUndefinedIfTooDeep(() => onward(walk, exchange, progress))
  if (request === 'asked again') return land('page', { isAskedAgain: true })
  if (request === undefined) return land('page')
  if (!leavesBank(request.url, walk)) return { request }
  if (isOfClient(request.url, walk)) return land('redirect', redirected(request.url, walk))
  throw foreignForm(exchange, new URL(request.url).origin)
}

export const resolve = (location: string, base: string): string | undefined =>
  URL.canParse(location, base) ? new URL(location, base).href : undefined

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

const get = (url: string): HttpRequest => ({
  operation: 'authorize',
  sender: 'customer',
  method: 'GET',
  url,
  headers: [],
})

/** A page with more tags is not for customers, and parsing deeply nested ones takes seconds. */
const MOST_TAGS = 20_000

const countTags = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('<'); at !== -1 && count <= MOST_TAGS; at = text.indexOf('<', at + 1)) count += 1
  return count
}

/** The page of an answer; undefined if it is not HTML, or too large for a page. */
const parse = (exchange: Exchange): Page | undefined => {
  const text = exchange.response?.body.text ?? ''
  const tags = countTags(text)
  if (tags === 0 || tags > MOST_TAGS) return undefined
  return pageOf(text)
}

/** A page that is nested so deeply that parsing overflows the stack is treated as no page. */
const orUndefinedIfTooDeep = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const LONGEST_TEXT = 160

/** The first words of a page, for a message; empty if it has no text. */
export const textOfPage = ({ response }: Exchange): string => {
  const $ = load(response?.body.text ?? '')
  $('script, style, head').remove()
  return $.root().text().replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT)
}

/** The text of the element that shows the code on a result screen; undefined if there is none. */
const shownText = (exchange: Exchange, recipe: PageRecipe): string | undefined =>
  orUndefinedIfTooDeep(() => {
    const page = parse(exchange)
    const element = page && firstOf(page, recipe.code)
    return element && String(valueOf(element) ?? textOf(element))
  })

/** The code that a result screen shows, as a secret to redact; empty if there is none. */
const shownCode = (exchange: Exchange, recipe: PageRecipe): readonly KnownSecret[] => {
  const text = shownText(exchange, recipe)
  if (text === undefined || text.trim() === '') return []
  // If the pattern does not match, the code may be anywhere in the text.
  return [{ name: 'code', value: codeIn(text, recipe) ?? text.trim() }]
}

/** Where the links and refreshes of a page lead, as it has them. */
const linksOf = (page: Page): readonly string[] =>
  allOf(page, 'a[href], meta[content]').flatMap(
    ({ attribs: { href, content = '' } }) => href ?? REFRESH.exec(content)?.[1] ?? [],
  )

/** The codes of an answer that only the recipe identifies, as secrets to redact. */
export const codesIn = (exchange: Exchange, recipe: PageRecipe): readonly KnownSecret[] => {
  const shown = shownCode(exchange, recipe)
  const { parameter: name } = recipe
  if (name === undefined || exchange.response === undefined) return shown
  const page = orUndefinedIfTooDeep(() => parse(exchange))
  const links = [headerOf(exchange.response.headers, 'location') ?? [], page ? linksOf(page) : []].flat()
  const inLinks = links.flatMap((link) => {
    const address = resolve(link, exchange.request.url)
    return address === undefined ? [] : new URL(address).searchParams.getAll(name)
  })
  const inForms = page ? allOf(page, 'input').filter(({ attribs }) => attribs['name'] === name) : []
  const values = [...inLinks, ...inForms.map(({ attribs }) => attribs['value'] ?? '')]
  return [...values.filter((value) => value !== '').map((value) => ({ name, value })), ...shown]
}

/**
 * The code of a result screen.
 * @throws NotReached if it is a sentence: the profile must say where in it the code is.
 */
export const wholeCode = (
  { id }: Exchange,
  { code: selector, codePattern }: PageRecipe,
  code: string,
): string => {
  if (!isSentence(code)) return code
  const next =
    codePattern === undefined
      ? 'add the pattern of the code as `authorization.codePattern`'
      : `\`authorization.codePattern\` (${codePattern}) does not match the code alone`
  throw new NotReached(
    `the result screen of ${id} shows a text with blanks in ${selector} (\`authorization.code\`), which is no code; ${next}`,
  )
}

/** The time, and the address after it (HTML, Refresh). */
const REFRESH = /^\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i

/** A refresh that leads back to the client. Others may only inform the customer that the session has ended. */
const refreshToClient = (walk: Navigation, exchange: Exchange): HttpRequest | undefined => {
  const page = parse(exchange)
  const content = page && firstOf(page, 'meta[http-equiv=refresh i]')?.attribs['content']
  const link = REFRESH.exec(content ?? '')?.[1]
  const request = link === undefined ? undefined : followed(link, exchange.request.url)
  return request !== undefined && isOfClient(request.url, walk) ? request : undefined
}

const onward: typeof act = (walk, exchange, progress) => {
  const acted = act(walk, exchange, progress)
  return typeof acted === 'object' ? acted : (refreshToClient(walk, exchange) ?? acted)
}

const act = (
  walk: Navigation,
  exchange: Exchange,
  progress: Progress,
): HttpRequest | 'asked again' | undefined => {
  const page = parse(exchange)
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
    if (box.isShared) tick(page, [box.selector])
    else for (const { attribs } of found) delete attribs['checked']
  }
  const button = denies ? (refuse ?? step.press) : step.press
  return submit(page, button, fillIn(step.fill, walk.customer), exchange.request.url)
}

/** A bank may combine two pages of the recipe: the button to refuse may be on any page. */
const refusalOn = (page: Page, { pages }: PageRecipe): string | undefined =>
  pages.flatMap(({ refuse }) => refuse ?? []).find((selector) => firstOf(page, selector) !== undefined)

/** What to tick on a page. If the page offers no refusal, it is the same for both decisions. */
export const tickedOn = (page: PageRecipe['pages'][number], decision: Decision): readonly string[] =>
  (decision === 'deny' && hasRefusal(page) ? page.tickToRefuse : page.tick) ?? []

/** The check box of an account, and whether it is to be ticked. */
export interface AccountBox {
  readonly iban: string
  readonly selector: string
  readonly isShared: boolean
}

/** The check boxes of the known accounts on a page; none where the customer refuses, or no account is asked for. */
export const accountBoxes = (
  page: PageRecipe['pages'][number],
  { decision, accounts = [] }: Pick<Navigation, 'decision' | 'accounts'>,
): readonly AccountBox[] => {
  const { tickAccounts } = page
  if (tickAccounts === undefined || (decision === 'deny' && hasRefusal(page))) return []
  return accounts.map(({ iban, accountId, choice, consented }) => ({
    iban,
    selector: fillSelector(tickAccounts, { iban, accountId, choice }),
    isShared: consented,
  }))
}

export const withoutBox = (
  { id }: Pick<Exchange, 'id'>,
  index: number,
  { iban, selector }: AccountBox,
): NotReached =>
  new NotReached(
    `the page of ${id} has no ${selector} for the account ${iban}; correct \`authorization.pages.${index}.tickAccounts\`, or what it names of this account in \`customers\``,
  )

export const fillIn = (fill: Readonly<Record<string, string>>, customer: CustomerProfile): Fields =>
  Object.entries(fill).map(([selector, text]) => [
    selector,
    // Replacement functions, because a $ in a replacement text has a special meaning.
    text.replaceAll(
      /\{(\w+)\}/g,
      (placeholder, name: string) => customerField(customer, name) ?? placeholder,
    ),
  ])

const customerField = (
  { username, password, fields = {} }: CustomerProfile,
  name: string,
): string | undefined => {
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
