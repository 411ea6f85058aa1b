import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { CST, isAlias, isNode, Lexer, parseDocument, visit, type Document } from 'yaml'
import { jsonIn } from '../evidence/json.ts'
import { readInputFile, UnreadableFile } from '../evidence/input-file.ts'
import { ConfigurationError } from './configuration-error.ts'
import { TooLate } from './within.ts'
import { adviceToSeeMore, importModule } from './import-module.ts'
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

const MOST_VALUES = 10_000

const tooManyValues = (most = MOST_VALUES): FileFault => new FileFault(`it has more than ${most} values`)

const WORDS: ReadonlySet<string | null> = new Set([
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'alias',
])

const OPENERS: ReadonlySet<string | null> = new Set(['seq-item-ind', 'flow-seq-start', 'flow-map-start'])

const DEEPEST = 100

/**
 * Before parsing, since the parser compares each key with every other key of its map, and ends the process where many
 * lists begin at once.
 * @throws FileFault
 */
export const refuseUnreadable = (text: string, mostValues = MOST_VALUES): void => {
  let [count, begun] = [0, 0]
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token)
    if (WORDS.has(type)) [count, begun] = [count + 1, 0]
    else if (OPENERS.has(type)) begun += 1
    // Each value has at most one key.
    if (count > 2 * mostValues) throw tooManyValues(mostValues)
    if (begun > DEEPEST) throw new FileFault('it is nested too deep')
  }
}

const PARSING = {
  prettyErrors: false,
  // Otherwise it would print warnings with the text around them.
  logLevel: 'error',
  merge: true,
  stringKeys: true,
} as const

/** The document, and its faults. An unknown tag is only a warning of the parser, which then uses the value without it. */
const parsed = (text: string, schema: 'core' | 'json') => {
  refuseUnreadable(text)
  const document = parseDocument(text, { ...PARSING, schema })
  const faults = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])
  return { document, faults }
}

export const readYaml = (text: string): unknown => {
  const { document, faults } = parsed(text, 'core')
  const [fault] = faults
  if (fault !== undefined)
    throw new FileFault(
      `it is not valid YAML: ${FAULTS[fault.code] ?? 'this cannot be read'}`,
      placeAt(text, fault.pos[0]),
    )
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

const JSON_FAULTS: Readonly<Record<string, string>> = {
  ...FAULTS,
  TAG_RESOLVE_FAILED: 'a text, or a number in another form, stands outside of double quotes',
}

/** Reads JSON. It is YAML, whose parser says where a fault is, and finds a key that occurs twice. */
export const readJson = (text: string): unknown => {
  const { faults } = parsed(text, 'json')
  const value = jsonIn(text)
  const fault = value === undefined ? faults[0] : faults.find(({ code }) => code === 'DUPLICATE_KEY')
  if (value !== undefined && fault === undefined) return value
  const what =
    JSON_FAULTS[fault?.code ?? ''] ?? 'keys and texts need double quotes, and the last item no comma'
  throw new FileFault(`it is not valid JSON: ${what}`, fault && placeAt(text, fault.pos[0]))
}

const readModule = async (file: string, text: string): Promise<unknown> => {
  const exported = unwrap(await importProfile(file, text))
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

const importProfile = async (file: string, text: string): Promise<unknown> => {
  try {
    return await importModule(file)
  } catch (error) {
    throw await explain(error, file, text)
  }
}

/** An error may quote the file, so that only its name and its place are reported. */
const explain = async (error: unknown, file: string, text: string): Promise<FileFault> => {
  if (error instanceof TooLate) return new FileFault(`it ${error.message}, as a module that waits`)
  const name = basename(file)
  const trace = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : ''
  if (error instanceof SyntaxError || /^(Transform failed|Parse failure)/.test(trace)) {
    const place = placeIn(trace, name, trace.includes('[PARSE_ERROR]') ? 1 : 0) ?? (await placeOfCheck(text))
    const subject = place === undefined ? 'it, or a file that it imports, is' : 'it is'
    return new FileFault(`${subject} not valid TypeScript or JavaScript`, place)
  }
  const place = placeIn(trace, name, 1)
  if (error instanceof ReferenceError && /^(module|exports|require) is not defined/.test(error.message))
    return new FileFault(
      'it is written as a CommonJS module; write `export default { … }` instead of `module.exports = { … }`, and `import` instead of `require`',
      place,
    )
  return new FileFault(`it threw ${nameOf(error)} while it was read; ${adviceToSeeMore(file)}`, place)
}

const nameOf = (error: unknown): string => {
  if (!(error instanceof Error) || !/^\w+$/.test(error.name)) return 'something'
  const code =
    'code' in error && typeof error.code === 'string' && /^[A-Z_]+$/.test(error.code) ? error.code : ''
  return code === '' ? error.name : `${error.name} ${code}`
}

/** `bank.ts:4:18`, as transformers and stacks write it. Their columns begin at 0 or at 1. */
const placeIn = (trace: string, name: string, firstColumn: 0 | 1): Place | undefined => {
  const found = [...trace.matchAll(/([^\s/\\()]+):(\d+):(\d+)/g)].find(([, file]) => file === name)
  return found === undefined
    ? undefined
    : { line: Number(found[2]), column: Number(found[3]) + 1 - firstColumn }
}

/** Node prints the place of a syntax error only to standard error: a line number, the line, and a caret. */
const placeOfCheck = async (text: string): Promise<Place | undefined> => {
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
  const text = await readText(file)
  const parse = TEXTS[extname(file).toLowerCase()]
  if (parse === undefined && !isModule(file)) throw new ConfigurationError(wrongExtension(file))
  try {
    const content = parse === undefined ? await readModule(resolve(file), text) : parse(text)
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

/** @throws ConfigurationError if there is no such file, or it is none that is read. */
const readText = async (file: string): Promise<string> => {
  try {
    const text = readInputFile(file)
    // What is UTF-16 has a zero byte beside each letter.
    if (/^.{0,3}\0/s.test(text))
      throw new ConfigurationError(`the profile ${file} is in UTF-16; save it as UTF-8`)
    return text
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    const near = error.isMissing ? ` (looked for ${resolve(file)})${await suggestion(file)}` : ''
    throw new ConfigurationError(`the profile ${file} ${error.message}${near}`)
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
