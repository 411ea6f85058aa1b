import { headerOf, type Exchange } from '../../evidence/exchange.ts'
import { NotReached } from '../../evidence/signals.ts'
import { codeIn, isSentence, type PageRecipe } from '../../profile/schema/authorization.ts'
import {
  allOf,
  firstOf,
  orUndefinedIfTooDeep,
  pageIn,
  resolve,
  textOf,
  valueOf,
  type Page,
} from './html-page.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'

/** Finds the codes in the answers of an authorization: on a result screen, and in links. */

/** The text of the element that shows the code on a result screen; undefined if there is none. */
const shownText = (exchange: Exchange, recipe: PageRecipe): string | undefined =>
  orUndefinedIfTooDeep(() => {
    const page = pageIn(exchange)
    const element = page && firstOf(page, recipe.code)
    return element && String(valueOf(element) ?? textOf(element))
  })

/** The code that a result screen shows, as a secret to redact; empty if there is none. */
export const shownCode = (exchange: Exchange, recipe: PageRecipe): readonly KnownSecret[] => {
  const text = shownText(exchange, recipe)
  if (text === undefined || text.trim() === '') return []
  // If the pattern does not match, the code may be anywhere in the text.
  return [{ name: 'code', value: codeIn(text, recipe) ?? text.trim() }]
}

/** The time, and the address after it (HTML, Refresh). */
const REFRESH = /^\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i

/** Where a refresh leads, as a page has it; undefined if it only waits. */
export const addressOfRefresh = (content: string | undefined): string | undefined =>
  REFRESH.exec(content ?? '')?.[1]

/** The refresh of a page, in a header or its `meta`. */
export const refreshOf = ({ response }: Exchange, page: Page | undefined): string | undefined =>
  headerOf(response?.headers ?? [], 'refresh') ??
  (page && firstOf(page, 'meta[http-equiv=refresh i]')?.attribs['content'])

/** Where the links and refreshes of a page lead, as it has them. */
const linksOf = (page: Page): readonly string[] =>
  allOf(page, 'a[href], meta[content]').flatMap(
    ({ attribs: { href, content } }) => href ?? addressOfRefresh(content) ?? [],
  )

/** The codes of an answer that only the recipe identifies, as secrets to redact. */
export const codesIn = (exchange: Exchange, recipe: PageRecipe): readonly KnownSecret[] => {
  const shown = shownCode(exchange, recipe)
  const { parameter: name } = recipe
  if (name === undefined || exchange.response === undefined) return shown
  const page = orUndefinedIfTooDeep(() => pageIn(exchange))
  const { headers } = exchange.response
  const moved = headerOf(headers, 'location') ?? addressOfRefresh(headerOf(headers, 'refresh')) ?? []
  const links = [moved, page ? linksOf(page) : []].flat()
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
