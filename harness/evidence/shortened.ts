import { createHash } from 'node:crypto'
import { endOfString } from './json.ts'

/** Shortens the long texts in a large answer, such as a picture or a script: what is read of an answer does not need them. */

/** A longer text is replaced by its beginning and its digest. */
const LONGEST = 4096
const BEGINNING = 256

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The beginning, the length and the digest of a text; the text itself if it is short. An escape is not cut. */
const abbreviated = (text: string): string =>
  text.length <= LONGEST
    ? text
    : `${text.slice(0, BEGINNING).replace(/\\+(u[\da-f]{0,4})?$/i, '')}... (${text.length} characters, SHA-256 ${digestOf(text)})`

/** JSON whose long strings are abbreviated. */
const shortenedJson = (json: string): string => {
  const parts: string[] = []
  let from = 0
  for (let quote = json.indexOf('"'); quote !== -1; quote = json.indexOf('"', from)) {
    const end = endOfString(json, quote)
    parts.push(json.slice(from, quote + 1), abbreviated(json.slice(quote + 1, end)), json.slice(end, end + 1))
    from = end + 1
  }
  return parts.join('') + json.slice(from)
}

const SCRIPT_OR_STYLE = /(<(script|style)\b[^>]*>)(.*?)(<\/\2\s*>)/gis
const DATA = /(["'])(data:[^"']*)\1/gi

const shortenedPage = (html: string): string =>
  html
    .replace(
      SCRIPT_OR_STYLE,
      (_, start: string, __, text: string, end: string) => start + abbreviated(text) + end,
    )
    .replace(DATA, (_, quote: string, address: string) => quote + abbreviated(address) + quote)

/** The text with what is long in it abbreviated; undefined if it is neither JSON nor a page. */
export const shortened = (text: string): string | undefined => {
  const [first] = text.trimStart()
  if (first === '{' || first === '[') return shortenedJson(text)
  return first === '<' ? shortenedPage(text) : undefined
}
