/** Makes the generated report one that never leaves the machine: no analytics, no foreign address. */

/** What a browser may load for the report: what the file itself carries, and nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' data: blob:",
  "style-src 'unsafe-inline' data:",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  'connect-src data: blob:',
  'frame-src data: blob:',
  'worker-src data: blob:',
  "form-action 'none'",
].join('; ')

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g

const callsHome = (attributes: string, code: string): boolean =>
  /\bsrc\s*=\s*["']?(?:https?:)?\/\//i.test(attributes) || code.includes('function gtag(')

const APPLICATION = /(?<=\ssrc="data:text\/javascript;base64,)[A-Za-z0-9+/=]+/

/** The sites that the report's own program links to: its makers', and a viewer of traces that no result has. */
const SITES = /https:\/\/(?:allurereport\.org|trace\.playwright\.dev)/g

/** Byte for byte: what is looked for is ASCII, and the rest need not be understood. */
const unlink = (application: string): string =>
  Buffer.from(
    Buffer.from(application, 'base64').toString('latin1').replaceAll(SITES, 'about:blank'),
    'latin1',
  ).toString('base64')

/**
 * Removes what the generator puts in to call home, and forbids the browser everything else. The policy holds even
 * where an exchange carries a page of the bank with images and scripts of its own.
 */
export const takeOffline = (html: string): string =>
  html
    .replaceAll(SCRIPT, (script, attributes: string, code: string) =>
      callsHome(attributes, code) ? '' : script,
    )
    .replace(APPLICATION, unlink)
    .replace('<head>', `<head>\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}">`)
