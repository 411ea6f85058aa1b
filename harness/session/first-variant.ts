import { amountsIn, linkedUrl, listedIn, nameOf, pagingParameters, sendingTo } from './account-requests.ts'
import { chance } from './random.ts'
import { unchanged } from './request.ts'
import { walkAccount } from './walk.ts'
import type { AccountRequest, AccountsContext } from './account-requests.ts'
import type { AccountRef, Accounts, PageRequest } from './accounts.ts'

/** GET /v1/accounts and what is below it. */

export const createFirstVariant = ({
  profile,
  baseUrl,
  http,
  random = chance,
}: AccountsContext): Accounts => {
  const { listAccounts, readAccount, listTransactions } = profile.operations
  const base = baseUrl + profile.basePaths[profile.environment]
  const send = sendingTo(http)

  const get = (
    operation: 'listAccounts' | 'readAccount' | 'listTransactions',
    url: string,
    accessToken: string,
  ): AccountRequest => ({
    operation,
    method: 'GET',
    url,
    headers: [
      [profile.operations[operation].requestIdHeader, random.uuid()],
      ['Authorization', `Bearer ${accessToken}`],
    ],
  })

  const addressOf = (path: string, account: AccountRef): string =>
    base + path.replaceAll('{account-id}', () => encodeURIComponent(nameOf(account)))

  const pageUrl = (account: AccountRef, { size, position }: PageRequest): string => {
    const linked = linkedUrl(position, base)
    if (linked !== undefined) return linked
    const query = new URLSearchParams(listTransactions.query)
    if (size !== undefined) query.set('pageSize', String(size))
    for (const [name, value] of Object.entries(pagingParameters(listTransactions.paging, position)))
      query.set(name, String(value))
    const text = query.toString()
    return addressOf(listTransactions.path, account) + (text && `?${text}`)
  }

  const accounts: Accounts = {
    variant: 'first',

    // The accountId of its items is documented, and tells whether there is a list.
    list: (accessToken, change = unchanged) =>
      send(get('listAccounts', base + listAccounts.path, accessToken), change),

    read: (accessToken, account, change = unchanged) =>
      send(
        {
          ...get('readAccount', addressOf(readAccount.path, account), accessToken),
          fruit: [readAccount.balances, readAccount.iban],
        },
        change,
      ),

    transactions: async (accessToken, account, page = {}, change = unchanged) =>
      send(
        {
          ...get('listTransactions', pageUrl(account, page), accessToken),
          fruit: [listTransactions.transactions],
        },
        change,
      ),

    accountsIn: (list) => listedIn(list, { ...listAccounts, id: 'accountId' }),

    balancesIn: (detail) => amountsIn(detail, readAccount),

    walk: (accessToken, account, size) =>
      walkAccount({
        ...{ size, base, binding: listTransactions },
        ask: (position) =>
          accounts.transactions(accessToken, account, { size, ...(position && { position }) }),
      }),
  }
  return accounts
}
