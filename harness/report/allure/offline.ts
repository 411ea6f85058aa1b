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

const ANALYTICS = /<script\b[^>]*>(?:(?!<\/script>)[\s\S]){0,2000}?(?:googletagmanager|gtag\()[\s\S]*?<\/script>/g

const LOADER = /<script\b[^>]*\bsrc="https?:[^"]*"[^>]*><\/script>/g

/**
 * Removes what the generator puts in to call home, and forbids the browser everything else. The policy holds even
 * where an exchange carries a page of the bank with images and scripts of its own.
 */
export const takeOffline = (html: string): string =>
  html
    .replace(LOADER, '')
    .replace(ANALYTICS, '')
    .replace('<head>', `<head>\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}">`)
