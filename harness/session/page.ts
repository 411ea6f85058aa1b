import { load } from 'cheerio/slim'
import { compile, selectAll, selectOne } from 'css-select'
import { parseDocument } from 'htmlparser2'

/** A page of the bank, as a browser reads it. To look at thousands, it is a bare tree: nothing is made for each alone. */
export type Page = ReturnType<typeof parseDocument>
export type Element = Extract<Page['children'][number], { readonly attribs: unknown }>

export const pageOf = (html: string): Page => parseDocument(html)

type Node = Page | Page['children'][number]
type Query = ReturnType<typeof compile<Node, Element>>

/** The selectors of a profile are few: each is read once. */
const queries = new Map<string, Query>()

const queryOf = (selector: string): Query => {
  // What is found on a page is not kept: it changes as it is filled in.
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

/** What Cheerio knows of an element, of whatever page. */
const of = load('')

/** What is in a control, or chosen of it; undefined where nothing is. */
export const valueOf = (control: Element): string | string[] | undefined => of(control).val()

/** Types a text into the first control that the selector finds; nothing, where it finds none. */
export const fillControl = (page: Page, selector: string, text: string): void => {
  const control = firstOf(page, selector)
  if (control !== undefined) of(control).val(text)
}

export const textOf = (element: Element): string => of(element).text()
