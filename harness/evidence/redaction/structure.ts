import { decodeHTML } from 'entities'
import { Tokenizer } from 'htmlparser2'
import { htmlEncode, percentEncode } from './spellings.ts'

/** Rewrites the decoded values of structured texts, at their places. What is not changed keeps its spelling. */

/** Where a value stands. */
export type Place = 'member' | 'number' | 'parameter' | 'hidden' | 'password' | 'text'

/** What a value becomes. @param name of its member, parameter or field; of the list that it stands in; or empty. */
export type Rewrite = (name: string, value: string, place: Place, around: string) => string

/** The last string of a text that was cut is not closed: its second quote is empty. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*("|$)|-?\d[\d.eE+-]*|[{}[\]]/gs
const COLON = /\s*:/y

const unquote = (token: string, isClosed = true): string => {
  const inner = token.slice(1, isClosed ? -1 : undefined)
  if (!inner.includes('\\')) return inner
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return inner
  }
}

const isKeyBefore = (text: string, end: number): boolean => {
  COLON.lastIndex = end
  return COLON.test(text)
}

/** Whether a text may be JSON, or the beginning of it. */
export const looksLikeJson = (text: string): boolean => /^\s*[{[]/.test(text)

/** Rewrites the keys, strings and numbers of JSON, also if it was cut. JSON stays JSON. */
export const rewriteJson = (text: string, rewrite: Rewrite): string => {
  const above: string[] = []
  let name = ''
  return text.replaceAll(TOKEN, (token, closing: string | undefined, index: number) => {
    const [first] = token
    if (first === '{' || first === '[') {
      above.push(name)
      return token
    }
    if (first === '}' || first === ']') {
      above.pop()
      name = above.at(-1) ?? ''
      return token
    }
    const isKey = first === '"' && isKeyBefore(text, index + token.length)
    const value = first === '"' ? unquote(token, closing !== '') : token
    if (isKey) name = value
    const rewritten = rewrite(
      isKey ? '' : name,
      value,
      first === '"' ? 'member' : 'number',
      above.at(-1) ?? '',
    )
    if (rewritten === value) return token
    const quoted = JSON.stringify(rewritten)
    return closing === '' ? quoted.slice(0, -1) : quoted
  })
}

const MEMBER = /("([\w-]{1,64})"\s*:\s*)("[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*)/g

/** Rewrites members of JSON that stands in another text, such as a script. */
const rewriteMembers = (text: string, rewrite: Rewrite): string =>
  text.replaceAll(MEMBER, (whole, before: string, name: string, token: string) => {
    const value = token.startsWith('"') ? unquote(token) : token
    const rewritten = rewrite(name, value, 'member', '')
    return rewritten === value ? whole : before + JSON.stringify(rewritten)
  })

const decodeForm = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const parameterRewriter =
  (rewrite: Rewrite) =>
  (whole: string, before: string, name: string, value: string): string => {
    const decoded = decodeForm(value)
    const rewritten = rewrite(decodeForm(name), decoded, 'parameter', '')
    return rewritten === decoded ? whole : `${before}${name}=${percentEncode(rewritten)}`
  }

/** Rewrites the parameters of a form (application/x-www-form-urlencoded). */
export const rewriteForm = (text: string, rewrite: Rewrite): string =>
  text.replaceAll(/(^|&)([^=&]*)=([^&]+)/g, parameterRewriter(rewrite))

/** Rewrites the parameters of an address, in its query or fragment, and those of addresses in a text. */
export const rewriteParameters = (text: string, rewrite: Rewrite): string =>
  text.includes('=')
    ? text.replaceAll(/(^|[?&#;])([\w.~%[\]-]+)=([^&#;\s"'<>]+)/g, parameterRewriter(rewrite))
    : text

/** Rewrites what a text without a known structure holds: parameters of addresses, and members of JSON. */
export const rewriteText = (text: string, rewrite: Rewrite): string =>
  rewriteParameters(text.includes('"') ? rewriteMembers(text, rewrite) : text, rewrite)

interface Span {
  readonly start: number
  readonly end: number
}

interface Attribute extends Span {
  readonly name: string
}

const IGNORED = (): void => undefined

/** The attributes of each tag of a page, and its texts. */
const readHtml = (
  html: string,
  onTag: (name: string, attributes: readonly Attribute[]) => void,
  onText: (span: Span) => void,
): void => {
  let tag = ''
  let attributes: Attribute[] = []
  let name = ''
  let value: Span | undefined
  const endTag = (): void => {
    onTag(tag, attributes)
    attributes = []
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => void ((tag = html.slice(start, end).toLowerCase()), (attributes = [])),
      onattribname: (start, end) => void ((name = html.slice(start, end).toLowerCase()), (value = undefined)),
      onattribdata: (start, end) => void (value = { start: value?.start ?? start, end }),
      onattribend: () => {
        if (value !== undefined) attributes.push({ name, ...value })
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      ontext: (start, end) => onText({ start, end }),
      oncomment: (start, end) => onText({ start, end }),
      oncdata: (start, end) => onText({ start, end }),
      onattribentity: IGNORED,
      ontextentity: IGNORED,
      onclosetag: IGNORED,
      ondeclaration: IGNORED,
      onend: IGNORED,
      onprocessinginstruction: IGNORED,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
}

/** Rewrites the attributes, inputs and texts of a page. */
export const rewriteHtml = (html: string, rewrite: Rewrite): string => {
  const pieces: string[] = []
  let kept = 0
  const settle = ({ start, end }: Span, rewriteValue: (value: string) => string): void => {
    const value = decodeHTML(html.slice(start, end))
    const rewritten = rewriteValue(value)
    if (rewritten === value) return
    pieces.push(html.slice(kept, start), htmlEncode(rewritten))
    kept = end
  }
  const textOf = (attributes: readonly Attribute[], wanted: string): string => {
    const found = attributes.find(({ name }) => name === wanted)
    return found === undefined ? '' : decodeHTML(html.slice(found.start, found.end))
  }
  const asText = (value: string): string => rewrite('', value, 'text', '')
  readHtml(
    html,
    (tag, attributes) => {
      const type = textOf(attributes, 'type').trim().toLowerCase()
      const isSecret = tag === 'input' && (type === 'hidden' || type === 'password')
      const input = textOf(attributes, 'name')
      for (const attribute of attributes)
        settle(attribute, (value) =>
          isSecret && attribute.name === 'value' ? rewrite(input, value, type, '') : asText(value),
        )
    },
    (span) => settle(span, asText),
  )
  return pieces.join('') + html.slice(kept)
}

/** A scheme without credentials: its name is not secret. */
const SCHEME_ALONE = /^(?:basic|bearer) *$/i

/** The two values of a Basic header; undefined if it is not base64 of two values. */
const basicPair = (credentials: string): readonly [id: string, secret: string] | undefined => {
  if (!/^[\w+/-]+={0,2}$/.test(credentials)) return undefined
  const pair = Buffer.from(credentials, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  // What is no text is no pair.
  return colon < 0 || /[\x00-\x1f\ufffd]/.test(pair)
    ? undefined
    : [pair.slice(0, colon), pair.slice(colon + 1)]
}

/** The client id of a Basic header stays readable, and so the pair is written without its base64. */
const rewriteCredentials = (value: string, rewrite: Rewrite): string => {
  if (SCHEME_ALONE.test(value)) return value
  const [, scheme = '', credentials = ''] = /^(\S+) +(.*)$/s.exec(value) ?? []
  if (scheme === '') return rewrite('credential', value, 'password', '')
  const pair = scheme.toLowerCase() === 'basic' ? basicPair(credentials) : undefined
  if (pair === undefined) {
    const name = scheme.toLowerCase() === 'bearer' ? 'access_token' : 'credential'
    return `${scheme} ${rewrite(name, credentials, 'password', '')}`
  }
  const [id, secret] = pair
  return `${scheme} ${rewrite('client_id', id, 'text', '')}:${rewrite('client_secret', secret, 'password', '')}`
}

const COOKIE_ATTRIBUTES = new Set(['path', 'domain', 'expires', 'max-age', 'samesite'])

const rewriteCookies = (value: string, rewrite: Rewrite): string =>
  value.replaceAll(/(^|;\s*)([^=;\s]+)=([^;]+)/g, (whole, before: string, name: string, content: string) =>
    COOKIE_ATTRIBUTES.has(name.toLowerCase())
      ? whole
      : `${before}${name}=${rewrite('cookie', content, 'password', '')}`,
  )

export const rewriteHeader = (name: string, value: string, rewrite: Rewrite): string => {
  switch (name.toLowerCase()) {
    case 'authorization':
    case 'proxy-authorization':
      return rewriteCredentials(value, rewrite)
    case 'cookie':
    case 'set-cookie':
      return rewriteCookies(value, rewrite)
    default:
      return rewriteText(value, rewrite)
  }
}

/** Rewrites a body by its media type, or by its look. */
export const rewriteBody = (text: string, media: string, rewrite: Rewrite): string => {
  if (text === '') return text
  if (media.includes('html') || /^\s*<(!doctype|html)/i.test(text)) return rewriteHtml(text, rewrite)
  if (looksLikeJson(text)) return rewriteJson(text, rewrite)
  return media.includes('form-urlencoded') ? rewriteForm(text, rewrite) : rewriteText(text, rewrite)
}
