import { sourceOf } from './sources.mjs'

/**
 * Has traces lead to the sources. Node does so by itself where it is asked to (`--enable-source-maps`), and reads each
 * map with its module for it: a fifteenth of a run, for traces that nobody reads as long as nothing is wrong.
 */

const PLACE = /(file:\S+?\.mjs):(\d+):(\d+)/

/** @param {NodeJS.CallSite & { toString(): string }} call */
const traced = (call) =>
  call.toString().replace(PLACE, (place, /** @type {string} */ module, line, column) => {
    const source = sourceOf(module, Number(line), Number(column))
    return source === undefined ? place : `${source.file}:${source.line}:${source.column}`
  })

/** @param {unknown} error some have no text */
const told = (error) => {
  try {
    return String(error)
  } catch {
    return 'Error'
  }
}

Error.prepareStackTrace = (error, calls) =>
  [told(error), ...calls.map((call) => `    at ${traced(call)}`)].join('\n')
