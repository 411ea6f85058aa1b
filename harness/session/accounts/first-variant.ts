import { linkOrigins } from '../../profile/schema.ts'
import { unchanged } from '../http/request.ts'
import { chance } from '../random.ts'
import {
  sendingTo,
  nameOf,
  linkedUrl,
  pagingParameters,
  listedIn,
  amountsIn,
  type AccountsContext,
  type Accounts,
  type AccountRequest,
  type AccountRef,
  type PageRequest,
} from './accounts.ts'
import { walkAccount } from './page-walk.ts'

/** The first accounts variant: GET /v1/accounts and below. */

type AccountOperation = 'listAccounts' | 'readAccount' | 'listTransactions'

const requestsOf = ({ profile, random = chance }: AccountsContext, base: string) => {
  const { listTransactions } = profile.operations
  const addressOf = (path: string, account: AccountRef): string =>
    base + path.replaceAll('{account-id}', () => encodeURIComponent(nameOf(account)))
  return {
    addressOf,
    get: (operation: AccountOperation, url: string, accessToken: string): AccountRequest => ({
      operation,
      method: 'GET',
      url,
      headers: [
        [profile.operations[operation].requestIdHeader, random.uuid()],
        ['Authorization', `Bearer ${accessToken}`],
      ],
    }),

    pageUrl: (account: AccountRef, { size, position }: PageRequest): string => {
      const linked = linkedUrl(position, base)
      if (linked !== undefined) return linked
      const query = new URLSearchParams(listTransactions.query)
      if (size !== undefined) query.set('pageSize', String(size))
      for (const [name, value] of Object.entries(pagingParameters(listTransactions.paging, position)))
        query.set(name, String(value))
      const text = query.toString()
      return addressOf(listTransactions.path, account) + (text && `?${text}`)
    },
  }
}

export const createFirstVariant = (context: AccountsContext): Accounts => {
  const { profile, baseUrl, http, hasNoAccount = () => false } = context
  const { listAccounts, readAccount, listTransactions } = profile.operations
  const base = baseUrl + profile.basePaths[profile.environment]
  const send = sendingTo(http)
  const { get, addressOf, pageUrl } = requestsOf(context, base)

  const accounts: Accounts = {
    variant: 'first',

    // Acceptance is read from the documented accountId of the items.
    list: (accessToken, change = unchanged) =>
      send(
        {
          ...get('listAccounts', base + listAccounts.path, accessToken),
          ...(hasNoAccount(accessToken) && { emptyList: listAccounts.accounts }),
        },
        change,
      ),

    read: (accessToken, account, change = unchanged) =>
      send(
        {
          ...get('readAccount', addressOf(readAccount.path, account), accessToken),
          successFields: [readAccount.balances, readAccount.iban],
        },
        change,
      ),

    transactions: async (accessToken, account, page = {}, change = unchanged) =>
      send(
        {
          ...get('listTransactions', pageUrl(account, page), accessToken),
          successFields: [listTransactions.transactions],
        },
        change,
      ),

    accountsIn: (list) => listedIn(list, { ...listAccounts, id: 'accountId' }),

    balancesIn: (detail) => amountsIn(detail, readAccount),

    walk: (accessToken, account, size) =>
      walkAccount({
        size,
        base,
        origins: linkOrigins(profile),
        binding: listTransactions,
        ask: (position) =>
          accounts.transactions(accessToken, account, { size, ...(position && { position }) }),
      }),
  }
  return accounts
}
