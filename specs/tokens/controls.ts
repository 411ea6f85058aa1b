import { change, isAccepted } from '../../harness/check/index.ts'
import type { Application, Exchange, Tokens } from '../../harness/check/index.ts'

/** Refreshes that stand behind those that are to be refused. */

/**
 * A refresh with tokens that somebody has tried in vain, or of a fresh grant where it fails: a bank may use a refresh
 * token up, or end its grant, once it was sent by another, or with what it does not fit.
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

/** Names the scope where there is one to name. */
const refreshIn = (
  app: Application,
  { refreshToken, scope }: { readonly refreshToken: string; readonly scope?: string },
): Promise<Exchange> =>
  app.refresh({ refreshToken }, scope === undefined ? undefined : change.form('scope', scope))
