import { isAlias, parseDocument, visit } from 'yaml'
import type { Document } from 'yaml'
import { FileFault, placeAt } from './file-fault.ts'

/** The parser's own messages quote the file; these say what to do. */
const FAULTS: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'a text that begins with * needs quotes',
  BAD_DQ_ESCAPE:
    'an unknown escape stands between double quotes; use single quotes, or write \\\\ for a backslash',
  BAD_INDENT: 'a line is not indented as those beside it, or a bracket is not closed',
  BAD_SCALAR_START: 'a text that begins with @ ` or % needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a key stands in the middle of a line; a text with a colon and a blank needs quotes',
  DUPLICATE_KEY: 'a key stands twice',
  NON_STRING_KEY: 'a key is no text; put it between quotes',
  MISSING_CHAR: 'a quote, a comma, a colon or a bracket is missing',
  MULTIPLE_DOCS: 'the file has more than one document; take the line --- away',
  TAB_AS_INDENT: 'a line is indented with a tab; use blanks',
  TAG_RESOLVE_FAILED: 'a text that begins with ! needs quotes',
  UNEXPECTED_TOKEN: 'something stands here that does not belong; a text with special characters needs quotes',
}

/** Reads YAML 1.2. */
export const readYaml = (text: string): unknown => {
  const document = parseDocument(text, {
    prettyErrors: false,
    // It would otherwise print what it warns of, with the text around it.
    logLevel: 'error',
    merge: true,
    stringKeys: true,
  })
  // A tag that is not known is a warning to the parser, which then takes the value as if it were not there.
  const fault = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])[0]
  if (fault !== undefined) {
    const what = FAULTS[fault.code] ?? 'this cannot be read'
    throw new FileFault(`it is not valid YAML: ${what}`, placeAt(text, fault.pos[0]))
  }
  refuseUnknownAliases(document, text)
  return toData(document)
}

/** The parser would name the alias, which may be a password that begins with a star. */
const refuseUnknownAliases = (document: Document, text: string): void =>
  visit(document, (_, node) => {
    if (!isAlias(node) || node.resolve(document) !== undefined) return
    throw new FileFault(`it is not valid YAML: ${FAULTS['BAD_ALIAS']}`, placeAt(text, node.range?.[0] ?? 0))
  })

const toData = (document: Document): unknown => {
  try {
    return document.toJS()
  } catch {
    throw new FileFault('it is not valid YAML: its aliases cannot be put in place')
  }
}
