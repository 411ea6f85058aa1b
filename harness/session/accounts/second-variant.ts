import { basePathOf } from '../../profile/operations.ts'
import { isObject, type Members } from '../../evidence/json.ts'
import { nested, joined } from '../../profile/template.ts'
import type { SecondVariant } from '../../profile/schema.ts'
import { JSON_HEADER } from '../http/request.ts'
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

/** The second accounts variant: GET /api/v1/accounts and below. The account stands in the body of a POST. */

/** The template of a body with `{accountId}` and `{iban}` replaced, at any depth. */
const filled = (template: unknown, name: string): unknown => {
  if (typeof template === 'string') return template.replaceAll(/\{(accountId|iban)\}/g, () => name)
  if (Array.isArray(template)) return template.map((item) => filled(item, name))
  return isObject(template) ? filledMembers(template, name) : template
}

const filledMembers = (template: Members, name: string): Members =>
  Object.fromEntries(Object.entries(template).map(([key, item]) => [key, filled(item, name)]))

const bodyNaming = (
  account: AccountRef,
  { picked, typed }: { readonly picked: Members; readonly typed: Members },
): Members => filledMembers('accountId' in account ? picked : typed, nameOf(account))

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
