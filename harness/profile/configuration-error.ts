/**
 * The options or the profile are wrong. It ends a run before any request is sent, with exit code 3.
 * Each problem is a sentence with the input, the expected form and what to do; all are reported at once.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]

  /**
   * It has no cause: the message of a parser may quote a line with a secret.
   * @param heading the line above the problems: what cannot be used.
   */
  constructor(problems: string | readonly string[], heading?: string) {
    const all = typeof problems === 'string' ? [problems] : problems
    super(compose(all, heading))
    this.problems = all
  }
}

const MOST_SHOWN = 40

const compose = (problems: readonly string[], heading?: string): string => {
  const rest = problems.length - MOST_SHOWN
  const lines = problems
    .slice(0, MOST_SHOWN)
    .map((problem) => `  - ${problem.replaceAll('\n', '\n    ')}`)
    .concat(rest > 0 ? `  … and ${rest} more` : [])
  if (heading !== undefined) return [`${heading}:`, ...lines].join('\n')
  if (problems.length === 1) return problems.join()
  return [`the options cannot be used (${problems.length} problems):`, ...lines].join('\n')
}

/** Results of checks across several keys. A problem ends the run before it starts; a warning is shown. */
export interface CrossChecks {
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** A URL of the user in normalized form, or its problem. */
export type SettledUrl = { readonly url: string } | { readonly problem: string }

const EXAMPLE = 'https://api.bank.example'

/**
 * The base URL of a target, without its last slash, so that a path can be appended.
 * A problem is reported without the credentials that such a URL may contain.
 */
export const settleBaseUrl = (text: string): SettledUrl => {
  const settled = settleHttpUrl(text, EXAMPLE)
  return 'problem' in settled ? settled : { url: settled.url.replace(/\/+$/, '') }
}

/** An http or https URL without credentials, query and fragment. */
export const settleHttpUrl = (text: string, example: string): SettledUrl => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return { problem: `expected an http or https URL such as ${example}, received ${showUrl(text)}` }
  }
  // After a slash in a password, the rest is parsed as a path, so that the text itself is searched.
  if (text.includes('@')) {
    return { problem: `${showUrl(text)} carries credentials; take the part before the @ out of the URL` }
  }
  // WHATWG URLs have no search for a single "?", so that the text itself is searched.
  if (/[?#]/.test(text)) {
    return {
      problem: `${showUrl(text)} carries a query or a fragment; take the part from the ? or # on away`,
    }
  }
  return { url: url.href }
}

/** The text without credentials and query, which may contain a key. */
export const showUrl = (text: string): string =>
  JSON.stringify(
    text
      .replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1…@')
      .replace(/([?#]).*$/s, '$1…')
      .slice(0, 120),
  )
