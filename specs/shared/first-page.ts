import type { Exchange } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'

/** Begins an authorization, and follows its redirects to the first page. */
export const beginAuthorization = async ({
  app,
  profile,
  openFirstPage,
}: Session): Promise<{ readonly pages: readonly Exchange[]; readonly redirectUri: string }> => {
  const redirectUri = app.redirectUri(() => true)
  const consentId = await app.consent()
  const scope = profile.scopes.accounts + (consentId === undefined ? '' : `:${consentId}`)
  const pages = await openFirstPage({ clientId: app.profile.clientId, redirectUri, scope })
  return { pages, redirectUri }
}
