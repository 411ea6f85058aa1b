/**
 * Where the stranger truly differs from the interface, or from a standard that it invokes. Each one is expected:
 * a verdict beside these is a false alarm, and one of these that does not occur is a check that has gone blind.
 */
export interface Deviation {
  readonly verdict: 'fail' | 'warn'
  /** What the stranger does, and what it would have to do. */
  readonly because: string
}

export const deviations: Readonly<Record<string, Deviation>> = {
  'TOK-16': {
    verdict: 'warn',
    because:
      'its token answers have Cache-Control no-store alone: it follows later OAuth drafts, which have dropped the Pragma that RFC 6749 §5.1 wants beside it',
  },
  'TOK-55': {
    verdict: 'warn',
    because:
      'a token request without any client authentication and client_id is invalid_request there, where RFC 6749 §5.2 counts it among the cases of invalid_client',
  },
}
