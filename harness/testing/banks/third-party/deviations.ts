/**
 * The differences of the third-party servers from the interface, or from a standard that it refers to. Each one is
 * expected: any other warning or failure is a false alarm, and a deviation that is not found is an error of its check.
 */
interface Deviation {
  readonly verdict: 'fail' | 'warn'
  /** What the server does, and what it would have to do. */
  readonly because: string
}

const ofOidcProvider: Readonly<Record<string, Deviation>> = {
  'AUT-46': {
    verdict: 'warn',
    because:
      'its pages for development have no header that keeps other sites from framing them (RFC 9700 §4.16)',
  },
  'TOK-16': {
    verdict: 'warn',
    because:
      'its token answers have only Cache-Control no-store: it follows later OAuth drafts, without the Pragma that RFC 6749 §5.1 requires',
  },
  'TOK-55': {
    verdict: 'warn',
    because:
      'it answers a token request without client authentication and client_id with invalid_request, where RFC 6749 §5.2 requires invalid_client',
  },
}

const ofOAuth2Server: Readonly<Record<string, Deviation>> = {
  'AUT-46': {
    verdict: 'warn',
    because: 'the pages of this test server have no header that keeps other sites from framing them',
  },
  'AUT-20': {
    verdict: 'fail',
    because:
      'it redirects a refusal without error and state where the redirect URI has a query of its own (RFC 6749 §4.1.2.1)',
  },
  'AUT-19': {
    verdict: 'warn',
    because: 'its redirect of a denial has no error either, for such a redirect URI',
  },
  'AUT-30': {
    verdict: 'warn',
    because: 'its refusal of an unknown response_type has no error either, for such a redirect URI',
  },
  'TOK-54': {
    verdict: 'warn',
    because:
      'it answers a missing or different redirect_uri with invalid_request, where RFC 6749 §5.2 has invalid_grant',
  },
}

/** By the name of the program. */
export const deviations: Readonly<Record<string, Readonly<Record<string, Deviation>>>> = {
  'oidc-provider': ofOidcProvider,
  'oauth2-server': ofOAuth2Server,
}
