import {
  Inconclusive,
  isRefusedBetween,
  electronicForm,
  isPseudonym,
  NotReached,
  refusalOf,
  wasNotProcessed,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import { HOUR, TOLERANCES } from './tolerances.ts'
import { patternsOf } from './values.ts'
import {
  change,
  days,
  inventedIban,
  ofTheSameFormat,
  tampered,
  type AccountRef,
  type Accounts,
  type Change,
  type ListedAccount,
  type Need,
  type Random,
  type Session,
} from '../../harness/session/index.ts'

/** What the scenarios of several chapters do with accounts. */

export type Variant = Accounts['variant']

/** The scope of account access that the interface gives, whatever the profile says. */
export const ACCOUNT_SCOPE = 'PREMIUM_AIS'

/** Why nothing of an account can be judged. */
export const NO_ACCOUNT_IS_LISTED =
  'no account is listed: what an account has is judged with a customer who has one (customers[].hasAccounts)'

/** Until when a booking must be shown. The interface gives no number. */
export interface CurrentDeadline {
  /** In ms, by the clock of the target. */
  readonly ms: number
  /** Whether a booking that is not shown until then is a violation. */
  readonly isDecisive: boolean
}

/** The deadline of the profile, or that many ms where the clock can be moved. Where the clock cannot be moved, a booking that comes later without one is no violation. */
export const currentDeadline = (
  { profile, clock }: Session,
  moved: number = TOLERANCES.current,
): CurrentDeadline => {
  const otherwise = clock.kind === 'wall' ? TOLERANCES.current : moved
  const { currentMs } = profile.deadlines
  return { ms: currentMs ?? otherwise, isDecisive: currentMs !== undefined || clock.kind !== 'wall' }
}

/** The waits between reads of an account until it shows a booking, in ms: to the deadline in total. */
export const waitsUntilCurrent = (session: Session, moved?: number): readonly number[] => {
  const waits = []
  for (let [left, wait] = [currentDeadline(session, moved).ms, 1_000]; left > 0; left -= wait, wait *= 3)
    waits.push(Math.min(wait, left))
  return waits
}

/** For a booking that is not shown. @throws Inconclusive if it may still be shown. */
export const requireDecisive = ({ ms, isDecisive }: CurrentDeadline): void => {
  if (!isDecisive)
    throw new Inconclusive(
      `the booking was not shown within ${ms / 1_000} s, and the profile does not say how long that may take (deadlines.currentMs)`,
    )
}

/** The electronic form of an IBAN: without blanks, in capitals. */
export const electronic = (iban = ''): string => (isPseudonym(iban) ? iban : electronicForm(iban))

type ProfileAccount = Session['customer']['accounts'][number]

/**
 * The IBANs of the customer's own accounts on which nothing is booked: those that the profile declares to be empty, since
 * other checks rely on that.
 */
export const leftOutOfBookings = ({ customer }: Pick<Session, 'customer'>): readonly string[] =>
  customer.accounts
    .filter(({ bank, consented, transactions }) => consented && bank === 'own' && transactions === 0)
    .map(({ iban }) => iban)

/** Says so; undefined where there is none. */
export const describeLeftOut = (ibans: readonly string[]): string | undefined =>
  ibans.length === 0
    ? undefined
    : `nothing is booked on ${ibans.join(', ')}, which the profile declares to be empty (customers[].accounts: transactions 0), so that this is not judged there`

/** Why a check of bookings is not reached, with the accounts that were left out. */
export const withLeftOut = (because: string, ibans: readonly string[]): string =>
  [because, describeLeftOut(ibans) ?? ''].filter(Boolean).join('; ')

/**
 * How a request may name accounts of the customer without consent: by their IBANs, and by the accountIds that the profile
 * knows. The first variant has the IBAN in the path, where only one spelling is sure to fit.
 */
export const refsOfUnconsented = (
  variant: Variant,
  accounts: readonly ProfileAccount[],
): readonly AccountRef[] =>
  accounts
    .filter(({ consented }) => !consented)
    .flatMap(({ iban, accountId }) => [
      ...(variant === 'first' ? [iban] : spellings(iban)).map((spelled) => ({ iban: spelled })),
      ...(accountId === undefined ? [] : [{ accountId }]),
    ])

/**
 * A customer shares one account at the service's own bank under a consent, and another one under a later consent. The
 * account of the later one is not declared to be empty, unless all are. Each account is read before the next grant, since
 * a new grant may end the earlier one.
 *
 * @throws NotReached where the profile knows no two such accounts
 */
export const shareOneByOne = async (
  session: Session,
  variant: Variant,
  read: (accounts: Accounts, accessToken: string, account: AccountRef) => Promise<unknown>,
) => {
  const app = session.app.for(variant)
  const accounts = app.accounts(variant)
  const own = session.customer.accounts.filter(({ bank, consented }) => bank === 'own' && consented)
  const [forLater, forEarlier] = [...own].sort(
    (a, b) => Number(a.transactions === 0) - Number(b.transactions === 0),
  )
  if (forLater === undefined || forEarlier === undefined)
    throw new NotReached("the profile knows no two accounts at the service's own bank with consent")
  const share = async ({ iban }: ProfileAccount) => {
    const { accessToken } = await app.tokens({ accounts: [iban] })
    const list = await accounts.list(accessToken)
    const listed = accounts.accountsIn(list)
    const [first] = listed
    if (first !== undefined) await read(accounts, accessToken, first)
    return { iban, accessToken, list, listed }
  }
  const earlier = await share(forEarlier)
  const later = await share(forLater)
  const isEarlier = ({ iban }: ListedAccount): boolean => electronic(iban) === earlier.iban
  // Where ids are numbered within a consent, the same id names another account.
  const namesAnother = (id: string): boolean =>
    later.listed.some((listed) => listed.accountId === id && !isEarlier(listed))
  const closed: readonly AccountRef[] = [
    { iban: earlier.iban },
    ...earlier.listed.filter(
      (listed) => (listed.iban === undefined || isEarlier(listed)) && !namesAnother(listed.accountId),
    ),
    ...later.listed.filter(isEarlier),
  ]
  return { accounts, earlier, later, closed }
}

/** Why the account of the earlier consent is closed. */
export const OF_ANOTHER_CONSENT = 'the customer has shared this account under another consent only'

/**
 * The options of a scenario with {@link shareOneByOne}. Without a consent, as with a FAC, it is not shown whether a later
 * choice of accounts replaces the earlier one.
 */
export const sharingOneByOne = (variant: Variant) => {
  const ofConsents: readonly Need[] = variant === 'second' ? ['second-variant-consent'] : []
  const needs: readonly Need[] = ['customer', 'account-choice', ...ofConsents]
  return { effect: 'consent', as: 'TPP', authorizations: 2, needs } as const
}

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
    ...patternsOf(accountId),
  ]
  return invented.filter((id) => id !== '' && listed.every((account) => account.accountId !== id))
}

