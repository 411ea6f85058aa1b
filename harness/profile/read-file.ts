import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { CST, isAlias, isNode, Lexer, parseDocument, visit, type Document } from 'yaml'
import { ConfigurationError } from './configuration-error.ts'
import { importModule } from './import-module.ts'
import { nearest } from './nearest.ts'
import { showKind } from './secrets.ts'

/**
 * Why a file is not a profile, with the place if there is one. It never quotes the content of the file, which may be
 * a secret.
 */
export class FileFault extends Error {
  override readonly name = 'FileFault'

  constructor(what: string, place?: Place) {
    super(place === undefined ? what : `${what} (line ${place.line}, column ${place.column})`)
  }
}

/** Both start at 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

export const placeAt = (text: string, offset: number): Place => {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** The parser's own messages quote the file; these say what to do. */
const FAULTS: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'a text that begins with * needs quotes',
  BAD_DQ_ESCAPE:
    'there is an unknown escape between double quotes; use single quotes, or write \\\\ for a backslash',
  BAD_INDENT: 'a line is not indented like its neighbours, or a bracket is not closed',
  BAD_SCALAR_START: 'a text that begins with @ ` or % needs quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'there is a key in the middle of a line; a text with a colon and a blank needs quotes',
  DUPLICATE_KEY: 'a key occurs twice',
  NON_STRING_KEY: 'a key is not a text; put it between quotes',
  MISSING_CHAR: 'a quote, a comma, a colon or a bracket is missing',
  MULTIPLE_DOCS: 'the file has more than one document; take the line --- away',
  TAB_AS_INDENT: 'a line is indented with a tab; use blanks',
  TAG_RESOLVE_FAILED: 'a text that begins with ! needs quotes',
  UNEXPECTED_TOKEN: 'unexpected text; a text with special characters needs quotes',
}

/** Reading a longer text would keep the process busy for minutes, in which it cannot be interrupted. */
const LONGEST_TEXT = 512 * 1024

/** @param length in bytes or in characters. */
const refuseLong = (length: number): void => {
  if (length > LONGEST_TEXT)
    throw new FileFault(`it is longer than ${LONGEST_TEXT / 1024} KiB, which no such file needs`)
}

const MOST_VALUES = 10_000

const tooManyValues = (): FileFault => new FileFault(`it has more than ${MOST_VALUES} values`)

/** What is a key or a value of YAML. */
const WORDS: ReadonlySet<string | null> = new Set([
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'alias',
])

/** Counts before parsing: the parser compares each key with every other key of its map. @throws FileFault */
const refuseManyWords = (text: string): void => {
  let count = 0
  for (const token of new Lexer().lex(text)) {
    if (WORDS.has(CST.tokenType(token))) count += 1
    // Each value has at most one key.
    if (count > 2 * MOST_VALUES) throw tooManyValues()
  }
}

/** Reads YAML 1.2. */
export const readYaml = (text: string): unknown => {
  refuseLong(text.length)
  refuseManyWords(text)
  const document = parseDocument(text, {
    prettyErrors: false,
    // Otherwise it would print warnings with the text around them.
    logLevel: 'error',
    merge: true,
    stringKeys: true,
  })
  // An unknown tag is only a warning of the parser, which then uses the value without it.
  const fault = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])[0]
  if (fault !== undefined) {
    const what = FAULTS[fault.code] ?? 'this cannot be read'
    throw new FileFault(`it is not valid YAML: ${what}`, placeAt(text, fault.pos[0]))
  }
  refuseUnknownAliases(document, text)
  return toData(document)
}

/** The parser would quote the alias, which may be a password that begins with an asterisk. */
const refuseUnknownAliases = (document: Document, text: string): void => {
  // An anchor stands before its aliases. Asking the document for each alias would search it from the beginning.
  const anchors = new Set<string>()
  visit(document, (_, node) => {
    if (isNode(node) && !isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor)
    if (!isAlias(node) || anchors.has(node.source)) return
    throw new FileFault(`it is not valid YAML: ${FAULTS['BAD_ALIAS']}`, placeAt(text, node.range?.[0] ?? 0))
  })
}

const toData = (document: Document): unknown => {
  try {
    return document.toJS()
  } catch {
    throw new FileFault('it is not valid YAML: its aliases cannot be put in place')
  }
}

/**
 * Reads JSON. Errors are located here, since the message of JSON.parse quotes the text around the
 * error, and often lacks the place.
 */
export const readJson = (text: string): unknown => {
  refuseLong(text.length)
  const fault = findJsonFault(text)
  if (fault === undefined) return JSON.parse(text)
  throw new FileFault(`it is not valid JSON: ${fault.what}`, placeAt(text, fault.offset))
}

interface JsonFault {
  readonly what: string
  readonly offset: number
}

