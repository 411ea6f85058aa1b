import { placeOf, valueFromDialect, valueToDialect, type Addresses } from './json.ts'
import type { Markup, Parameters, Names } from './vocabulary.ts'

/** Translates queries, forms and pages to a dialect and back. */

const FIELD = / name="([^"]*)"(?: value="([^"]*)")?/g

const ACTION = / action="([^"]*)"/g

const isHtml = (response: Response): boolean =>
  (response.headers.get('content-type') ?? '').startsWith('text/html')

const unescaped = (text: string): string => text.replaceAll('&amp;', '&')

/** Translates a page, with addresses relative to its host. @param here the address of the page. */
export const pageToDialect = async (response: Response, markup: Markup, here: URL): Promise<Response> => {
  if (!isHtml(response)) return response
  const { fields, values, rewrites } = markup
  const fielded = (await response.text())
    .replace(FIELD, (_, name: string, value: string | undefined) => {
      const sent = value === undefined ? '' : ` value="${values[name]?.[value] ?? value}"`
      return ` name="${fields[name] ?? name}"${sent}`
    })
    .replace(ACTION, (_, action: string) => {
      const { pathname, search } = new URL(unescaped(action), here)
      return ` action="${pathname}${search.replaceAll('&', '&amp;')}"`
    })
  const text = rewrites.reduce((page, [from, to]) => page.replace(from, to), fielded)
  return new Response(text, { status: response.status, headers: response.headers })
}

const inverse = (names: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).map(([own, other]) => [other, own]))

/** Translates a form back. A field with the bank's name is ignored if the dialect has another name for it. */
export const hearForm = (encoded: string, { fields, values }: Markup): string => {
  const own = inverse(fields)
  const received = [...new URLSearchParams(encoded)].flatMap(([field, value]): [string, string][] => {
    const name = own.get(field) ?? field
    if (name === field && fields[field] !== undefined) return []
    const words = values[name]
    return [[name, words === undefined ? value : (inverse(words).get(value) ?? '')]]
  })
  return new URLSearchParams(received).toString()
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

type Entries = ReadonlyMap<string, { readonly to: string; readonly convert: (value: string) => unknown }>

const rewritten = (encoded: string, entries: Entries, ignored: ReadonlySet<string>): string =>
  encoded
    .split('&')
    .flatMap((part) => {
      const [name = '', ...values] = part.split('=')
      const key = decoded(name)
      const entry = entries.get(key)
      if (entry === undefined) return ignored.has(key) ? [] : [part]
      const value = decoded(values.join('='))
      const sent = String(entry.convert(value))
      return [
        `${encodeURIComponent(entry.to)}=${sent === value ? values.join('=') : encodeURIComponent(sent)}`,
      ]
    })
    .join('&')

/** Translates parameters back. The bank's name is ignored if the dialect has another name for it. */
export const parametersFromDialect = (encoded: string, parameters: Parameters): string => {
  const entries = new Map(
    Object.entries(parameters).map(([to, given]) => {
      const place = placeOf(given)
      return [place.at, { to, convert: (value: string) => valueFromDialect(value, place) }] as const
    }),
  )
  return rewritten(encoded, entries, new Set(Object.keys(parameters)))
}

/** Translates the bank's parameters to the dialect. */
export const parametersToDialect = (
  encoded: string,
  parameters: Parameters,
  addresses: Addresses,
): string => {
  const entries = new Map(
    Object.entries(parameters).map(([own, given]) => {
      const place = placeOf(given)
      const convert = (value: string): unknown => valueToDialect(value, place, addresses)
      return [own, { to: place.at, convert }] as const
    }),
  )
  return rewritten(encoded, entries, new Set())
}

/** Whether all required parameters are present. */
export const isMarked = (encoded: string, marks: Names): boolean => {
  const given = new URLSearchParams(encoded)
  return Object.entries(marks).every(([name, value]) => given.get(name) === value)
}

export const withMarks = (encoded: string, marks: Names): string => {
  const given = new URLSearchParams(encoded)
  const missing = Object.entries(marks).filter(([name]) => !given.has(name))
  return [encoded, ...missing.map(([name, value]) => new URLSearchParams({ [name]: value }).toString())]
    .filter((part) => part !== '')
    .join('&')
}
