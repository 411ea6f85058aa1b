import { basePathOf } from '../../profile/operations.ts'
import { isObject, type Members } from '../../evidence/json.ts'
import { linkOrigins, type SecondVariant } from '../../profile/schema.ts'
import { nested, joined } from '../../profile/template.ts'
import { JSON_HEADER, unchanged } from '../http/request.ts'
import { idAndAuthorization, sendingTo, urlOf, type OperationRequest } from '../target.ts'
import {
  nameOf,
  listFrom,
  walkWith,
  pagingParameters,
  linkedUrl,
  listedIn,
  amountsIn,
  type AccountRef,
  type AccountsContext,
  type Accounts,
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

const requestsOf = (
  context: AccountsContext,
  { requestIdHeader, listAccounts, listTransactions }: SecondVariant,
) => {
  const headers = (accessToken: string): OperationRequest['headers'] =>
    idAndAuthorization(context, requestIdHeader, `Bearer ${accessToken}`)

  const post = (accessToken: string, url: string, body: Members): Omit<OperationRequest, 'operation'> => ({
    method: 'POST',
    url,
    headers: [JSON_HEADER, ...headers(accessToken)],
    text: JSON.stringify(body),
  })

  const list = (accessToken: string, url: string, isEmpty: boolean): OperationRequest => ({
    operation: 'listAccounts',
    method: 'GET',
    url,
    headers: headers(accessToken),
    successFields: [listAccounts.accounts],
    ...(isEmpty && { emptyList: listAccounts.accounts }),
  })

  const pageBody = (account: AccountRef, { size, position }: PageRequest): Members =>
    [
      bodyNaming(account, listTransactions),
      ...(size === undefined ? [] : [nested(listTransactions.pageSize, size)]),
      ...Object.entries(pagingParameters(listTransactions.paging, position)).map(([path, value]) =>
        nested(path, value),
      ),
    ].reduce(joined, listTransactions.body)

  return { list, post, pageBody }
}

export const createSecondVariant = (context: AccountsContext, variant: SecondVariant): Accounts => {
  const { profile, baseUrl, hasNoAccount = () => false } = context
  const send = sendingTo(context.http)
  const { listAccounts, readAccount, listTransactions } = variant
  const base = baseUrl + basePathOf(profile, 'secondVariant.listTransactions')
  const { list, post, pageBody } = requestsOf(context, variant)

  const paged = {
    binding: listAccounts,
    paging: listTransactions.paging,
    base,
    origins: linkOrigins(profile),
  }

  const transactions: Accounts['transactions'] = async (
    accessToken,
    account,
    page = {},
    change = unchanged,
  ) =>
    send(
      {
        operation: 'listTransactions',
        ...post(
          accessToken,
          linkedUrl(page.position, base) ?? urlOf(context, 'secondVariant.listTransactions'),
          pageBody(account, page),
        ),
        successFields: [listTransactions.transactions],
      },
      change,
    )

  return {
    variant: 'second',

    list: (accessToken, change = unchanged) =>
      listFrom(urlOf(context, 'secondVariant.listAccounts'), paged, (url) =>
        send(list(accessToken, url, hasNoAccount(accessToken)), change),
      ),

    read: (accessToken, account, change = unchanged) =>
      send(
        {
          operation: 'readAccount',
          ...post(accessToken, urlOf(context, 'secondVariant.readAccount'), bodyNaming(account, readAccount)),
          successFields: [readAccount.balances, readAccount.iban],
        },
        change,
      ),

    transactions,

    accountsIn: (list) => listedIn(list, listAccounts),
    balancesIn: (detail) => amountsIn(detail, readAccount),

    walk: walkWith(transactions, { base, origins: linkOrigins(profile), binding: listTransactions }),
  }
}
