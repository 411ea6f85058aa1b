import { isObject, type Members } from '../../evidence/json.ts'
import { linkOrigins, type SecondVariant } from '../../profile/schema.ts'
import { nested, joined } from '../../profile/template.ts'
import { unchanged } from '../http/request.ts'
import { chance, type Random } from '../random.ts'
import {
  nameOf,
  sendingTo,
  pagingParameters,
  linkedUrl,
  listedIn,
  amountsIn,
  type AccountRef,
  type AccountsContext,
  type Accounts,
  type AccountRequest,
  type PageRequest,
} from './accounts.ts'
import { walkAccount } from './page-walk.ts'

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

const requestsOf = ({ requestIdHeader, listTransactions }: SecondVariant, random: Random) => {
  const headers = (accessToken: string): AccountRequest['headers'] => [
    [requestIdHeader, random.uuid()],
    ['Authorization', `Bearer ${accessToken}`],
  ]

  const post = (accessToken: string, url: string, body: Members): Omit<AccountRequest, 'operation'> => ({
    method: 'POST',
    url,
    headers: [['Content-Type', 'application/json'], ...headers(accessToken)],
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

  return { headers, post, pageBody }
}

export const createSecondVariant = (context: AccountsContext, variant: SecondVariant): Accounts => {
  const { profile, baseUrl, http, random = chance, hasNoAccount = () => false } = context
  const { listAccounts, readAccount, listTransactions } = variant
  const base = baseUrl + variant.basePaths[profile.environment]
  const send = sendingTo(http)
  const { headers, post, pageBody } = requestsOf(variant, random)

  const pageUrl = ({ position }: PageRequest) => linkedUrl(position, base) ?? base + listTransactions.path
  const accounts: Accounts = {
    variant: 'second',

    list: (accessToken, change = unchanged) =>
      send(
        {
          operation: 'listAccounts',
          method: 'GET',
          url: base + listAccounts.path,
          headers: headers(accessToken),
          successFields: [listAccounts.accounts],
          ...(hasNoAccount(accessToken) && { emptyList: listAccounts.accounts }),
        },
        change,
      ),

    read: (accessToken, account, change = unchanged) =>
      send(
        {
          operation: 'readAccount',
          ...post(accessToken, base + readAccount.path, bodyNaming(account, readAccount)),
          successFields: [readAccount.balances, readAccount.iban],
        },
        change,
      ),

    transactions: async (accessToken, account, page = {}, change = unchanged) =>
      send(
        {
          operation: 'listTransactions',
          ...post(accessToken, pageUrl(page), pageBody(account, page)),
          successFields: [listTransactions.transactions],
        },
        change,
      ),

    accountsIn: (list) => listedIn(list, listAccounts),

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
