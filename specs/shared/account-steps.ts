import { isRefusedBetween, NotReached, refusalOf, type ObservedExchange } from '../../harness/check/index.ts'
import {
  change,
  days,
  ofTheSameFormat,
  tampered,
  type Accounts,
  type Change,
  type ListedAccount,
  type Need,
  type Random,
  type Session,
} from '../../harness/session/index.ts'

/** What the scenarios of several chapters do with accounts. */

export type Variant = Accounts['variant']

interface VariantOptions {
  readonly variant: Variant
  /** What the title of a scenario ends with. */
  readonly suffix: string
  /** What a scenario needs of the profile in addition. */
  readonly needs: readonly Need[]
}

/** Both variants of the account operations, for scenarios that are stated once for each. */
export const VARIANTS: readonly VariantOptions[] = [
  { variant: 'first', suffix: '', needs: [] },
  { variant: 'second', suffix: ' in the second variant', needs: ['second-variant'] },
]

/** The electronic form of an IBAN: without blanks, in capitals. */
export const electronic = (iban = ''): string => iban.replaceAll(/\s/g, '').toUpperCase()

/** An IBAN as a customer may type it: in its electronic form, in groups of four, and in small letters. */
export const spellings = (iban: string): readonly [string, string, string] => [
  iban,
  iban.replaceAll(/(.{4})(?=.)/g, '$1 '),
  iban.toLowerCase(),
]

/** A customer may have thousands of accounts: the first ones and the last, at most so many. */
export const firstAndLast = <Item>(most: number, items: readonly Item[]): readonly Item[] =>
  items.length <= most ? items : [...items.slice(0, most - 1), ...items.slice(-1)]

/** Ids that look like one of the list and are not in it. No bank can take one for another spelling of a listed id. */
export const inventedIds = (random: Random, listed: readonly ListedAccount[]): readonly string[] => {
  const [{ accountId } = { accountId: '' }] = listed
  const invented = [
    ofTheSameFormat(random, accountId),
    tampered(accountId, 'changed', 0.5),
    tampered(accountId, 'cut', 0.5),
    tampered(accountId, 'added', 1),
  ]
  return invented.filter((id) => id !== '' && listed.every((account) => account.accountId !== id))
}

/**
 * The accounts of the second customer that the first does not have as well: two customers may hold an account together.
 * @throws NotReached where there is none.
 */
export const accountsOfTheSecondOnly = <Account extends ListedAccount>(
  first: readonly ListedAccount[],
  second: readonly Account[],
): readonly Account[] => {
  const known = new Set(first.flatMap(({ accountId, iban }) => [accountId, electronic(iban ?? accountId)]))
  const foreign = second.filter(
    ({ accountId, iban }) => !known.has(accountId) && !known.has(electronic(iban ?? accountId)),
  )
  if (foreign.length === 0) throw new NotReached('the second customer has no account of their own')
  return foreign
}

/** Of the characters that a token may have (RFC 6750 §2.1), and about as long as one of 256 bits. */
export const UNKNOWN_TOKEN = 'No-bank-has-ever-issued-this-token-to-anyone'

/** Each removes the access token from a request, or replaces it with one that the bank never issued. */
export const WITHOUT_TOKEN: readonly Change[] = [
  change.noHeader('Authorization'),
  change.header('Authorization', 'Bearer'),
  change.bearer(UNKNOWN_TOKEN),
]

/** A way in which an access token ends. */
interface TokenEnd {
  readonly end: 'expired' | 'revoked'
  /** What a scenario needs of the target to end a token so. */
  readonly needs: readonly Need[]
  /** How long it takes, as an option of the scenario. */
  readonly wait: { readonly waitsMs?: number }
  readonly endToken: (session: Session, accessToken: string) => Promise<void>
  /** Why a call with such a token must be refused. */
  readonly because: string
}

const HOUR = days(1) / 24

/** Both ways in which an access token ends, for scenarios that are stated once for each. */
export const TOKEN_ENDS: readonly TokenEnd[] = [
  {
    end: 'expired',
    needs: ['clock'],
    wait: { waitsMs: days(90) },
    endToken: ({ clock }) => clock.pass(days(90) + HOUR),
    because: 'its access token was issued 90 days and an hour before',
  },
  {
    end: 'revoked',
    needs: ['revocation'],
    wait: {},
    endToken: ({ testHooks }, accessToken) => testHooks.revokeToken(accessToken),
    because: 'the user has revoked its access token',
  },
]

/** The same call with a token, after the end of that token, and with a new token. */
interface AroundTheEnd {
  readonly before: ObservedExchange
  readonly changed: ObservedExchange
  readonly after: ObservedExchange
}

/** Asserts that the call after the end of its token is refused with the HTTP status 401. */
export const assertRefusedWith401 = (attempts: AroundTheEnd, because: string): void => {
  isRefusedBetween(attempts, because)
  refusalOf(attempts.changed).status.equals(401)
}
