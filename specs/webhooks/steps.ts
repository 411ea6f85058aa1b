import { eventOf, NotReached } from '../../harness/check/index.ts'
import { HOUR, TOLERANCES } from '../shared/tolerances.ts'
import { electronic } from '../shared/account-steps.ts'
import type { Delivery, Exchange, WebhookEvent } from '../../harness/check/index.ts'
import type { Application, ListedAccount, Session } from '../../harness/session/index.ts'

/** What the scenarios of this chapter do: grants, bookings and refreshes, and waiting for the calls that they cause. */

/** After that time, in ms, the next full hour has come. */
export const PAST_THE_HOUR = HOUR + TOLERANCES.fullHour

/** With every kind of character that is allowed, and with one and two blanks in it. */
export const SECURITY_HEADER = 'Basic  dXNlcg+/ Zz09  Ab+/=='

/** A credit, in the account's currency. */
const CREDIT = 12.34
const DEBIT = -CREDIT / 2

/** A listed account that the profile knows. */
export interface KnownAccount {
  readonly accountId: string
  readonly iban: string
  readonly bank: 'own' | 'other'
  /** Code of the other bank; empty where the profile does not know it. */
  readonly bankCode: string
  /** Whether the profile knows how many transactions it has: then only scenarios book on it. */
  readonly hasKnownCount: boolean
}

type Customer = Session['customer']

/** For sorting. Accounts without transactions come last, since the form of an empty page is not shown. */
const orderOf = ({ transactions = 0 }: Customer['accounts'][number]): number =>
  transactions === 0 ? Infinity : transactions

/** The listed accounts of a customer that the profile knows, those with the fewest transactions first. */
const knownAmong = ({ accounts }: Customer, listed: readonly ListedAccount[]): readonly KnownAccount[] =>
  accounts
    .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : Number(orderOf(one) > orderOf(other))))
    .flatMap(({ iban, bank, bankCode = '', transactions, consented }) => {
      const account = listed.find((candidate) => electronic(candidate.iban) === iban)
      if (account === undefined || !consented) return []
      const { accountId } = account
      return [{ accountId, iban, bank, bankCode, hasKnownCount: transactions !== undefined }]
    })

/** The accounts that an access token opens. */
export interface OpenedAccounts {
  readonly list: Exchange
  /** The accountIds of all accounts of the list. */
  readonly ids: readonly string[]
  readonly own: readonly KnownAccount[]
  readonly elsewhere: readonly KnownAccount[]
}

export const accountsOpenedBy = async (
  accessToken: string,
  { app, customer }: Pick<Session, 'app' | 'customer'>,
): Promise<OpenedAccounts> => {
  const accounts = app.accounts('first')
  const list = await accounts.list(accessToken)
  const listed = accounts.accountsIn(list)
  const known = knownAmong(customer, listed)
  return {
    list,
    ids: listed.map(({ accountId }) => accountId),
    own: known.filter(({ bank }) => bank === 'own'),
    elsewhere: known.filter(({ bank }) => bank === 'other'),
  }
}

/** A grant of a customer to a TPP, and the accounts that it opens. */
export interface Subscription extends OpenedAccounts {
  readonly accessToken: string
  readonly refreshToken: string
  readonly consentId: string
}

export const subscribe = async (
  session: Pick<Session, 'app' | 'customer'>,
  whose: { readonly app?: Application; readonly customer?: Customer } = {},
): Promise<Subscription> => {
  const { app = session.app, customer = session.customer } = whose
  const { accessToken, refreshToken, consentId } = await app.tokens({ customer })
  if (consentId === undefined) throw new NotReached('the application has no consent')
  return { accessToken, refreshToken, consentId, ...(await accountsOpenedBy(accessToken, { app, customer })) }
}

/** Whether the list has every account that the profile knows, each under an id of its own. */
export const isComplete = ({ accounts }: Customer, { own, elsewhere, ids }: Subscription): boolean =>
  own.length + elsewhere.length === accounts.filter(({ consented }) => consented).length &&
  new Set(ids).size === ids.length

/** @throws NotReached where the list shows no such account under the IBAN that the profile knows. */
export const requireFirst = ([first]: readonly KnownAccount[], place: string): KnownAccount => {
  if (first !== undefined) return first
  throw new NotReached(`no account at ${place} is listed under an IBAN that the profile knows`)
}

/** The security header that calls to the acting application must have. */
export const securityHeaderOf = ({ profile, app }: Session, configured: string): string => {
  if (profile.testHooks.configureWebhook !== undefined) return configured
  const { configured: settings } = profile.webhooks
  return settings.find(({ application }) => application === app.profile.name)?.securityHeader ?? ''
}

/** Whether an event has a field that only an accountEvent has. */
export const isAccountEvent = (event: WebhookEvent): boolean =>
  event.name === 'accountEvent' || (event.taskStatus ?? event.bankCode ?? event.bankName) !== undefined

export const idsIn = ({ accounts }: WebhookEvent): readonly string[] =>
  accounts.flatMap(({ accountId }) => accountId ?? [])

