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

/** Nested escapes: those of a document, two around the value, and the UTF-8 of what was in base64. */
const DEEPEST = 6
/** Nested base64 or hex. */
const DEEPEST_RUN = 3

/** Escapes that stand for one character each. */
interface Escapes {
  /** Is quickly found in a text that has such escapes. */
  readonly hint: RegExp
  readonly escape: RegExp
  readonly decode: (escape: string) => string
  /** What a replacement must be escaped as. */
  readonly encode: (text: string) => string
}

const PERCENT =
  /%u[\da-f]{4}|%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-4](?:%[89ab][\da-f]){3}/gi

const fromPercent = (escape: string): string => {
  if (escape.startsWith('%u') || escape.startsWith('%U')) return fromCode(escape.slice(2), 16)
  try {
    return decodeURIComponent(escape)
  } catch {
    return escape
  }
}

const fromCode = (digits: string, radix: number): string => {
  const code = Number.parseInt(digits, radix)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** The brackets and the colon of a pseudonym stay readable. */
export const percentEncode = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /%5B|%5D|%3A/g,
    decodeURIComponent,
  )

const JSON_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const fromJson = (escape: string): string => {
  const hex = /^\\[ux]\{?([\da-f]+)/i.exec(escape)?.[1]
  const character = escape.slice(1)
  return hex === undefined ? (JSON_ESCAPES[character] ?? character) : fromCode(hex, 16)
}

export const htmlEncode = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const UTF8 = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/

const ESCAPES: readonly Escapes[] = [
  { hint: /%[\da-fu]/i, escape: PERCENT, decode: fromPercent, encode: percentEncode },
  {
    // A form writes a blank as +, and a query may hold a plus as it is.
    hint: /\+/,
    escape: new RegExp(`\\+|${PERCENT.source}`, 'gi'),
    decode: (escape) => (escape === '+' ? ' ' : fromPercent(escape)),
    encode: percentEncode,
  },
  {
    hint: /\\/,
    escape: /\\(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|[^ux])/gis,
    decode: fromJson,
    encode: (text) => JSON.stringify(text).slice(1, -1),
  },
  {
    hint: /&[#a-z]/i,
    escape: /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]{1,31});?/gi,
    decode: decodeHTML,
    encode: htmlEncode,
  },
  {
    // UTF-8 that was read byte by byte, as in base64, or in a header.
    hint: UTF8,
    escape: new RegExp(UTF8, 'g'),
    decode: (escape) => Buffer.from(escape, 'latin1').toString('utf8'),
    encode: (text) => Buffer.from(text, 'utf8').toString('latin1'),
  },
]

/** Texts that stand for bytes, such as base64. */
interface Runs {
  readonly run: RegExp
  /** Where its first byte may begin: what stands before it may look like a part of it. */
  readonly offsets: readonly number[]
  readonly decode: (run: string) => string
  readonly encode: (bytes: string, run: string) => string
}

const RUNS: readonly Runs[] = [
  {
    run: /[\w+/-]{6,}={0,2}/g,
    offsets: [0, 1, 2, 3],
    decode: (run) => Buffer.from(run, 'base64').toString('latin1'),
    encode: (bytes, run) => {
      const encoded = Buffer.from(bytes, 'latin1').toString(/[-_]/.test(run) ? 'base64url' : 'base64')
      const bare = encoded.replace(/=+$/, '')
      return run.endsWith('=') ? bare.padEnd(Math.ceil(bare.length / 4) * 4, '=') : bare
    },
  },
  {
    run: /[\da-f]{8,}/gi,
    offsets: [0, 1],
    decode: (run) => Buffer.from(run, 'hex').toString('latin1'),
    encode: (bytes) => Buffer.from(bytes, 'latin1').toString('hex'),
  },
]

/** Bytes that hold a text, or are one. Most words that look like base64 decode to noise. */
const CHARACTER = String.raw`[\t\n\r -~]|${UTF8.source}`
const TEXT = new RegExp(`(?:${CHARACTER}){8,}|^(?:${CHARACTER}){4,}$`)

interface Decoded {
  /** Where it begins in the run. */
  readonly offset: number
  readonly text: string
}

const decodeRun = (run: string, { offsets, decode }: Runs): readonly Decoded[] =>
  offsets.map((offset) => ({ offset, text: decode(run.slice(offset)) })).filter(({ text }) => TEXT.test(text))

/** The same words occur again and again: each is decoded once. */
const MOST_KEPT = 20_000
const caches = RUNS.map(() => new Map<string, readonly Decoded[]>())

const decodeOnce = (run: string, at: number): readonly Decoded[] => {
  const [runs, cache] = [RUNS[at], caches[at]]
  if (runs === undefined || cache === undefined) return []
  const known = cache.get(run)
  if (known !== undefined) return known
  const decoded = decodeRun(run, runs)
  if (cache.size >= MOST_KEPT) cache.clear()
  if (run.length <= LONGEST_KEPT) cache.set(run, decoded)
  return decoded
}

const LONGEST_KEPT = 200

/** Several orders of decoding lead to the same text. */
type Known = Map<string, readonly Edit[]>

