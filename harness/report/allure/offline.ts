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

/** A page is megabytes of what the exchanges carried. It is cut at its tags as it came, and its text is never read. */
const [OPENING, CLOSING, HEAD] = ['<script', '</script>', '<head>']

interface Script {
  readonly start: number
  /** Where its opening tag ends. */
  readonly code: number
  readonly end: number
}

const behind = (page: Buffer, text: string, from: number): number | undefined => {
  const at = page.indexOf(text, from)
  return at === -1 ? undefined : at + text.length
}

const nextScript = (page: Buffer, from: number): Script | undefined => {
  const start = page.indexOf(OPENING, from)
  const code = start === -1 ? undefined : behind(page, '>', start)
  const end = code === undefined ? undefined : behind(page, CLOSING, code)
  return code === undefined || end === undefined ? undefined : { start, code, end }
}

const FOREIGN = /\bsrc\s*=\s*["']?(?:https?:)?\/\//i

const callsHome = (tag: string, code: Buffer): boolean => FOREIGN.test(tag) || code.includes('function gtag(')

const APPLICATION = /(?<=\ssrc="data:text\/javascript;base64,)[A-Za-z0-9+/=]+/

/** The sites that the report's own program links to: its makers', and a viewer of traces that no result has. */
const SITES = /https:\/\/(?:allurereport\.org|trace\.playwright\.dev)/g

/** Byte for byte: what is looked for is ASCII, and the rest need not be understood. */
const unlink = (application: string): string =>
  Buffer.from(
    Buffer.from(application, 'base64').toString('latin1').replaceAll(SITES, 'about:blank'),
    'latin1',
  ).toString('base64')

/** The pieces of a script that stays; none of one that calls home. */
const piecesOf = (page: Buffer, { start, code, end }: Script): readonly Buffer[] => {
  const tag = page.toString('latin1', start, code)
  const rest = page.subarray(code, end)
  return callsHome(tag, rest) ? [] : [Buffer.from(tag.replace(APPLICATION, unlink), 'latin1'), rest]
}

const withoutCalls = (page: Buffer): readonly Buffer[] => {
  const pieces: Buffer[] = []
  let from = 0
  for (let script = nextScript(page, 0); script !== undefined; script = nextScript(page, from)) {
    pieces.push(page.subarray(from, script.start), ...piecesOf(page, script))
    from = script.end
  }
  return [...pieces, page.subarray(from)]
}

const policed = (page: Buffer): readonly Buffer[] => {
  const head = behind(page, HEAD, 0) ?? 0
  const policy = `\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}">`
  return [page.subarray(0, head), Buffer.from(policy), page.subarray(head)]
}

/**
 * Removes what the generator puts in to call home, and forbids the browser everything else. The policy holds even
 * where an exchange carries a page of the bank with images and scripts of its own.
 * @returns the page in pieces: to put them together would take as much room again.
 */
export const takeOffline = (html: Buffer): readonly Buffer[] => {
  const [start = html, ...rest] = withoutCalls(html)
  return [...policed(start), ...rest]
}
