import { encodeHTML, encodeNonAsciiHTML } from 'entities'

/** The ways in which a server may write a value into a text. Any of them may be applied to the result of another. */

type Encode = (text: string) => string

const bytesOf = (text: string): readonly number[] => [...Buffer.from(text)]
const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
const eachUnit =
  (encode: (code: number) => string): Encode =>
  (text) =>
    Array.from({ length: text.length }, (_, at) => encode(text.charCodeAt(at))).join('')
const eachCharacter =
  (encode: (code: number) => string): Encode =>
  (text) =>
    Array.from(text, (character) => encode(character.codePointAt(0) ?? 0)).join('')

const json: Encode = (text) => JSON.stringify(text).slice(1, -1)
const unicode = (code: number): string => `\\u${hexOf(code, 4)}`
const percent: Encode = (text) => encodeURIComponent(text)
const lowerOctets: Encode = (text) => text.replaceAll(/%[\dA-F]{2}/g, (octet) => octet.toLowerCase())
const html: Encode = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const base64: Encode = (text) => Buffer.from(text).toString('base64')
const base64url: Encode = (text) => Buffer.from(text).toString('base64url')
const hex: Encode = (text) => Buffer.from(text).toString('hex')

/** By their names. */
export const ENCODINGS: Readonly<Record<string, Encode>> = {
  'as it is': (text) => text,
  JSON: json,
  'JSON, ASCII': (text) => json(text).replaceAll(/[^ -~]/g, eachUnit(unicode)),
  'JSON, ASCII, upper case': (text) =>
    json(text).replaceAll(
      /[^ -~]/g,
      eachUnit((code) => `\\u${hexOf(code, 4).toUpperCase()}`),
    ),
  'JSON of PHP': (text) => json(text).replaceAll('/', '\\/'),
  'JSON of Go': (text) => json(text).replaceAll(/[&<>]/g, eachUnit(unicode)),
  'JSON of Gson': (text) => json(text).replaceAll(/[&<>=']/g, eachUnit(unicode)),
  'JSON, escapes only': eachUnit(unicode),
  'JSON in JSON': (text) => json(json(text)),
  'a member of JSON': (text) => JSON.stringify({ message: `no such value: ${text}` }),
  'a script, octets': (text) =>
    bytesOf(text).every((byte) => byte < 128) ? eachUnit((code) => `\\x${hexOf(code, 2)}`)(text) : json(text),
  'a script, code points': eachCharacter((code) => `\\u{${hexOf(code, 1)}}`),
  percent,
  'percent, lower case': (text) => lowerOctets(percent(text)),
  'percent, all octets': (text) =>
    bytesOf(text)
      .map((byte) => `%${hexOf(byte, 2).toUpperCase()}`)
      .join(''),
  'percent, all octets, lower case': (text) =>
    bytesOf(text)
      .map((byte) => `%${hexOf(byte, 2)}`)
      .join(''),
  'percent, twice': (text) => percent(percent(text)),
  'percent, old': eachUnit((code) =>
    code < 128 ? percent(String.fromCharCode(code)) : `%u${hexOf(code, 4)}`,
  ),
  form: (text) => percent(text).replaceAll('%20', '+'),
  'a parameter of an address': (text) => `https://bank.example/error?said=${percent(text)}&lang=sk`,
  HTML: html,
  'HTML, quotes as numbers': (text) => html(text).replaceAll("'", '&#39;').replaceAll('&quot;', '&#34;'),
  'HTML, twice': (text) => html(html(text)),
  'HTML, names': encodeHTML,
  'HTML, names outside ASCII': encodeNonAsciiHTML,
  'HTML, decimal': eachCharacter((code) => `&#${code};`),
  'HTML, decimal with zeros': eachCharacter((code) => `&#${String(code).padStart(7, '0')};`),
  'HTML, decimal without ends': (text) => `${eachCharacter((code) => `&#${code}`)(text)} `,
  'HTML, hexadecimal': eachCharacter((code) => `&#x${hexOf(code, 2)};`),
  'HTML, hexadecimal, upper case': eachCharacter((code) => `&#X${hexOf(code, 2).toUpperCase()};`),
  'an attribute': (text) => `<input name="said" value="${html(text)}">`,
  base64,
  'base64 without its end': (text) => base64(text).replace(/=+$/, ''),
  base64url,
  'base64 after one byte': (text) => base64(`:${text} is wrong`),
  'base64 after two bytes': (text) => base64(`a:${text} is wrong`),
  'base64url after one byte': (text) => base64url(`:${text} is wrong`),
  'base64url after two bytes': (text) => base64url(`a:${text} is wrong`),
  'base64 after a word': (text) => `token${base64(text)}`,
  'a Basic header': (text) => `Basic ${base64(`shop:${text}`)}`,
  'a JWT': (text) =>
    [{ alg: 'none' }, { said: text }].map((part) => base64url(JSON.stringify(part))).join('.'),
  hex,
  'hex, upper case': (text) => hex(text).toUpperCase(),
  'hex after 0x': (text) => `0x${hex(text)}`,
  'UTF-8 read as Latin-1': (text) => Buffer.from(text).toString('latin1'),
}

/** A value in each encoding of each encoding, by their names. */
export const nestedEncodingsOf = (value: string): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(ENCODINGS).flatMap(([outer, encodeOuter]) =>
      Object.entries(ENCODINGS).map(([inner, encodeInner]) => [
        `${inner}, in ${outer}`,
        encodeOuter(encodeInner(value)),
      ]),
    ),
  )
