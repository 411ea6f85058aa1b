import { decodeHTML } from 'entities'

/**
 * A value in a text may be spelled with escapes, in base64 or in hex, and these may be nested. Each spelling is decoded,
 * and what is found in the decoded text is replaced in the original.
 */

/** Replaces a part of a text. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** Finds what must be replaced in a text that is spelled plainly. */
export type Search = (text: string) => readonly Edit[]

/** Escapes within escapes: of a document, of two spellings that are nested, and of the UTF-8 in base64. */
const DEEPEST = 8
/** Base64 or hex within base64 or hex. */
const DEEPEST_RUN = 3

const UTF8 = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/

/** What stands for one character in a URL, in JSON, in HTML, or where UTF-8 was read byte by byte, as in base64. */
const ESCAPE = new RegExp(
  [
    /%[Uu][\da-fA-F]{4}|%[0-7][\da-fA-F]/,
    /%[c-dC-D][\da-fA-F]%[89abAB][\da-fA-F]|%[eE][\da-fA-F](?:%[89abAB][\da-fA-F]){2}|%[fF][0-4](?:%[89abAB][\da-fA-F]){3}/,
    /\\(?:u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}|x[\da-fA-F]{2}|[^ux])/,
    /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][\da-zA-Z]{1,31});?/,
    UTF8,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

