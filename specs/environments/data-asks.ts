import { isAccepted } from '../../harness/check/index.ts'
import type { EnvironmentSession, Exchange } from '../../harness/check/index.ts'

/** What an access token for accounts opens, in both variants: asked with its own token, and with another one. */

/** Asks with an access token; everything else of the request is the environment's own. */
export type Ask = (accessToken: string) => Promise<Exchange>

type Side = Pick<EnvironmentSession, 'app' | 'profile'>

const accountsOf = ({ app, profile }: Side) =>
  profile.secondVariant === undefined
    ? [app.accounts('first')]
    : [app.accounts('first'), app.accounts('second')]

/** So many accounts are looked at for one that has what is asked for. */
const MOST_ACCOUNTS = 10

/** The first of them that this token opens: what is shut to everybody shows nothing. */
const firstOpen = async (asks: readonly Ask[], accessToken: string): Promise<readonly Ask[]> => {
  for (const ask of asks) if (isAccepted(await ask(accessToken))) return [ask]
  return []
}

/** The lists of accounts, and the detail of one of each list. */
export const accountAsks = async (side: Side, accessToken: string): Promise<readonly Ask[]> => {
  const asks: Ask[] = []
  for (const accounts of accountsOf(side)) {
    const list: Ask = (token) => accounts.list(token)
    const [open] = await firstOpen([list], accessToken)
    if (open === undefined) continue
    const listed = accounts.accountsIn(await open(accessToken)).slice(0, MOST_ACCOUNTS)
    const details = listed.map(
      (account): Ask =>
        (token) =>
          accounts.read(token, account),
    )
    asks.push(open, ...(await firstOpen(details, accessToken)))
  }
  return asks
}

/** The transactions of the first account of each list that has any. */
export const transactionAsks = async (side: Side, accessToken: string): Promise<readonly Ask[]> => {
  const asks: Ask[] = []
  for (const accounts of accountsOf(side)) {
    const list = await accounts.list(accessToken)
    if (!isAccepted(list)) continue
    const listed = accounts.accountsIn(list).slice(0, MOST_ACCOUNTS)
    const pages = listed.map(
      (account): Ask =>
        (token) =>
          accounts.transactions(token, account),
    )
    asks.push(...(await firstOpen(pages, accessToken)))
  }
  return asks
}