/** The first error of a JSON text; undefined if and only if JSON.parse accepts it and no key is duplicate. */
const findJsonFault = (text: string): JsonFault | undefined => {
  try {
    const end = skipBlanks(text, readValue(text, 0))
    return end < text.length ? { what: 'there is text after the end of the object', offset: end } : undefined
  } catch (error) {
    if (error instanceof JsonStop) return { what: error.message, offset: error.offset }
    throw error
  }
}

class JsonStop extends Error {
  constructor(
    what: string,
    readonly offset: number,
  ) {
    super(what)
  }
}

const skipBlanks = (text: string, from: number): number => match(text, /[ \t\n\r]*/y, from) ?? from

const match = (text: string, pattern: RegExp, from: number): number | undefined => {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : undefined
}

// The control characters are those that JSON forbids inside a text.
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y

const readValue = (text: string, from: number): number => {
  const start = skipBlanks(text, from)
  if (text[start] === '{') return readMembers(text, start + 1)
  if (text[start] === '[') return readItems(text, start + 1)
  if (text[start] === '"') return endOfText(text, start)
  const end = match(text, SCALAR, start)
  if (end !== undefined) return end
  throw new JsonStop(
    start >= text.length ? 'it ends too early' : 'a value is expected; texts stand between double quotes',
    start,
  )
}

const endOfText = (text: string, start: number): number => {
  const end = match(text, TEXT, start)
  if (end !== undefined) return end
  throw new JsonStop('a text is not closed, or has a line break or an unknown escape in it', start)
}

const readItems = (text: string, from: number): number => {
  let at = skipBlanks(text, from)
  if (text[at] === ']') return at + 1
  for (;;) {
    at = skipBlanks(text, readValue(text, at))
    if (text[at] === ']') return at + 1
    at = readComma(text, at, ']')
  }
}

const readMembers = (text: string, from: number): number => {
  const keys = new Set<string>()
  let at = skipBlanks(text, from)
  if (text[at] === '}') return at + 1
  for (;;) {
    at = readKey(text, skipBlanks(text, at), keys)
    at = skipBlanks(text, readValue(text, at))
    if (text[at] === '}') return at + 1
    at = readComma(text, at, '}')
  }
}

const readKey = (text: string, start: number, keys: Set<string>): number => {
  if (text[start] !== '"') throw new JsonStop('a key between double quotes is expected', start)
  const end = endOfText(text, start)
  const key = String(JSON.parse(text.slice(start, end)))
  if (keys.has(key)) throw new JsonStop('a key occurs twice', start)
  keys.add(key)
  const colon = skipBlanks(text, end)
  if (text[colon] !== ':') throw new JsonStop('a colon is expected', colon)
  return colon + 1
}

const readComma = (text: string, at: number, close: string): number => {
  if (text[at] === ',') return at + 1
  throw new JsonStop(at >= text.length ? 'it ends too early' : `a comma or ${close} is expected`, at)
}

/** Runs a profile written in TypeScript or JavaScript and gives its default export. */
const readModule = async (file: string): Promise<unknown> => {
  const exported = unwrap(await importProfile(file))
  if (exported === undefined) {
    throw new FileFault('it has no default export; write `export default defineProfile({ … })`')
  }
  if (typeof exported === 'function' || exported instanceof Promise) {
    throw new FileFault(`its default export is ${showKind(exported)}; export the profile itself`)
  }
  return exported
}

/** A module that was loaded as CommonJS has its default export one level deeper. */
const unwrap = (module: unknown): unknown => {
  const exported = defaultOf(module)
  const inner = typeof exported === 'object' && exported !== null && '__esModule' in exported
  return inner ? defaultOf(exported) : exported
}

const defaultOf = (module: unknown): unknown =>
  typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined

const importProfile = async (file: string): Promise<unknown> => {
  try {
    return await importModule(file)
  } catch (error) {
    throw await explain(error, file)
  }
}

/** An error may quote the file, so that only its name and its place are reported. */
const explain = async (error: unknown, file: string): Promise<FileFault> => {
  const name = basename(file)
  const trace = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : ''
  if (isSyntaxFault(error, trace)) {
    const place = placeIn(trace, name, trace.includes('[PARSE_ERROR]') ? 1 : 0) ?? (await placeOfCheck(file))
    const subject = place === undefined ? 'it, or a file that it imports, is' : 'it is'
    return new FileFault(`${subject} not valid TypeScript or JavaScript`, place)
  }
  const what = `it threw ${nameOf(error)} while it was read; run \`npx tsx ${name}\` in its folder to see more`
  return new FileFault(what, placeIn(trace, name, 1))
}

