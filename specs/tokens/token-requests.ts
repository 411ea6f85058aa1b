import { isAccepted } from '../../harness/check/index.ts'
import { change } from '../../harness/session/index.ts'
import type { Exchange } from '../../harness/check/index.ts'
import type { Application, Tokens } from '../../harness/session/index.ts'

/** Parts of token requests that several spec files use. */

/**
 * The control after a refused refresh: a refresh with the same tokens, or with those of a fresh grant if that fails.
 * A bank may end a refresh token or its grant when it refuses a request with it.
 */
export const refreshStill = async (
  app: Application,
  tokens: Tokens & { readonly scope?: string },
): Promise<Exchange> => {
  const still = await refreshIn(app, tokens)
  if (isAccepted(still)) return still
  const fresh = await app.tokens()
  return refreshIn(app, tokens.scope === undefined ? { refreshToken: fresh.refreshToken } : fresh)
}

/** Has a scope if there is one. */
const refreshIn = (
  app: Application,
  { refreshToken, scope }: { readonly refreshToken: string; readonly scope?: string },
): Promise<Exchange> =>
  app.refresh({ refreshToken }, scope === undefined ? undefined : change.form('scope', scope))

/** The secret in letters of the other case; longer where it has no letters. */
const recased = (secret: string): string => {
  const other = secret === secret.toUpperCase() ? secret.toLowerCase() : secret.toUpperCase()
  return other === secret ? `${secret}A` : other
}

/** How a secret is wrong. A property prints its values: these words, and not the secrets that are made. */
export const WRONG_SECRETS = {
  empty: () => '',
  cut: (secret: string) => secret.slice(0, -1),
  recased,
} as const

/** Code verifiers of RFC 7636. */

/** The characters of a code_verifier (§4.1). */
export const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

/** The example of Appendix B. */
export const APPENDIX_B = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** As long as a code_verifier may be, with every character that it may have, and a punctuation mark first. */
export const LONGEST = Array.from(UNRESERVED).reverse().join('').repeat(2).slice(0, 128)
