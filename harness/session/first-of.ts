import { compile, selectOne } from 'css-select'
import type { Cheerio, CheerioAPI } from 'cheerio/slim'
import type { AnyNode, Element } from 'domhandler'

type Query = ReturnType<typeof compile<AnyNode, Element>>

/** The selectors of a profile are few, and looked for on each of thousands of pages: each is read once. */
const queries = new Map<string, Query>()

const queryOf = (selector: string): Query => {
  const query = queries.get(selector) ?? compile<AnyNode, Element>(selector)
  queries.set(selector, query)
  return query
}

/** The first element of the page that the selector finds; none, where it finds nothing. */
export const firstOf = ($: CheerioAPI, selector: string): Cheerio<Element> => {
  const found = selectOne<AnyNode, Element>(queryOf(selector), $.root().toArray())
  return $(found === null ? [] : [found])
}