const nameOf = (error: unknown): string => {
  if (!(error instanceof Error) || !/^\w+$/.test(error.name)) return 'something'
  const code =
    'code' in error && typeof error.code === 'string' && /^[A-Z_]+$/.test(error.code) ? error.code : ''
  return code === '' ? error.name : `${error.name} ${code}`
}

const isSyntaxFault = (error: unknown, trace: string): boolean =>
  error instanceof SyntaxError || /^(Transform failed|Parse failure)/.test(trace)

/** `bank.ts:4:18`, as transformers and stacks write it. Their columns begin at 0 or at 1. */
const placeIn = (trace: string, name: string, firstColumn: 0 | 1): Place | undefined => {
  const found = [...trace.matchAll(/([^\s/\\()]+):(\d+):(\d+)/g)].find(([, file]) => file === name)
  return found === undefined
    ? undefined
    : { line: Number(found[2]), column: Number(found[3]) + 1 - firstColumn }
}

/** Node prints the place of a syntax error only to standard error: a line number, the line, and a caret. */
const placeOfCheck = async (file: string): Promise<Place | undefined> => {
  const text = await readText(file)
  const reported = await new Promise<string>((resolve) => {
    // Node checks a file without a package.json not as the ES module that it is.
    const words = ['--input-type=module', '--check', '-']
    execFile(process.execPath, words, { env: {} }, (_, __, stderr) => resolve(stderr)).stdin?.end(text)
  })
  const [head = '', , caret = ''] = reported.split('\n')
  const line = /:(\d+)$/.exec(head)?.[1]
  return line === undefined ? undefined : { line: Number(line), column: caret.indexOf('^') + 1 }
}

const MODULES = ['.ts', '.js', '.mjs']

const TEXTS: Readonly<Record<string, (text: string) => unknown>> = {
  '.json': readJson,
  '.yaml': readYaml,
  '.yml': readYaml,
}

/** Whether a profile is a program, which may read its secrets from other sources. */
export const isModule = (file: string): boolean => MODULES.includes(extname(file).toLowerCase())

/** The content of a profile file, not validated. @throws ConfigurationError */
export const readProfileFile = async (file: string): Promise<unknown> => {
  const bytes = await sizeOf(file)
  const parse = TEXTS[extname(file).toLowerCase()]
  if (parse === undefined && !isModule(file)) throw new ConfigurationError(wrongExtension(file))
  try {
    if (parse !== undefined) refuseLong(bytes)
    const content = await (parse === undefined ? readModule(resolve(file)) : parse(await readText(file)))
    if (content === null || content === undefined)
      throw new FileFault('it is empty; write at least name and applications')
    refuseUnreasonable(content)
    return content
  } catch (error) {
    if (error instanceof FileFault)
      throw new ConfigurationError(`the profile ${file} cannot be read: ${error.message}`)
    if (error instanceof RangeError) throw new ConfigurationError(`the profile ${file} is nested too deep`)
    throw error
  }
}

/** Also for what a module exports, which has no length. @throws FileFault */
const refuseUnreasonable = (content: unknown): void => {
  const seen = new Set<object>()
  const left = [content]
  for (let count = 0; left.length > 0; count += 1) {
    const value = left.pop()
    if (count > MOST_VALUES) throw tooManyValues()
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    // Libraries skip this key, so that it would be overlooked.
    if (Object.hasOwn(value, '__proto__')) throw new FileFault('it has the key __proto__; take it out')
    const inner: readonly unknown[] = Object.values(value)
    for (const each of inner.slice(0, MOST_VALUES + 1)) left.push(each)
  }
}

const wrongExtension = (file: string): string =>
  `the profile ${file} is of no known kind; its name ends with one of ${[...MODULES, ...Object.keys(TEXTS)].join(', ')}`

/** @throws ConfigurationError if there is no such file. */
const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).size
  } catch (error) {
    throw new ConfigurationError(`the profile ${file} ${await reasonUnread(file, error)}`)
  }
}

const readText = async (file: string): Promise<string> => {
  try {
    const text = await readFile(file, 'utf8')
    return text.replace(/^\uFEFF/, '')
  } catch (error) {
    throw new ConfigurationError(`the profile ${file} ${await reasonUnread(file, error)}`)
  }
}

const reasonUnread = async (file: string, error: unknown): Promise<string> => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `does not exist (looked for ${resolve(file)})${await suggestion(file)}`
    case 'EISDIR':
      return 'is a folder; name the file in it'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read; allow your user to read it'
    default:
      return `cannot be read (${code})`
  }
}

const suggestion = async (file: string): Promise<string> => {
  const names = await readdir(dirname(resolve(file))).catch(() => [])
  const near = nearest(
    basename(file),
    names.filter((name) => isModule(name) || extname(name) in TEXTS),
  )
  return near === undefined ? '; check the path' : `; did you mean ${near}?`
}
