import { basePathOf } from '../../profile/operations.ts'
import { idAndAuthorization, urlOf, type OperationRequest } from '../target.ts'
import {
  createAccounts,
  linkedUrl,
  nameOf,
  pagingParameters,
  type AccountRef,
  type Accounts,
  type AccountsContext,
  type PageRequest,
} from './accounts.ts'

/** The first accounts variant: GET /v1/accounts and below. */

type AccountOperation = 'listAccounts' | 'readAccount' | 'listTransactions'

export const createFirstVariant = (context: AccountsContext): Accounts => {
  const { profile, baseUrl } = context
  const { operations } = profile
  const { listAccounts, listTransactions } = operations
  const base = baseUrl + basePathOf(profile, 'operations.listTransactions')

  const urlFor = (operation: AccountOperation, account?: AccountRef): string =>
    urlOf(context, `operations.${operation}`, {
      ...(account && { values: { 'account-id': nameOf(account) } }),
    })

  const get = (operation: AccountOperation, url: string, accessToken: string): OperationRequest => {
    const { requestIdHeader } = operations[operation]
    const headers = idAndAuthorization(context, requestIdHeader, `Bearer ${accessToken}`)
    return { operation, method: 'GET', url, headers }
  }

  const pageUrl = (account: AccountRef, { size, position }: PageRequest): string => {
    const linked = linkedUrl(position, base)
    if (linked !== undefined) return linked
    const query = new URLSearchParams(listTransactions.query)
    if (size !== undefined) query.set('pageSize', String(size))
    for (const [name, value] of Object.entries(pagingParameters(listTransactions.paging, position)))
      query.set(name, String(value))
    const text = query.toString()
    return urlFor('listTransactions', account) + (text && `?${text}`)
  }

  return createAccounts(context, {
    variant: 'first',
    // Acceptance is read from the documented accountId of the items.
    binding: { ...listAccounts, id: 'accountId' },
    operations,
    base,
    listUrl: urlFor('listAccounts'),
    list: (accessToken, url) => get('listAccounts', url, accessToken),
    read: (accessToken, account) => get('readAccount', urlFor('readAccount', account), accessToken),
    transactions: (accessToken, account, page) =>
      get('listTransactions', pageUrl(account, page), accessToken),
  })
}
