import { redactNamed } from './named-secrets.ts'
import { createScanner, SHORTEST_WORD } from './word-scanner.ts'
import type { WordScanner } from './word-scanner.ts'
import type { Body, Exchange, Handover, HeaderFields } from './exchange.ts'

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