interface Depths {
  readonly escapes: number
  readonly runs: number
  readonly known: Known
}

const DEPTHS = { escapes: DEEPEST, runs: DEEPEST_RUN }

/** All that must be replaced in a text, in whatever spelling; parts may overlap. */
const find = (text: string, search: Search, depths: Depths): readonly Edit[] => {
  const { escapes, runs } = depths
  const edits = [...search(text)]
  if (escapes > 0)
    for (const kind of ESCAPES)
      if (kind.hint.test(text))
        edits.push(
          ...findEscaped(text, kind, (inner) => findOnce(inner, search, { ...depths, escapes: escapes - 1 })),
        )
  if (runs > 0) edits.push(...findInRuns(text, (inner) => find(inner, search, { ...depths, runs: runs - 1 })))
  return edits
}

const findOnce = (text: string, search: Search, depths: Depths): readonly Edit[] => {
  const key = `${depths.escapes} ${depths.runs} ${text}`
  const edits = depths.known.get(key) ?? find(text, search, depths)
  depths.known.set(key, edits)
  return edits
}

const findEscaped = (text: string, { escape, decode, encode }: Escapes, findIn: Search): readonly Edit[] => {
  const decoded = text.replaceAll(escape, (one) => decode(one))
  if (decoded === text) return []
  const found = findIn(decoded)
  if (found.length === 0) return []
  const origins = originsOf(text, escape, decode)
  const originOf = (at: number): number => origins[at] ?? text.length
  return found.map(({ start, end, replacement }) => ({
    start: originOf(start),
    end: originOf(end),
    replacement: encode(replacement),
  }))
}

/** For each character of the decoded text, and for its end, where it begins in the original. */
const originsOf = (text: string, escape: RegExp, decode: (escape: string) => string): readonly number[] => {
  const origins: number[] = []
  let at = 0
  for (const { 0: one, index } of text.matchAll(escape)) {
    for (; at < index; at += 1) origins.push(at)
    const { length } = decode(one)
    for (let unit = 0; unit < length; unit += 1) origins.push(unit === 0 ? index : index + one.length)
    at = index + one.length
  }
  for (; at <= text.length; at += 1) origins.push(at)
  return origins
}

const findInRuns = (text: string, findIn: Search): readonly Edit[] =>
  RUNS.flatMap((runs, kind) => {
    const edits: Edit[] = []
    for (const { 0: run, index } of text.matchAll(runs.run))
      for (const { offset, text: inner } of decodeOnce(run, kind)) {
        const found = findIn(inner)
        if (found.length === 0) continue
        const replaced = applyEdits(inner, found)
        edits.push({
          start: index + offset,
          end: index + run.length,
          // A run that is nothing but one secret becomes its pseudonym, in clear.
          replacement: isWhole(inner, found) ? replaced : runs.encode(replaced, run),
        })
      }
    return edits
  })

const isWhole = (text: string, edits: readonly Edit[]): boolean =>
  edits.some(({ start, end }) => start === 0 && end === text.length)

/** Of parts that overlap the first is replaced, and of those that begin alike the longest. */
const applyEdits = (text: string, edits: readonly Edit[]): string => {
  if (edits.length === 0) return text
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

/** Most texts of an exchange are short, occur again and again, and have no other spelling: these are only searched. */
const plainTexts = new Set<string>()

const isPlain = (text: string): boolean => {
  if (plainTexts.has(text)) return true
  if (text.length > LONGEST_KEPT) return false
  let readings = 0
  const count: Search = () => {
    readings += 1
    return []
  }
  find(text, count, { escapes: 1, runs: 1, known: new Map() })
  if (readings > 1) return false
  if (plainTexts.size >= MOST_KEPT) plainTexts.clear()
  plainTexts.add(text)
  return true
}

/** Replacing one part may uncover another that it overlapped. */
const MOST_PASSES = 5

/** The text with all that the search finds in it replaced, in whatever spelling. What it does not find stays as it is. */
export const replaceInAnySpelling = (text: string, search: Search): string => {
  if (isPlain(text)) return applyEdits(text, search(text))
  let replaced = text
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const edits = find(replaced, search, { ...DEPTHS, known: new Map() })
    if (edits.length === 0) break
    replaced = applyEdits(replaced, edits)
  }
  return replaced
}

/** A text as it is, and all that it decodes to. */
const readingsOf = (text: string): readonly string[] => {
  const readings: string[] = []
  const read: Search = (one) => {
    readings.push(one)
    return []
  }
  find(text, read, { ...DEPTHS, known: new Map() })
  return readings
}

/** A judge looks for many values in the same answer. */
let latest: { readonly text: string; readonly readings: readonly string[] } | undefined

/** Whether a text contains a value, in whatever spelling. */
export const containsInAnySpelling = (text: string, value: string): boolean => {
  if (text.includes(value)) return true
  if (latest?.text !== text) latest = { text, readings: readingsOf(text) }
  const bytes = Buffer.from(value).toString('latin1')
  return latest.readings.some((reading) => reading.includes(value) || reading.includes(bytes))
}
