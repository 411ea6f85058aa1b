import { leadToSources } from './sources.mjs'

/**
 * Has traces lead to the sources. Node does so by itself where it is asked to (`--enable-source-maps`), and reads each
 * map with its module for it: a fifteenth of a run, for traces that nobody reads as long as nothing is wrong.
 */

/** @param {unknown} error some have no text */
const told = (error) => {
  try {
    return String(error)
  } catch {
    return 'Error'
  }
}

/** @param {NodeJS.CallSite & { toString(): string }} call */
const traced = (call) => `    at ${leadToSources(call.toString())}`

Error.prepareStackTrace = (error, calls) => [told(error), ...calls.map(traced)].join('\n')
