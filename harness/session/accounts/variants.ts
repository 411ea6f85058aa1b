import {
  amountsIn,
  linkedUrl,
  listedIn,
  nameOf,
  pagingParameters,
  sendingTo,
  type AccountRef,
  type AccountRequest,
  type Accounts,
  type AccountsContext,
  type PageRequest,
} from './accounts.ts'
import { chance } from '../random.ts'
import { unchanged } from '../http/request.ts'
import { walkAccount } from './page-walk.ts'
import { joined, nested } from '../../profile/template.ts'
import { NotReached } from '../../evidence/signals.ts'
import { linkOrigins, type SecondVariant } from '../../profile/schema.ts'
import { type Members, isObject } from '../../evidence/json.ts'

/** The first accounts variant: GET /v1/accounts and below. */

export const createFirstVariant = ({
  profile,
  baseUrl,
  http,
  random = chance,
  hasNoAccount = () => false,
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

const createSecondVariant = (context: AccountsContext, variant: SecondVariant): Accounts => {
  const { profile, baseUrl, http, random = chance, hasNoAccount = () => false } = context
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
          ...post(
            accessToken,
            linkedUrl(page.position, base) ?? base + listTransactions.path,
            pageBody(account, page),
          ),
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

/** The accounts variants that the profile binds. */
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
