import type { Body, Exchange, Handover, HeaderFields } from './exchange.ts'

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

const redactNamed = { url, header, body }

/** Replaces any of many words in a text in one pass over it. */
interface WordScanner {
  add(word: string, replacement: string): void
  replace(text: string): string
  /** Another scanner, which begins with the words of this one. */
  branch(): WordScanner
}

/** A shorter word would be found in innocent text everywhere. */
const SHORTEST_WORD = 4

interface Entry {
  readonly word: string
  readonly replacement: string
}

/** @param entries words by their first four characters, the longest word first. */
export const createScanner = (entries = new Map<string, readonly Entry[]>()): WordScanner => ({
  add(word, replacement) {
    if (word.length < SHORTEST_WORD) return
    const beginning = word.slice(0, SHORTEST_WORD)
    const siblings = entries.get(beginning) ?? []
    if (siblings.some((sibling) => sibling.word === word)) return
    entries.set(
      beginning,
      [...siblings, { word, replacement }].sort((a, b) => b.word.length - a.word.length),
    )
  },

  replace(text) {
    const pieces: string[] = []
    let kept = 0
    for (let at = 0; at + SHORTEST_WORD <= text.length; at += 1) {
      const entry = entries
        .get(text.slice(at, at + SHORTEST_WORD))
        ?.find(({ word }) => text.startsWith(word, at))
      if (entry === undefined) continue
      pieces.push(text.slice(kept, at), entry.replacement)
      kept = at + entry.word.length
      at = kept - 1
    }
    return pieces.length === 0 ? text : pieces.join('') + text.slice(kept)
  },

  branch: () => createScanner(new Map(entries)),
})

/**
 * Removes secrets from everything that is written. A secret becomes a pseudonym, `[access_token:2]`, the same
 * wherever it occurs in a scenario: a reader still sees that the code of the redirect is the code of the token
 * request.
 */
export interface Redactor {
  /** Adds a secret value; from then on it is replaced wherever it occurs, in any encoding. */
  learn(name: string, value: string): void
  text(text: string): string
  exchange(exchange: Exchange): Exchange
}

/** A secret that is known before the first request: from the profile, or an imported token. */
export interface KnownSecret {
  readonly name: string
  readonly value: string
}

const percent = (value: string): string => {
  try {
    return encodeURIComponent(value)
  } catch {
    // A lone surrogate has no percent-encoding, and cannot occur in a URL either.
    return value
  }
}

const html = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Characters that every encoding of text leaves unchanged (RFC 3986 §2.3). */
const UNRESERVED = /^[\w.~-]*$/

/** All forms of a value in a header, a URL, a form, JSON, HTML or a Basic credential. */
export const encodingsOf = (value: string): readonly string[] => {
  const bytes = Buffer.from(value)
  return [
    ...(UNRESERVED.test(value) ? [value] : spellingsOf(value)),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ]
}

const spellingsOf = (value: string): readonly string[] => {
  const escaped = percent(value)
  return [
    value,
    escaped,
    escaped.replaceAll('%20', '+'),
    escaped.replaceAll(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()),
    JSON.stringify(value).slice(1, -1),
    html(value),
    html(value).replaceAll("'", '&#39;'),
  ]
}

/** The known secrets and their pseudonyms. */
interface Memory {
  readonly learn: (name: string, value: string) => string
  readonly replace: (text: string) => string
  readonly branch: () => Memory
}

const createMemory = (
  scanner: WordScanner = createScanner(),
  pseudonyms = new Map<string, string>(),
  counts = new Map<string, number>(),
): Memory => {
  const pseudonymOf = (name: string, value: string): string => {
    const present = pseudonyms.get(value)
    if (present !== undefined) return present
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const pseudonym = `[${name}:${count}]`
    pseudonyms.set(value, pseudonym)
    return pseudonym
  }

  return {
    learn(name, value) {
      if (value.length === 0 || isPseudonym(value)) return value
      const isNew = !pseudonyms.has(value)
      const pseudonym = pseudonymOf(name, value)
      if (isNew && value.length >= SHORTEST_WORD)
        for (const encoding of encodingsOf(value)) scanner.add(encoding, pseudonym)
      return pseudonym
    },
    replace: (text) => scanner.replace(text),
    branch: () => createMemory(scanner.branch(), new Map(pseudonyms), new Map(counts)),
  }
}

/** All scenarios of a run share the same known secrets: their encodings are computed once. */
const memories = new WeakMap<readonly KnownSecret[], Memory>()

const memoryOf = (known: readonly KnownSecret[]): Memory => {
  const memory = memories.get(known) ?? createMemory()
  if (!memories.has(known)) for (const { name, value } of known) memory.learn(name, value)
  memories.set(known, memory)
  return memory.branch()
}

/** @param known must not be changed afterwards. */
export const createRedactor = (known: readonly KnownSecret[]): Redactor => {
  const { learn, replace: text } = memoryOf(known)
  const body = (whole: Body, media: string): Body => ({
    ...whole,
    text: text(redactNamed.body(whole.text, media, learn)),
  })
  const headers = (fields: HeaderFields): HeaderFields =>
    fields.map(([name, value]) => [name, text(redactNamed.header(name, value, learn))] as const)
  /** The Authorization header of a webhook call is set by the owner of the application, and may lack a scheme. */
  const called = (fields: HeaderFields): HeaderFields =>
    headers(
      fields.map(([name, value]) => [
        name,
        name.toLowerCase() === 'authorization' ? learn('security_header', value) : value,
      ]),
    )
  const handedOver = ({ by, address, code }: Handover): Handover => ({
    by,
    ...(address !== undefined && { address: text(redactNamed.url(address, learn)) }),
    ...(code !== undefined && { code: learn('code', code) }),
  })
  const mediaOf = (fields: HeaderFields): string =>
    fields.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''

  return {
    learn: (name, value) => void learn(name, value),
    text,
    exchange: (exchange) => {
      const { sender, request, response, handover } = exchange
      const sent = sender === 'target' ? called : headers
      return {
        ...exchange,
        request: {
          method: request.method,
          url: text(redactNamed.url(request.url, learn)),
          headers: sent(request.headers),
          ...(request.body && { body: body(request.body, mediaOf(request.headers)) }),
        },
        ...(response && {
          response: {
            status: response.status,
            headers: headers(response.headers),
            body: body(response.body, mediaOf(response.headers)),
          },
        }),
        ...(handover && { handover: handedOver(handover) }),
      }
    },
  }
}

const isPseudonym = (value: string): boolean => /^\[[\w-]+:\d+\]$/.test(value)
