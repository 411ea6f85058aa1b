import { load } from 'cheerio/slim'
import { find } from './finding.ts'
import type { CheerioAPI } from 'cheerio/slim'
import type { Exchange } from '../evidence/exchange.ts'
import type { PageRecipe } from '../profile/schema.ts'
import type { Http } from '../session/http.ts'
import type { Landing } from '../session/landing.ts'
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
const elementsOf = ($: CheerioAPI): readonly string[] =>
  $('input, button, select, textarea')
    .toArray()
    .slice(0, MOST_ELEMENTS)
    .map((element) => {
      const shown = ['type', 'name', 'id'].flatMap((name) => {
        const value = $(element).attr(name)
        return value === undefined ? [] : [`[${name}=${value}]`]
      })
      return element.name + shown.join('')
    })

export const examineRecipe = ({ exchange }: Landing, recipe: PageRecipe, http: Http): Findings => {
  const $ = load(exchange.response?.body.text ?? '')
  const at = recipe.pages.findIndex(({ when }) => $(when).length > 0)
  const page = recipe.pages[at]
  const shows = elementsOf($)
  const known =
    page === undefined
      ? find('TGT-PAGE-2', {
          cause: `None of the ${recipe.pages.length} pages of \`authorization.pages\` finds its \`when\` there.`,
          shows: shows.length === 0 ? [textOf(exchange)] : shows,
        })
      : find('TGT-PAGE-1', { cause: `\`authorization.pages.${at}\` finds ${page.when} there.` })
  return [known, ...codeOn($, recipe), ...formElsewhere($, exchange, http)]
}

const codeOn = ($: CheerioAPI, { code }: PageRecipe): Findings =>
  $(code).length === 0
    ? []
    : [
        find('TGT-PAGE-3', {
          cause: `${code} (\`authorization.code\`) is found on it, so that it is taken for the code.`,
        }),
      ]

const formElsewhere = ($: CheerioAPI, { request }: Exchange, { origins }: Http): Findings => {
  const action = $('form').first().attr('action') ?? ''
  if (!URL.canParse(action, request.url)) return []
  const { origin } = new URL(action, request.url)
  return origins.includes(origin)
    ? []
    : [find('TGT-PAGE-4', { cause: `Its form leads to ${origin}, which nothing is sent to.` })]
}
