/**
 * The options or the profile cannot be used as they stand. It ends a run before any request is sent, with exit code 3.
 * Each problem is a sentence that quotes the input and says what was expected and what to do; all are told at once.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]

  /**
   * No cause is carried along: what a parser says about a file may quote a line with a secret.
   * @param heading Stands above the problems: what cannot be used.
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

/** What no single key can tell. A problem ends the run before it begins; a warning is shown. */
export interface CrossChecks {
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** A URL that was written by a person, settled, or what is wrong with it. */
export type SettledUrl = { readonly url: string } | { readonly problem: string }

const EXAMPLE = 'https://api.bank.example'

/**
 * The base URL of a target, without its last slash, so that a path can be put behind it.
 * What is wrong is told without the credentials that such a URL may hold.
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
  // A slash in a password makes a path of what follows it, so that the text itself is asked.
  if (text.includes('@')) {
    return { problem: `${showUrl(text)} carries credentials; take the part before the @ out of the URL` }
  }
  // WHATWG URLs have no search for a lone "?", so that the text itself is asked.
  if (/[?#]/.test(text)) {
    return {
      problem: `${showUrl(text)} carries a query or a fragment; take the part from the ? or # on away`,
    }
  }
  return { url: url.href }
}

/** The text as it may be shown: no credentials, and nothing of a query, which may carry a key. */
export const showUrl = (text: string): string =>
  JSON.stringify(
    text
      .replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1…@')
      .replace(/([?#]).*$/s, '$1…')
      .slice(0, 120),
  )
