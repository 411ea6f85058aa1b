import { compile, selectOne } from 'css-select'
import type { Cheerio, CheerioAPI } from 'cheerio/slim'

type Element = ReturnType<CheerioAPI>[number]
type Query = ReturnType<typeof compile<Element, Element>>

/** The selectors of a profile are few, and looked for on each of thousands of pages: each is read once. */
const queries = new Map<string, Query>()

const queryOf = (selector: string): Query => {
  // What is found on a page is not kept: it changes as it is filled in.
  const query = queries.get(selector) ?? compile<Element, Element>(selector, { cacheResults: false })
  queries.set(selector, query)
  return query
}

/** The first element of the page that the selector finds; none, where it finds nothing. */
export const firstOf = ($: CheerioAPI, selector: string): Cheerio<Element> => {
  const found = selectOne<Element, Element>(queryOf(selector), $.root().toArray())
  return $(found === null ? [] : [found])
}
