import { load } from 'cheerio/slim'

/** What is searched of a page: deeper nesting would overflow the stack. */
const READ = 20_000
const LONGEST = 160

const ALERTS = '[role=alert], [aria-live=assertive], [class*=error i], [class*=alert i], [id*=error i]'
const BLOCKS = 'p, li, td, dd, h1, h2, h3'

/** What a page says of a refusal: its alert, otherwise its first sentence, otherwise its first words. */
export const sentenceOfPage = (html: string): string => {
  const $ = load(html.slice(0, READ))
  $('script, style, head').remove()
  const textsOf = (selector: string): readonly string[] =>
    $(selector)
      .toArray()
      .map((element) => $(element).text().replaceAll(/\s+/g, ' ').trim())
      .filter((text) => text !== '')
  const sentence = textsOf(BLOCKS).find((text) => /[.!?]$/.test(text))
  const words = textsOf(ALERTS)[0] ?? sentence ?? $.root().text().replaceAll(/\s+/g, ' ').trim()
  return words.slice(0, LONGEST)
}
