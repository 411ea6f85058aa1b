/** Secrets that are recognized by their name: of a header, parameter, JSON member or form input. */

/** Remembers a value and returns its pseudonym. */
type Learn = (name: string, value: string) => string

const PARAMETERS =
  'code|code_verifier|access_token|refresh_token|id_token|client_secret|password|assertion|client_assertion|otp|pin|csrf'
const MEMBERS =
  'code_verifier|access_token|accessToken|refresh_token|refreshToken|id_token|client_secret|clientSecret|securityHeader|password|token|otp|pin|csrf'

const parameter = new RegExp(`(^|[?&#;]|&amp;)(${PARAMETERS})=([^&#;\\s"'<>]+)`, 'g')
/** A token may be a number, without quotes. */
const member = new RegExp(`("(${MEMBERS})"\\s*:\\s*)(?:"((?:[^"\\\\]|\\\\.)+)"|(-?\\d[\\d.eE+-]*))`, 'g')
// Bounded: otherwise an unclosed tag would be searched again from each of its beginnings.
const input = /<input\b[^>]{0,4096}>/gi
const inputType = /\btype\s*=\s*["']?(\w+)/i
const inputName = /\bname\s*=\s*["']?([^"'\s>]+)/i
const inputValue = /(\bvalue\s*=\s*)(?:"([^"]+)"|'([^']+)')/i

const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}

const unescaped = (value: string): string => {
  try {
    return JSON.parse(`"${value}"`) as string
  } catch {
    return value
  }
}

const url = (text: string, learn: Learn): string =>
  text.includes('=')
    ? text.replace(
        parameter,
        (_, before: string, name: string, value: string) => `${before}${name}=${learn(name, decoded(value))}`,
      )
    : text

const json = (text: string, learn: Learn): string =>
  text.replace(
    member,
    (_, before: string, name: string, text: string | undefined, number: string | undefined) =>
      `${before}"${learn(name, text === undefined ? (number ?? '') : unescaped(text))}"`,
  )

/** Hidden inputs carry sessions and codes; the text of a button is not secret. */
const inputs = (text: string, learn: Learn): string =>
  text.replace(input, (tag) => {
    const type = inputType.exec(tag)?.[1]?.toLowerCase()
    if (type !== 'hidden' && type !== 'password') return tag
    const name = inputName.exec(tag)?.[1] ?? 'input'
    return tag.replace(
      inputValue,
      (_, before: string, double?: string, single?: string) =>
        `${before}"${learn(name, double ?? single ?? '')}"`,
    )
  })

/** A scheme without credentials: its name is not secret and must not be replaced elsewhere. */
const SCHEME_ALONE = /^(?:basic|bearer) *$/i

const credential = (value: string, learn: Learn): string => {
  if (SCHEME_ALONE.test(value)) return value
  const [scheme = '', ...rest] = value.split(' ')
  if (rest.length === 0) return learn('credential', value)
  const name = scheme.toLowerCase() === 'bearer' ? 'access_token' : 'credential'
  return `${scheme} ${learn(name, rest.join(' '))}`
}

const cookies = (value: string, learn: Learn): string =>
  value.replace(/(^|;\s*)([^=;\s]+)=([^;]+)/g, (whole, before: string, name: string, content: string) =>
    COOKIE_ATTRIBUTES.has(name.toLowerCase()) ? whole : `${before}${name}=${learn('cookie', content)}`,
  )

const COOKIE_ATTRIBUTES = new Set(['path', 'domain', 'expires', 'max-age', 'samesite'])

const header = (name: string, value: string, learn: Learn): string => {
  switch (name.toLowerCase()) {
    case 'authorization':
    case 'proxy-authorization':
      return credential(value, learn)
    case 'cookie':
    case 'set-cookie':
      return cookies(value, learn)
    default:
      return url(value, learn)
  }
}

const body = (text: string, media: string, learn: Learn): string => {
  if (text === '') return text
  if (media.includes('html')) return url(inputs(json(text, learn), learn), learn)
  return url(json(text, learn), learn)
}

export const redactNamed = { url, header, body }
