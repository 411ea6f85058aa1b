import { load } from 'cheerio/slim'
import { allOf, firstOf, pageOf } from '../session/page.ts'
import { find } from './finding.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { PageRecipe } from '../profile/authorization-pages.ts'
import type { Http } from '../session/http.ts'
import type { Landing } from '../session/landing.ts'
import type { Page } from '../session/page.ts'
import type { Findings } from './patient.ts'

/** Whether the recipe of `authorization` knows the first page that a customer sees. */

const LONGEST_TEXT = 160
/** Nobody reads more of a page's elements than that. */
const MOST_ELEMENTS = 12

/** What a person would read first on a page. */
export const textOf = ({ response }: Exchange): string => {
  const $ = load(response?.body.text ?? '')
  $('script, style, head').remove()
  const text = $.root().text().replaceAll(/\s+/g, ' ').trim()
  return text === '' ? 'The page has no text.' : `The page says: ${text.slice(0, LONGEST_TEXT)}`
}

/** The elements that a selector could name; their values are not shown. */
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

export const examineRecipe = ({ exchange }: Landing, recipe: PageRecipe, http: Http): Findings => {
  const page = pageOf(exchange.response?.body.text ?? '')
  const at = recipe.pages.findIndex(({ when }) => firstOf(page, when) !== undefined)
  const step = recipe.pages[at]
  const shows = elementsOf(page)
  const known =
    step === undefined
      ? find('TGT-PAGE-2', {
          cause: `None of the ${recipe.pages.length} pages of \`authorization.pages\` finds its \`when\` there.`,
          shows: shows.length === 0 ? [textOf(exchange)] : shows,
        })
      : find('TGT-PAGE-1', { cause: `\`authorization.pages.${at}\` finds ${step.when} there.` })
  return [known, ...codeOn(page, recipe), ...formElsewhere(page, exchange, http)]
}

const codeOn = (page: Page, { code }: PageRecipe): Findings =>
  firstOf(page, code) === undefined
    ? []
    : [
        find('TGT-PAGE-3', {
          cause: `${code} (\`authorization.code\`) is found on it, so that it is taken for the code.`,
        }),
      ]

const formElsewhere = (page: Page, { request }: Exchange, { origins }: Http): Findings => {
  const action = firstOf(page, 'form')?.attribs['action'] ?? ''
  if (!URL.canParse(action, request.url)) return []
  const { origin } = new URL(action, request.url)
  return origins.includes(origin)
    ? []
    : [find('TGT-PAGE-4', { cause: `Its form leads to ${origin}, which nothing is sent to.` })]
}