/** Bodies that name no account: text that is cut, and JSON that is no object. The first variant has no bodies. */
export const bodiesWithoutAccount = (variant: Variant): readonly Change[] =>
  variant === 'first' ? [] : ['{"', '[]'].map((text) => change.body(text, 'application/json'))

/** An IBAN that no account has, of each bank that one of these IBANs is of. */
export const inventedIbans = (random: Random, ibans: readonly string[]): readonly string[] => {
  const ofEachBank = new Map(ibans.map((iban) => [iban.slice(0, 2) + iban.slice(4, 8), iban]))
  return [...ofEachBank.values()].map((iban) => inventedIban(random, iban))
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

/** Whether the list has one of these accounts. An accountId may differ from consent to consent; then the IBAN shows it. */
export const hasOneOf = (list: readonly ListedAccount[], accounts: readonly ListedAccount[]): boolean =>
  list.some((listed) =>
    accounts.some(
      ({ accountId, iban }) =>
        accountId === listed.accountId ||
        (iban !== undefined && electronic(iban) === electronic(listed.iban ?? listed.accountId)),
    ),
  )

/** Of the characters that a token may have (RFC 6750 §2.1), and about as long as one of 256 bits. */
export const UNKNOWN_TOKEN = 'No-bank-has-ever-issued-this-token-to-anyone'

/** Each removes the access token from a request, or replaces it with one that the bank never issued. */
export const WITHOUT_TOKEN: readonly Change[] = [
  change.noHeader('Authorization'),
  change.header('Authorization', 'Bearer'),
  change.bearer(UNKNOWN_TOKEN),
]

/** A way in which an access token ends. */
export interface TokenEnd {
  readonly end: 'expired' | 'revoked'
  /** What a scenario needs of the target to end a token so. */
  readonly needs: readonly Need[]
  /** How long it takes, as an option of the scenario. */
  readonly wait: { readonly waitsMs?: number }
  readonly endToken: (session: Session, accessToken: string) => Promise<unknown>
  /** Why a call with such a token must be refused. */
  readonly because: string
}

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

const isSuccess = ({ status }: ObservedExchange): boolean =>
  Number(status.value) >= 200 && Number(status.value) < 300

/** Asserts that a call which is answered with data has a 2xx status. Which one exactly is not shown. */
export const assertSuccessStatus = (answered: ObservedExchange): void =>
  answered.status.satisfies(isSuccess(answered), '2xx, since data are answered')

const hasContent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(hasContent)
    : value !== null && value !== ''

/** Whether an answer has a value at any depth. One with empty lists and null is a result with nothing in it. */
const isWithContent = ({ body }: ObservedExchange): boolean => {
  const text = String(body.text.value).trim()
  return /^[[{]/.test(text) && body.kind().value !== 'text'
    ? hasContent(JSON.parse(text))
    : text !== '' && text !== 'null'
}

/**
 * Asserts that refused calls have no 2xx status. Which one exactly is not shown. Whether a call is refused is judged
 * elsewhere, and a 2xx answer without content is no refusal, nor is a call that the target did not process.
 * @throws NotReached where no call is refused.
 */
export const assertRefusalStatus = (calls: readonly ObservedExchange[]): void => {
  const refused = calls.filter((call) => !call.accepted && !wasNotProcessed(call))
  const judged = refused.filter((call) => !isSuccess(call) || isWithContent(call))
  if (judged.length === 0) throw new NotReached('no call was refused')
  for (const call of judged) call.status.satisfies(!isSuccess(call), 'no 2xx, since the call is refused')
}

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
