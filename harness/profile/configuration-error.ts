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

const compose = (problems: readonly string[], heading?: string): string => {
  const lines = problems.map((problem) => `  - ${problem.replaceAll('\n', '\n    ')}`)
  if (heading !== undefined) return [`${heading}:`, ...lines].join('\n')
  if (problems.length === 1) return problems.join()
  return [`the options cannot be used (${problems.length} problems):`, ...lines].join('\n')
}

/** What no single key can tell. A problem ends the run before it begins; a warning is shown. */
export interface CrossChecks {
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}
