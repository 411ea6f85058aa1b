import { amountsIn, linkedUrl, listedIn, nameOf, pagingParameters, sendingTo } from './account-requests.ts'
import { joined, nested } from './payments-body.ts'
import { chance } from './random.ts'
import { unchanged } from './request.ts'
import { walkAccount } from './walk.ts'
import type { SecondVariant } from '../profile/schema.ts'
import type { AccountRequest, AccountsContext } from './account-requests.ts'
import type { AccountRef, Accounts, PageRequest } from './accounts.ts'

/** GET /api/v1/accounts and what is below it: the account is named in the body of a POST. */

type Members = Readonly<Record<string, unknown>>

/** The template of a body with the account in the place of `{accountId}` or `{iban}`, at whatever depth it stands. */
const filled = (template: unknown, name: string): unknown => {
  if (typeof template === 'string') return template.replaceAll(/\{(accountId|iban)\}/g, () => name)
  if (Array.isArray(template)) return template.map((item) => filled(item, name))
  if (typeof template !== 'object' || template === null) return template
  return filledMembers(template as Members, name)
}

const filledMembers = (template: Members, name: string): Members =>
  Object.fromEntries(Object.entries(template).map(([key, item]) => [key, filled(item, name)]))

const bodyNaming = (
  account: AccountRef,
  { picked, typed }: { readonly picked: Members; readonly typed: Members },
): Members => filledMembers('accountId' in account ? picked : typed, nameOf(account))

export const createSecondVariant = (context: AccountsContext, variant: SecondVariant): Accounts => {
  const { profile, baseUrl, http, random = chance } = context
  const { listAccounts, readAccount, listTransactions } = variant
  const base = baseUrl + variant.basePaths[profile.environment]
  const send = sendingTo(http)

  const headers = (accessToken: string): AccountRequest['headers'] => [
    [variant.requestIdHeader, random.uuid()],
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

  const accounts: Accounts = {
    variant: 'second',

    list: (accessToken, change = unchanged) =>
      send(
        {
          operation: 'listAccounts',
          method: 'GET',
          url: base + listAccounts.path,
          headers: headers(accessToken),
          fruit: [listAccounts.accounts],
        },
        change,
      ),

    read: (accessToken, account, change = unchanged) =>
      send(
        {
          operation: 'readAccount',
          ...post(accessToken, base + readAccount.path, bodyNaming(account, readAccount)),
          fruit: [readAccount.balances, readAccount.iban],
        },
        change,
      ),

    transactions: async (accessToken, account, page = {}, change = unchanged) =>
      send(
        {
          operation: 'listTransactions',
          ...post(
            accessToken,
            linkedUrl(page.position, base) ?? base + listTransactions.path,
            pageBody(account, page),
          ),
          fruit: [listTransactions.transactions],
        },
        change,
      ),

    accountsIn: (list) => listedIn(list, listAccounts),

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
