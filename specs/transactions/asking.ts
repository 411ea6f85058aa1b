import { change, isAccepted, NotReached, ofTheSameLook, tampered } from '../../harness/check/index.ts'
import type {
  Accounts,
  Change,
  Exchange,
  ListedAccount,
  Position,
  Random,
  Session,
  Walk,
} from '../../harness/check/index.ts'

/** What the scenarios of this chapter ask for, in either variant. */

export type Variant = Accounts['variant']

/** An account of the list, with what the profile knows of it. */
export interface KnownAccount extends ListedAccount {
  /** How many transactions it has; there may be more by now. */
  readonly count?: number
  /** Whether it is known to be held at the service's own bank. */
  readonly isOwn: boolean
}

/** Its electronic form: without blanks, in capitals. */
export const electronic = (iban: string): string => iban.replaceAll(/\s/g, '').toUpperCase()

/** The accounts of an answered list. @throws NotReached where there is none. */
export const listedBy = async (
  { app, profile }: Session,
  variant: Variant,
  accessToken: string,
): Promise<readonly KnownAccount[]> => {
  const accounts = app.accounts(variant)
  const known = new Map(
    profile.customers.flatMap((customer) => customer.accounts.map((account) => [account.iban, account])),
  )
  const listed = accounts.accountsIn(await accounts.list(accessToken)).map((account) => {
    const { transactions: count, bank } = known.get(electronic(account.iban ?? '')) ?? {}
    return { ...account, ...(count !== undefined && { count }), isOwn: bank === 'own' }
  })
  if (listed.length === 0) throw new NotReached('no account is listed')
  return listed
}

/** A customer with thousands of accounts is not asked for all of them: the first ones, and the last. */
const MOST = 20

export const ends = <Item>(items: readonly Item[]): readonly Item[] =>
  items.length <= MOST ? items : [...items.slice(0, MOST - 1), ...items.slice(-1)]

/** The accounts that are known to have so many transactions, those with the fewest first; then those of unknown count. */
export const withAtLeast = (least: number, accounts: readonly KnownAccount[]): readonly KnownAccount[] => [
  ...accounts
    .filter(({ count = 0 }) => count >= least)
    .sort((one, other) => (one.count ?? 0) - (other.count ?? 0)),
  ...accounts.filter(({ count }) => count === undefined),
]

/** The smallest page of the second variant. */
export const SMALLEST = 10

/** Which sizes are tried where a walk needs no certain one. The limits of the first variant are undisclosed. */
export const ORDINARY: Readonly<Record<Variant, readonly number[]>> = {
  first: [20, 50, 10, 100],
  second: [20],
}

/** So many accounts are looked at for one that has a transaction. */
const LOOKED_AT = 5

/** An account with transactions, and the size of a page that shows some: to stand beside a refusal. */
export const readable = async (
  accounts: Accounts,
  accessToken: string,
  listed: readonly KnownAccount[],
): Promise<{ readonly account: KnownAccount; readonly size: number; readonly page: Exchange }> => {
  for (const account of withAtLeast(1, listed).slice(0, LOOKED_AT))
    for (const size of ORDINARY[accounts.variant]) {
      const page = await accounts.transactions(accessToken, account, { size })
      if (isAccepted(page)) return { account, size, page }
    }
  throw new NotReached('no account was answered with a transaction')
}

/** Asks for one page after the other by hand: the first, or the one in this position. */
export const asking =
  (accounts: Accounts, accessToken: string, account: KnownAccount, size: number) =>
  (position?: Position): Promise<Exchange> =>
    accounts.transactions(accessToken, account, { size, ...(position && { position }) })

export type WalkBy = (account: KnownAccount, sizes: readonly number[]) => Promise<Walk>

const isRefusedAtOnce = ({ end, pages }: Walk): boolean => end === 'refused' && pages.length === 1

/** Walks an account with the first of these sizes that the target takes. */
export const createWalker = (accounts: Accounts, accessToken: string): WalkBy => {
  const refused = new Set<number>()
  return async (account, sizes) => {
    const tried: number[] = []
    let walk: Walk | undefined
    for (const size of sizes.filter((one) => !refused.has(one))) {
      walk = await accounts.walk(accessToken, account, size)
      if (!isRefusedAtOnce(walk)) {
        // That another size was taken shows that the account was not to blame.
        for (const one of tried) refused.add(one)
        return walk
      }
      tried.push(size)
    }
    return walk ?? accounts.walk(accessToken, account, SMALLEST)
  }
}

/** Ids that are like one of the list, and none of it: to no bank are they another spelling of the same. */
export const inventedIds = (random: Random, listed: readonly ListedAccount[]): readonly string[] => {
  const [{ accountId } = { accountId: '' }] = listed
  const invented = [
    ofTheSameLook(random, accountId),
    tampered(accountId, 'cut', 1),
    tampered(accountId, 'added', 1),
  ]
  return invented.filter((id) => id !== '' && listed.every((account) => account.accountId !== id))
}

/** Of the characters that a token may have (RFC 6750 §2.1), and about as long as one of 256 bits. */
const MADE_UP = 'No-bank-has-ever-issued-this-token-to-anyone'

/** Each takes the access token out of a request. */
export const WITHOUT_TOKEN: readonly Change[] = [
  change.noHeader('Authorization'),
  change.header('Authorization', 'Bearer'),
  change.bearer(MADE_UP),
]
