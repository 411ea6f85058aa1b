import { endOf, isRefusedBetween, type Observed } from '../../harness/check/index.ts'
import type { Application, GrantAttempt } from '../../harness/session/index.ts'
import type { Exchange } from '../../harness/check/index.ts'

/** What an attempted grant opens: the accounts that its token lists. */

interface Opened extends GrantAttempt {
  /** Left out if no token was given. */
  readonly list?: Exchange
}

/** A grant and its code exchange, whether they succeed or not, and the list of accounts with its token. */
export const grantAndList = async (
  app: Application,
  options: Parameters<Application['attemptGrant']>[0],
): Promise<Opened> => {
  const attempt = await app.attemptGrant(options)
  const { accessToken } = attempt.exchange === undefined ? {} : app.tokensIn(attempt.exchange)
  return { ...attempt, ...(accessToken !== undefined && { list: await app.listAccounts(accessToken) }) }
}

const lastOf = (attempt: Observed<Opened>) => attempt.list ?? endOf(attempt)

/** Judges that an attempt gives no token, or one that lists no account, while a valid grant lists accounts. */
export const opensNoAccount = (
  {
    before,
    changed,
    after,
  }: {
    readonly before: Observed<Opened>
    readonly changed: Observed<Opened>
    readonly after: Observed<GrantAttempt>
  },
  because: string,
): void =>
  isRefusedBetween({ before: lastOf(before), changed: lastOf(changed), after: endOf(after) }, because)
