import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** From a place in a module that launch.mjs has translated to the line that somebody has written. */

/** @type {Map<string, SourceMap | undefined>} */
const maps = new Map()

/**
 * The map that stands beside a module; none, where it cannot be read: what is traced may quote an address of anybody's,
 * and a trace is never what fails.
 * @param {string} module
 */
const read = (module) => {
  try {
    /** @type {unknown} */
    const map = JSON.parse(readFileSync(`${fileURLToPath(module)}.map`, 'utf8'))
    return new SourceMap(/** @type {ConstructorParameters<typeof SourceMap>[0]} */ (map))
  } catch {
    return undefined
  }
}

/** @param {string} module */
const mapOf = (module) => {
  const map = maps.has(module) ? maps.get(module) : read(module)
  maps.set(module, map)
  return map
}

/**
 * The place in the source; undefined for a module that was not translated.
 * @param {string} module its address: `file:///…/cli.mjs`
 * @param {number} line from 1 on
 * @param {number} column from 1 on
 */
export const sourceOf = (module, line, column) => {
  const map = module.startsWith('file:') ? mapOf(module) : undefined
  /** @type {Partial<import('node:module').SourceOrigin>} */
  const { fileName, lineNumber, columnNumber } = map?.findOrigin(line, column) ?? {}
  if (fileName === undefined || lineNumber === undefined || columnNumber === undefined) return undefined
  return { file: fileURLToPath(new URL(fileName, module)), line: lineNumber, column: columnNumber }
}

const PLACE = /(file:\S+?\.mjs):(\d+):(\d+)/g

/**
 * A text, with the places of sources where it has those of translated modules: of a trace, whoever wrote it down.
 * @param {string} text
 */
export const leadToSources = (text) =>
  text.replaceAll(PLACE, (place, /** @type {string} */ module, line, column) => {
    const source = sourceOf(module, Number(line), Number(column))
    return source === undefined ? place : `${source.file}:${source.line}:${source.column}`
  })
