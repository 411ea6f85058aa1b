import { contains, load } from 'cheerio/slim'
import { compile, selectAll, selectOne } from 'css-select'
import { parseDocument } from 'htmlparser2'
import { Inconclusive } from '../../evidence/signals.ts'
import { headerOf, type Exchange } from '../../evidence/exchange.ts'
import type { Fields } from '../http/request.ts'

/** A parsed page of the bank. It is a plain tree, which is cheap to create and search. */
export type Page = ReturnType<typeof parseDocument>
export type Element = Extract<Page['children'][number], { readonly attribs: unknown }>

/** A browser shows nothing of a template, and no selector finds what is in it. */
export const pageOf = (html: string): Page => {
  const page = parseDocument(html)
  for (const template of allOf(page, 'template')) template.children = []
  return page
}

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

export const firstOf = (page: Page, selector: string): Element | undefined =>
  selectOne<Node, Element>(queryOf(selector), page) ?? undefined

/** All elements inside that the selector finds, in the order of the page. */
export const allOf = (inside: Page | Element, selector: string): readonly Element[] =>
  selectAll<Node, Element>(queryOf(selector), inside)

/** Cheerio's functions, for an element of any page. */
const of = load('')

/** The value of a control, or the values of the chosen options; undefined if there is none. */
export const valueOf = (control: Element): string | readonly string[] | undefined =>
  control.name === 'select' && control.attribs['multiple'] !== undefined
    ? allOf(control, 'option[selected]').map((option) => option.attribs['value'] ?? textOf(option))
    : of(control).val()

/** Types a text into the first control that the selector finds, if there is one. */
export const fillControl = (page: Page, selector: string, text: string): void => {
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

/** Chooses or unchooses a check box, or an option of a list. */
export const setChosen = (control: Element, isChosen: boolean): void => {
  const key = control.name === 'option' ? 'selected' : 'checked'
  of(control).attr(key, isChosen ? key : null)
}

/** Ticks all that a selector finds; of radio buttons with one name, only the last. */
export const tick = (page: Page, selectors: readonly string[]): void => {
  const radios = selectors.length === 0 ? [] : allOf(page, 'input[type=radio i]')
  for (const control of selectors.flatMap((selector) => allOf(page, selector))) {
    if (radios.includes(control))
      for (const { attribs } of radios.filter((each) => each.attribs['name'] === control.attribs['name']))
        delete attribs['checked']
    setChosen(control, true)
  }
}

const CONTROLS = 'input, select, textarea'

/** Buttons and files are not sent as fields. */
const SENT_OTHERWISE: ReadonlySet<string> = new Set(['submit', 'button', 'image', 'reset', 'file'])
const CHOICES: ReadonlySet<string> = new Set(['checkbox', 'radio'])

/** A page with more tags is not for customers, and parsing deeply nested ones takes seconds. */
const MOST_TAGS = 20_000

const countTags = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('<'); at !== -1 && count <= MOST_TAGS; at = text.indexOf('<', at + 1)) count += 1
  return count
}

const tagsIn = ({ response }: Exchange): number => countTags(response?.body.text ?? '')

/** The page of an answer; undefined if it is not HTML, or too large for a page. */
export const pageIn = (exchange: Exchange): Page | undefined => {
  const tags = tagsIn(exchange)
  return tags === 0 || tags > MOST_TAGS ? undefined : pageOf(exchange.response?.body.text ?? '')
}

/** @throws Inconclusive if the page of an answer is not read because of its size. */
export const refuseLargePage = (exchange: Exchange): void => {
  if (tagsIn(exchange) > MOST_TAGS)
    throw new Inconclusive(
      `the page at ${exchange.id} has ${exchange.response?.body.bytes ?? 0} bytes and more than ${MOST_TAGS} tags: a page of that size is not read`,
    )
}

/** A page that is nested so deeply that parsing overflows the stack is treated as no page. */
export const orUndefinedIfTooDeep = <T>(read: () => T): T | undefined => {
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

/** The address of a link; undefined if it is none. */
export const resolve = (location: string, base: string): string | undefined =>
  URL.canParse(location, base) ? new URL(location, base).href : undefined

/** Where a redirect leads, as its header has it; undefined for any other answer. */
export const locationIn = ({ response }: Exchange): string | undefined =>
  response !== undefined && response.status >= 300 && response.status < 400
    ? headerOf(response.headers, 'location')
    : undefined

/** After 307 and 308 the same request is repeated, not a GET (RFC 9110 §15.4.8, §15.4.9). */
export const repeatsRequest = ({ response }: Exchange): boolean =>
  response?.status === 307 || response?.status === 308