/** Books on an account; a credit by default. */
export const book = (
  { testHooks }: Session,
  { iban }: Pick<KnownAccount, 'iban'>,
  amount = CREDIT,
): Promise<Exchange> => testHooks.bookTransaction({ iban, amount })

/** Books a debit; a credit where the target's test hook books no debits. */
export const bookDebit = async (session: Session, account: Pick<KnownAccount, 'iban'>): Promise<Exchange> => {
  try {
    return await book(session, account, DEBIT)
  } catch (error) {
    if (error instanceof NotReached) return book(session, account)
    throw error
  }
}

/** Whether a call has come after now. An earlier one says nothing about what happens now. */
export const arrivedAfterNow = ({ webhook }: Session): ((delivery: Delivery) => boolean) => {
  const before = new Set(webhook.deliveries())
  return (delivery) => !before.has(delivery)
}

/** The consents under which bookings were notified, for one webhook. */
interface Audience {
  /** The last booking that was notified as it should be, and the place of its first call. */
  last?: { readonly consentId: string; readonly from: number } | undefined
  /** Other consents that were notified of a booking: the application has them from earlier scenarios. */
  readonly others: Set<string>
}

const audiences = new WeakMap<Session['webhook'], Audience>()

const audienceOf = ({ webhook }: Session): Audience => {
  const audience: Audience = audiences.get(webhook) ?? { others: new Set() }
  audiences.set(webhook, audience)
  const { last, others } = audience
  for (const delivery of last === undefined ? [] : webhook.deliveries().slice(last.from)) {
    const { consentId } = eventOf(delivery) ?? {}
    if (consentId !== undefined && consentId !== last?.consentId) others.add(consentId)
  }
  return audience
}

export type Booked = Awaited<ReturnType<typeof bookAndListen>>

/** Books on an account of the service's own bank, and waits for the transactionEvent. */
export const bookAndListen = async (
  session: Session,
  { consentId }: Pick<Subscription, 'consentId'>,
  account: KnownAccount,
  bookOn: (session: Session, account: KnownAccount) => Promise<Exchange> = book,
) => {
  const { webhook, profile } = session
  const within = profile.webhooks.deliveryMs
  const isNew = arrivedAfterNow(session)
  const audience = audienceOf(session)
  const { length } = webhook.deliveries()
  const booking = await bookOn(session, account)
  // An event of an earlier consent is not a wrong event of this one.
  const isOfAnother = ({ consentId: other = consentId }: WebhookEvent): boolean =>
    other !== consentId && audience.others.has(other)
  const next = (fits: (event: WebhookEvent) => boolean, ms: number) =>
    webhook.next(
      (delivery) => {
        const event = isNew(delivery) ? eventOf(delivery) : undefined
        return event !== undefined && !isAccountEvent(event) && !isOfAnother(event) && fits(event)
      },
      { within: ms },
    )
  const isOurs = (event: WebhookEvent): boolean => event.consentId === consentId
  const isOfIt = (event: WebhookEvent): boolean => idsIn(event).includes(account.accountId)
  const exact = await next((event) => isOurs(event) && isOfIt(event), within)
  // Where no event has all that it must have, the most similar one shows what is wrong.
  const near = exact ?? (await next(isOurs, 0)) ?? (await next(isOfIt, 0)) ?? (await next(() => true, 0))
  audience.last = exact && { consentId, from: length }
  return { booking, account, consentId, within, exact, near }
}

/** Asks for a refresh. `listen` waits until it has ended at each of the banks, or its time is over. */
export const startRefresh = async (
  session: Session,
  { accessToken, consentId, elsewhere }: Subscription,
  app = session.app,
) => {
  const { webhook, profile } = session
  const { refreshMs, deliveryMs } = profile.webhooks
  const within = refreshMs + deliveryMs
  const isNew = arrivedAfterNow(session)
  const refresh = await app.refreshAccounts({ accessToken, consentId })
  const listen = async () => {
    const awaited = new Set(elsewhere.map(({ bankCode }) => bankCode))
    const isAnEnd = (delivery: Delivery): boolean => {
      const event = isNew(delivery) ? eventOf(delivery) : undefined
      return event?.consentId === consentId && event.taskStatus === 'FINISHED'
    }
    while (awaited.size > 0) {
      const ended = await webhook.next(isAnEnd, { within })
      if (ended === undefined) break
      const { bankCode = '' } = eventOf(ended) ?? {}
      // An event with an unknown code may be of any bank whose code the profile does not know.
      awaited.delete(awaited.has(bankCode) ? bankCode : '')
    }
    await webhook.listen(deliveryMs)
    return { refresh, within, calls: webhook.deliveries().filter(isNew) }
  }
  return { listen }
}

/** Asks for a refresh, and waits until it has ended at each of the banks, or its time is over. */
export const refreshAndListen = async (...what: Parameters<typeof startRefresh>) =>
  (await startRefresh(...what)).listen()
