import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** Searches the output of a run for planted secrets, in every encoding. */

export interface Canary {
  readonly name: string
  readonly value: string
}

/** Where a canary was found, and in which encoding. */
interface Leak {
  readonly place: string
  readonly canary: string
  readonly form: string
}

const escapedOf = (text: string): string => JSON.stringify(text).slice(1, -1)

const unicodeEscapes = (text: string): string =>
  escapedOf(text).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const percentOf = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

const htmlOf = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * The part of the base64 text that does not depend on the bytes before and after the secret.
 * @param before the number of bytes before the secret, modulo 3.
 */
const base64Of = (text: string, before: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
  const whole = bytes.toString('base64').replace(/=+$/, '')
  const start = Math.ceil((before * 4) / 3)
  const surplus = bytes.length % 3 === 0 ? 0 : 1
  return whole.slice(start, whole.length - surplus)
}

const inUrl = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_')

/** Every encoding of a secret, and its name. Encodings that give the same text count once. */
export const formsOf = (value: string): ReadonlyMap<string, string> => {
  const inBase64 = [0, 1, 2].map((before) => base64Of(value, before))
  const named: readonly (readonly [form: string, text: string])[] = [
    ['raw', value],
    ['JSON', escapedOf(value)],
    ['JSON in JSON', escapedOf(escapedOf(value))],
    ['JSON, ASCII', unicodeEscapes(value)],
    ['percent', encodeURIComponent(value)],
    ['percent, all', percentOf(value)],
    [
      'percent, lower case',
      encodeURIComponent(value).replaceAll(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()),
    ],
    ['form', encodeURIComponent(value).replaceAll('%20', '+')],
    ['HTML', htmlOf(value)],
    ['HTML, apostrophes', htmlOf(value).replaceAll("'", '&#39;')],
    ['hex', Buffer.from(value).toString('hex')],
    ...inBase64.map((text, at) => [`base64 after ${at} bytes`, text] as const),
    ...inBase64.map((text, at) => [`base64url after ${at} bytes`, inUrl(text)] as const),
  ]
  return new Map(named.map(([form, text]) => [text, form]))
}

const UNPACKING = [gunzipSync, inflateSync, brotliDecompressSync]

const unpacked = (bytes: Buffer): readonly Buffer[] =>
  UNPACKING.flatMap((unpack) => {
    try {
      return [unpack(bytes)]
    } catch {
      return []
    }
  })

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b
const isDeflate = (bytes: Buffer): boolean => bytes[0] === 0x78

/** A single-file report contains its parts in base64. */
const ENCODED = /[A-Za-z0-9+/_-]{32,}={0,2}/g
const DEPTH = 3

/** The content of a file: as it is, decompressed, and decoded from base64. */
const layersOf = (bytes: Buffer, depth = 0): readonly string[] => {
  const inside = isGzip(bytes) || isDeflate(bytes) ? unpacked(bytes) : []
  const text = bytes.toString('utf8')
  const encoded = depth < DEPTH ? (text.match(ENCODED) ?? []) : []
  return [
    text,
    ...inside.flatMap((one) => layersOf(one, depth + 1)),
    ...encoded.flatMap((run) => layersOf(Buffer.from(run, 'base64'), depth + 1)),
  ]
}

/** @param place the name of the file or stream, for the reader. */
export const leaksIn = (place: string, content: Buffer, canaries: readonly Canary[]): readonly Leak[] => {
  const layers = layersOf(content)
  return canaries.flatMap(({ name, value }) =>
    [...formsOf(value)].flatMap(([text, form]) =>
      layers.some((layer) => layer.includes(text)) ? [{ place, canary: name, form }] : [],
    ),
  )
}

export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())

/** Every leak into any file of a folder. */
export const leaksInFolder = (folder: string, canaries: readonly Canary[]): readonly Leak[] =>
  filesIn(folder).flatMap((file) => leaksIn(relative(folder, file), readFileSync(file), canaries))

const BEGINNING = 8

/**
 * Searches texts for thousands of needles. Each text is read once: the first characters of a needle are its key.
 * @throws if a needle is shorter than the key.
 */
export const searchFor = (needles: Iterable<string>): ((text: string) => readonly string[]) => {
  const byBeginning = new Map<string, string[]>()
  for (const needle of new Set(needles)) {
    const beginning = needle.slice(0, BEGINNING)
    if (beginning.length < BEGINNING) throw new Error(`${JSON.stringify(needle)} is too short to be searched`)
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), needle])
  }
  return (text) => {
    const found = new Set<string>()
    for (let at = 0; at + BEGINNING <= text.length; at += 1)
      for (const needle of byBeginning.get(text.slice(at, at + BEGINNING)) ?? [])
        if (text.startsWith(needle, at)) found.add(needle)
    return [...found]
  }
}
