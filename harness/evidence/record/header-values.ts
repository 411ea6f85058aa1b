import { headerOf, type Exchange } from '../exchange.ts'

/** Values of an answer that the bank gives in a header, such as an id in `Location`, by the places where its JSON would have them. */
export const headerValuesOf = ({
  inHeaders = {},
  response,
}: Pick<Exchange, 'inHeaders' | 'response'>): readonly (readonly [place: string, value: string])[] => {
  if (response === undefined || response.status < 200 || response.status >= 300) return []
  return Object.entries(inHeaders).flatMap(([place, { header, pattern }]) => {
    const found = new RegExp(pattern, 'u').exec(headerOf(response.headers, header) ?? '')
    const value = unescaped(found?.[1] ?? found?.[0] ?? '')
    return value === '' ? [] : [[place, value] as const]
  })
}

/** An id is escaped in an address. */
const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
