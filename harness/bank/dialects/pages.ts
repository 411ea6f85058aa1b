/** Pages in other markup, and what comes back from their forms. */
import type { Markup } from './vocabulary.ts'

const FIELD = / name="([^"]*)"(?: value="([^"]*)")?/g

const ACTION = / action="([^"]*)"/g

const isHtml = (response: Response): boolean =>
  (response.headers.get('content-type') ?? '').startsWith('text/html')

const unescaped = (text: string): string => text.replaceAll('&amp;', '&')

/** The page, with addresses that lead to the bank's own wherever it is shown. @param here its own address. */
export const sayPage = async (response: Response, markup: Markup, here: URL): Promise<Response> => {
  if (!isHtml(response)) return response
  const { fields, values, rewrites } = markup
  const fielded = (await response.text())
    .replace(FIELD, (_, name: string, value: string | undefined) => {
      const said = value === undefined ? '' : ` value="${values[name]?.[value] ?? value}"`
      return ` name="${fields[name] ?? name}"${said}`
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

/** What was said on a form, in the bank's own names; one that it calls otherwise here is none. */
export const hearForm = (encoded: string, { fields, values }: Markup): string => {
  const own = inverse(fields)
  const heard = [...new URLSearchParams(encoded)].flatMap(([field, value]): [string, string][] => {
    const name = own.get(field) ?? field
    if (name === field && fields[field] !== undefined) return []
    const words = values[name]
    return [[name, words === undefined ? value : (inverse(words).get(value) ?? '')]]
  })
  return new URLSearchParams(heard).toString()
}
