import { basePathOf } from '../../profile/operations.ts'
import { linkOrigins } from '../../profile/schema.ts'
import { unchanged } from '../http/request.ts'
import { idAndAuthorization, sendingTo, urlOf, type OperationRequest } from '../target.ts'
import {
  listFrom,
  walkWith,
  nameOf,
  linkedUrl,
  pagingParameters,
  listedIn,
  amountsIn,
  type AccountsContext,
  type Accounts,
  type AccountRef,
  type PagedList,
  type PageRequest,
} from './accounts.ts'

/** The first accounts variant: GET /v1/accounts and below. */

type AccountOperation = 'listAccounts' | 'readAccount' | 'listTransactions'

const requestsOf = (context: AccountsContext, base: string) => {
  const { profile } = context
  const { listTransactions } = profile.operations
  const urlFor = (operation: AccountOperation, account?: AccountRef): string =>
    urlOf(context, `operations.${operation}`, {
      ...(account && { values: { 'account-id': nameOf(account) } }),
    })
  return {
    urlFor,
    get: (operation: AccountOperation, url: string, accessToken: string): OperationRequest => ({
      operation,
      method: 'GET',
      url,
      headers: idAndAuthorization(
        context,
        profile.operations[operation].requestIdHeader,
        `Bearer ${accessToken}`,
      ),
    }),

    pageUrl: (account: AccountRef, { size, position }: PageRequest): string => {
      const linked = linkedUrl(position, base)
      if (linked !== undefined) return linked
      const query = new URLSearchParams(listTransactions.query)
      if (size !== undefined) query.set('pageSize', String(size))
      for (const [name, value] of Object.entries(pagingParameters(listTransactions.paging, position)))
        query.set(name, String(value))
      const text = query.toString()
      return urlFor('listTransactions', account) + (text && `?${text}`)
    },
  }
}

const pagedList = (profile: AccountsContext['profile'], base: string): PagedList => ({
  binding: { ...profile.operations.listAccounts, id: 'accountId' },
  paging: profile.operations.listTransactions.paging,
  base,
  origins: linkOrigins(profile),
})

export const createFirstVariant = (context: AccountsContext): Accounts => {
  const { profile, baseUrl, http, hasNoAccount = () => false } = context
  const { listAccounts, readAccount, listTransactions } = profile.operations
  const base = baseUrl + basePathOf(profile, 'operations.listTransactions')
  const send = sendingTo(http)
  const { get, urlFor, pageUrl } = requestsOf(context, base)

  const paged = pagedList(profile, base)

  const transactions: Accounts['transactions'] = async (
    accessToken,
    account,
    page = {},
    change = unchanged,
  ) =>
    send(
      {
        ...get('listTransactions', pageUrl(account, page), accessToken),
        successFields: [listTransactions.transactions],
      },
      change,
    )

  return {
    variant: 'first',

    // Acceptance is read from the documented accountId of the items.
    list: (accessToken, change = unchanged) =>
      listFrom(urlFor('listAccounts'), paged, (url) =>
        send(
          {
            ...get('listAccounts', url, accessToken),
            ...(hasNoAccount(accessToken) && { emptyList: listAccounts.accounts }),
          },
          change,
        ),
      ),

    read: (accessToken, account, change = unchanged) =>
      send(
        {
          ...get('readAccount', urlFor('readAccount', account), accessToken),
          successFields: [readAccount.balances, readAccount.iban],
        },
        change,
      ),

    transactions,

    accountsIn: (list) => listedIn(list, paged.binding),

    balancesIn: (detail) => amountsIn(detail, readAccount),

    walk: walkWith(transactions, { base, origins: linkOrigins(profile), binding: listTransactions }),
  }
}
