import { NotReached } from '../../evidence/signals.ts'
import {
  createAccounts,
  linkedUrl,
  nameOf,
  pagingParameters,
  type Accounts,
  type AccountsContext,
  type AccountRef,
  type PageRequest,
} from './accounts.ts'
import { basePathOf } from '../../profile/operations.ts'
import { idAndAuthorization, urlOf, type OperationRequest } from '../target.ts'
import type { Members } from '../../evidence/json.ts'
import { fill, nested, joined } from '../../profile/template.ts'
import { JSON_HEADER } from '../http/request.ts'
import type { SecondVariant } from '../../profile/schema.ts'

/** The accounts variants: how the requests of each are made. */

/** Whichever placeholder the template has, it stands for the account. */
const bodyNaming = (
  account: AccountRef,
  { picked, typed }: { readonly picked: Members; readonly typed: Members },
): Members => {
  const name = nameOf(account)
  return fill('accountId' in account ? picked : typed, { accountId: name, iban: name }) as Members
}

/** GET /api/v1/accounts and below. The account stands in the body of a POST. */
export const createSecondVariant = (context: AccountsContext, variant: SecondVariant): Accounts => {
  const { requestIdHeader, listAccounts, readAccount, listTransactions } = variant
  const base = context.baseUrl + basePathOf(context.profile, 'secondVariant.listTransactions')

  const headers = (accessToken: string): OperationRequest['headers'] =>
    idAndAuthorization(context, requestIdHeader, `Bearer ${accessToken}`)

  const post = (accessToken: string, url: string, body: Members) => ({
    method: 'POST' as const,
    url,
    headers: [JSON_HEADER, ...headers(accessToken)],
    text: JSON.stringify(body),
  })

  const pageBody = (account: AccountRef, { size, position }: PageRequest): Members =>
    [
      bodyNaming(account, listTransactions),
      ...(size === undefined ? [] : [nested(listTransactions.pageSize, size)]),
      ...Object.entries(pagingParameters(listTransactions.paging, position)).map(([path, value]) =>
        nested(path, value),
      ),
    ].reduce(joined, listTransactions.body)

  return createAccounts(context, {
    variant: 'second',
    binding: listAccounts,
    operations: variant,
    base,
    listUrl: urlOf(context, 'secondVariant.listAccounts'),
    list: (accessToken, url) => ({
      operation: 'listAccounts',
      method: 'GET',
      url,
      headers: headers(accessToken),
      successFields: [listAccounts.accounts],
    }),
    read: (accessToken, account) => ({
      operation: 'readAccount',
      ...post(accessToken, urlOf(context, 'secondVariant.readAccount'), bodyNaming(account, readAccount)),
    }),
    transactions: (accessToken, account, page) => ({
      operation: 'listTransactions',
      ...post(
        accessToken,
        linkedUrl(page.position, base) ?? urlOf(context, 'secondVariant.listTransactions'),
        pageBody(account, page),
      ),
    }),
  })
}

type AccountOperation = 'listAccounts' | 'readAccount' | 'listTransactions'

/** GET /v1/accounts and below. */
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

export type Variants = (variant: Accounts['variant']) => Accounts

export const createVariants = (context: AccountsContext): Variants => {
  const first = createFirstVariant(context)
  const { secondVariant } = context.profile
  const second = secondVariant && createSecondVariant(context, secondVariant)
  return (variant) => {
    if (variant === 'first') return first
    if (second !== undefined) return second
    throw new NotReached('the profile has no second accounts variant (secondVariant)')
  }
}