/** Is quickly found in a text that has escapes. */
const HINT = /%[\da-fA-FuU]|\\|&[#a-zA-Z]|[\xc2-\xf4][\x80-\xbf]/

const decodeEscape = (escape: string): string => {
  switch (escape[0]) {
    case '%':
      return fromPercent(escape)
    case '\\':
      return fromJson(escape)
    case '&':
      return fromHtml(escape)
    default:
      return Buffer.from(escape, 'latin1').toString('utf8')
  }
}

const fromCode = (digits: string, radix = 16): string => {
  const code = Number.parseInt(digits, radix)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** A number is a code point, also where HTML means another one: it may be an octet of UTF-8. */
const fromHtml = (escape: string): string => {
  const [, x, digits] = /^&#([xX]?)([\da-fA-F]+)/.exec(escape) ?? []
  return digits === undefined ? decodeHTML(escape) : fromCode(digits, x === '' ? 10 : 16)
}

const fromPercent = (escape: string): string => {
  if (/^%u/i.test(escape)) return fromCode(escape.slice(2))
  try {
    return decodeURIComponent(escape)
  } catch {
    return escape
  }
}

const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const fromJson = (escape: string): string => {
  const hex = /^\\[ux]\{?([\da-f]+)/i.exec(escape)?.[1]
  const character = escape.slice(1)
  return hex === undefined ? (CONTROLS[character] ?? character) : fromCode(hex)
}

/** Decodes one layer of escapes, of whatever kind. */
const unescape = (text: string): string =>
  HINT.test(text) ? text.replaceAll(ESCAPE, (escape) => decodeEscape(escape)) : text

/**
 * A value, and what it becomes if it looks as if it had escapes itself. Where the text that it stands in is decoded, so
 * is the value.
 */
export const formsOf = (value: string): readonly string[] => {
  const forms = [value]
  for (let depth = 0; depth < DEEPEST; depth += 1) forms.push(unescape(forms.at(-1) ?? ''))
  return [...new Set(forms)]
}

/** The brackets and the colon of a pseudonym stay readable. */
export const percentEncode = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /%5B|%5D|%3A/g,
    decodeURIComponent,
  )

export const htmlEncode = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const MOST_KEPT = 20_000
const LONGEST_KEPT = 200

/** The same short texts occur again and again: what depends on one of them is computed once. */
export const remembered = <Value>(compute: (text: string) => Value): ((text: string) => Value) => {
  const kept = new Map<string, { readonly value: Value }>()
  return (text) => {
    if (text.length > LONGEST_KEPT) return compute(text)
    const known = kept.get(text)
    if (known !== undefined) return known.value
    // A copy: a part of a longer text would keep all of it in memory.
    const copy = Buffer.from(text, 'utf16le').toString('utf16le')
    const value = compute(copy)
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(copy, { value })
    return value
  }
}

/** Bytes that hold a text, or are one. Most words that look like base64 decode to noise. */
const CHARACTER = String.raw`[\t\n\r -~]|${UTF8.source}`
const TEXT = new RegExp(`(?:${CHARACTER}){8,}|^(?:${CHARACTER}){4,}$`)

interface Decoded {
  /** Where it begins in the run. */
  readonly offset: number
  readonly text: string
}

/** @param offsets where its first byte may begin: what stands before it may look like a part of it. */
const decoder = (encoding: 'base64' | 'hex', offsets: readonly number[]) =>
  remembered((run): readonly Decoded[] =>
    offsets
      .map((offset) => ({ offset, text: Buffer.from(run.slice(offset), encoding).toString('latin1') }))
      .filter(({ text }) => TEXT.test(text)),
  )

/** Texts that stand for bytes, such as base64. */
interface Runs {
  readonly run: RegExp
  readonly decode: (run: string) => readonly Decoded[]
  readonly encode: (bytes: string, run: string) => string
}

const RUNS: readonly Runs[] = [
  {
    run: /[\w+/-]{6,}={0,2}/g,
    decode: decoder('base64', [0, 1, 2, 3]),
    encode: (bytes, run) => {
      const encoded = Buffer.from(bytes, 'latin1').toString(/[-_]/.test(run) ? 'base64url' : 'base64')
      const bare = encoded.replace(/=+$/, '')
      return run.endsWith('=') ? bare.padEnd(Math.ceil(bare.length / 4) * 4, '=') : bare
    },
  },
  {
    run: /[\da-f]{8,}/gi,
    decode: decoder('hex', [0, 1]),
    encode: (bytes) => Buffer.from(bytes, 'latin1').toString('hex'),
  },
]

/** What was found in the texts that runs decode to. */
type Known = Map<string, readonly Edit[]>

/** All that must be replaced in a text, in whatever spelling; parts may overlap. */
const find = (text: string, search: Search, runDepth = DEEPEST_RUN, known: Known = new Map()): Edit[] => {
  const edits: Edit[] = []
  const readings = [text]
  for (const reading of readings) {
    const found = [...search(reading), ...findInRuns(reading, search, runDepth, known)]
    if (found.length > 0) {
      const origins = readings.slice(0, -1).reduce<Origins | undefined>(originsOf, undefined)
      edits.push(...found.map((edit) => (origins === undefined ? edit : inOriginal(edit, text, origins))))
    }
    const next = unescape(reading)
    if (next !== reading && readings.length <= DEEPEST) readings.push(next)
  }
  return edits
}

/** For each character of a text without its escapes, and for its end, where it begins in the original. */
type Origins = readonly number[]

const inOriginal = ({ start, end, replacement }: Edit, text: string, origins: Origins): Edit => {
  const [from, to] = [origins[start] ?? text.length, origins[end] ?? text.length]
  // The characters of base64 have a meaning in a URL.
  const isInUrl = /%[\da-f]{2}/i.test(text.slice(from, to))
  return { start: from, end: to, replacement: isInUrl ? percentEncode(replacement) : replacement }
}

/** @param before the origins of the text itself, if it is without escapes already. */
const originsOf = (before: Origins | undefined, text: string): Origins => {
  const originOf = (at: number): number => before?.[at] ?? at
  const origins: number[] = []
  let at = 0
  for (const { 0: escape, index } of text.matchAll(ESCAPE)) {
    for (; at < index; at += 1) origins.push(originOf(at))
    const { length } = decodeEscape(escape)
    at = index + escape.length
    for (let unit = 0; unit < length; unit += 1) origins.push(originOf(unit === 0 ? index : at))
  }
  for (; at <= text.length; at += 1) origins.push(originOf(at))
  return origins
}

const findInRuns = (text: string, search: Search, depth: number, known: Known): readonly Edit[] => {
  const edits: Edit[] = []
  if (depth === 0) return edits
  for (const { run: pattern, decode, encode } of RUNS)
    for (const { 0: run, index } of text.matchAll(pattern))
      for (const { offset, text: inner } of decode(run)) {
        const key = `${depth} ${inner}`
        const found = known.get(key) ?? find(inner, search, depth - 1, known)
        known.set(key, found)
        if (found.length === 0) continue
        const replaced = applyEdits(inner, found)
        edits.push({
          start: index + offset,
          end: index + run.length,
          // A run that is nothing but one secret becomes its pseudonym, in clear.
          replacement: isWhole(inner, found) ? replaced : encode(replaced, run),
        })
      }
  return edits
}

const isWhole = (text: string, edits: readonly Edit[]): boolean =>
  edits.some(({ start, end }) => start === 0 && end === text.length)

/** Of parts that overlap the first is replaced, and of those that begin alike the longest. */
const applyEdits = (text: string, edits: readonly Edit[]): string => {
  const sorted = edits.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const pieces: string[] = []
  let kept = 0
  for (const { start, end, replacement } of sorted) {
    if (start < kept) continue
    pieces.push(text.slice(kept, start), replacement)
    kept = end
  }
  return pieces.join('') + text.slice(kept)
}

const readingsOf = remembered((text): readonly string[] => {
  const readings: string[] = []
  find(text, (reading) => {
    readings.push(reading)
    return []
  })
  return readings
})

/** Replacing one part may uncover another that it overlapped. */
const MOST_PASSES = 5

/** The text with all that the search finds in it replaced, in whatever spelling. What it does not find stays as it is. */
export const replaceInAnySpelling = (text: string, search: Search): string => {
  const isKept = text.length <= LONGEST_KEPT
  if (isKept && readingsOf(text).every((reading) => search(reading).length === 0)) return text
  let replaced = text
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const edits = find(replaced, search)
    if (edits.length === 0) break
    replaced = applyEdits(replaced, edits)
  }
  return replaced
}

/** A judge looks for many values in the same answer. */
let latest: { readonly text: string; readonly readings: readonly string[] } | undefined

/** A form writes a blank as a plus. */
export const withBlanks = (text: string): string => (text.includes('+') ? text.replaceAll('+', ' ') : text)

/** Whether a text contains a value, in whatever spelling. */
export const containsInAnySpelling = (text: string, value: string): boolean => {
  if (text.includes(value)) return true
  if (latest?.text !== text) latest = { text, readings: readingsOf(text).map(withBlanks) }
  const forms = formsOf(value).map(withBlanks)
  return latest.readings.some((reading) => forms.some((form) => reading.includes(form)))
}
