import { eventOf, NotReached } from '../../harness/check/index.ts'
import type {
  Application,
  Delivery,
  Exchange,
  ListedAccount,
  Session,
  WebhookEvent,
} from '../../harness/check/index.ts'

/** What the scenarios of this chapter do: grants, bookings and refreshes, and what is heard of them. */

const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
/** From any moment on, the next full hour has come: a minute is added for clocks that differ. */
export const PAST_THE_HOUR = HOUR + MINUTE

/** Of every kind of sign that is allowed; blanks within it, one and two. */
export const SECURITY_HEADER = 'Basic  dXNlcg+/ Zz09  Ab+/=='

/** In the account's currency. */
const AMOUNT = 12.34
/** Money that goes out. */
const DEBIT = -AMOUNT / 2

/** An account of the list that the profile knows as well. */
export interface Known {
  readonly accountId: string
  readonly iban: string
  readonly bank: 'own' | 'other'
  /** Code of the other bank, where the profile knows it. */
  readonly bankCode: string
  /** Whether nothing is booked on it but by a scenario: the profile knows how many transactions it has. */
  readonly isStill: boolean
}

type Customer = Session['customer']

const electronic = (iban = ''): string => iban.replaceAll(/\s/g, '').toUpperCase()

/** Those without any come last: what an empty page looks like is not shown. */
const length = ({ transactions = 0 }: Customer['accounts'][number]): number =>
  transactions === 0 ? Infinity : transactions

/** The listed accounts of a customer that the profile knows, those with the fewest transactions first. */
const knownAmong = ({ accounts }: Customer, listed: readonly ListedAccount[]): readonly Known[] =>
  accounts
    .toSorted((one, other) => (length(one) < length(other) ? -1 : Number(length(one) > length(other))))
    .flatMap(({ iban, bank, bankCode = '', transactions, consented }) => {
      const account = listed.find((candidate) => electronic(candidate.iban) === iban)
      if (account === undefined || !consented) return []
      const { accountId } = account
      return [{ accountId, iban, bank, bankCode, isStill: transactions !== undefined }]
    })

/** A grant, and the accounts that it opens. */
export interface Subscription {
  readonly accessToken: string
  readonly refreshToken: string
  readonly consentId: string
  readonly list: Exchange
  /** The accountIds of all accounts of the list. */
  readonly ids: readonly string[]
  readonly own: readonly Known[]
  readonly elsewhere: readonly Known[]
}

/** A customer grants an application access to accounts, whose ids are then known. */
export const subscribe = async (
  session: Session,
  whose: { readonly app?: Application; readonly customer?: Customer } = {},
): Promise<Subscription> => {
  const { app = session.app, customer = session.customer } = whose
  const { accessToken, refreshToken, consentId } = await app.tokens({ customer })
  if (consentId === undefined) throw new NotReached('the application has no consent')
  const accounts = app.accounts('first')
  const list = await accounts.list(accessToken)
  const listed = accounts.accountsIn(list)
  const known = knownAmong(customer, listed)
  return {
    accessToken,
    refreshToken,
    consentId,
    list,
    ids: listed.map(({ accountId }) => accountId),
    own: known.filter(({ bank }) => bank === 'own'),
    elsewhere: known.filter(({ bank }) => bank === 'other'),
  }
}

/** Whether the list has every account that the profile knows, each under an id of its own. */
export const isComplete = ({ accounts }: Customer, { own, elsewhere, ids }: Subscription): boolean =>
  own.length + elsewhere.length === accounts.filter(({ consented }) => consented).length &&
  new Set(ids).size === ids.length

/** @throws NotReached where the list shows no such account under the IBAN that the profile knows. */
export const firstOf = ([first]: readonly Known[], place: string): Known => {
  if (first !== undefined) return first
  throw new NotReached(`no account at ${place} is listed under an IBAN that the profile knows`)
}

/** The security header that the calls to the acting application carry. */
export const securityHeaderOf = ({ profile, app }: Session, configured: string): string => {
  if (profile.levers.configureWebhook !== undefined) return configured
  const { configured: settings } = profile.webhooks
  return settings.find(({ application }) => application === app.profile.name)?.securityHeader ?? ''
}

/** What an accountEvent alone has. */
export const isAccountEvent = (event: WebhookEvent): boolean =>
  event.name === 'accountEvent' || (event.taskStatus ?? event.bankCode ?? event.bankName) !== undefined

export const idsIn = ({ accounts }: WebhookEvent): readonly string[] =>
  accounts.flatMap(({ accountId }) => accountId ?? [])

/** Books on an account, whatever is heard of it: money that comes in, unless it is said. */
export const book = (
  { levers }: Session,
  { iban }: Pick<Known, 'iban'>,
  amount = AMOUNT,
): Promise<Exchange> => levers.bookTransaction({ iban, amount })

/** Books money that goes out; where the target's lever books none, money that comes in. */
export const bookDebit = async (session: Session, account: Pick<Known, 'iban'>): Promise<Exchange> => {
  try {
    return await book(session, account, DEBIT)
  } catch (error) {
    if (error instanceof NotReached) return book(session, account)
    throw error
  }
}

/** Only calls that have come since count: an earlier one may be repeated, and says nothing of what happens now. */
const sinceNow = ({ webhook }: Session): ((delivery: Delivery) => boolean) => {
  const before = new Set(webhook.deliveries())
  return (delivery) => !before.has(delivery)
}

/** Who was told of the bookings that a webhook has heard of. */
interface Audience {
  /** The last booking that was told as it should be, and where its calls begin. */
  last?: { readonly consentId: string; readonly from: number } | undefined
  /** Consents that were told beside the one of a booking: the application has them from before. */
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
  account: Known,
  bookOn: (session: Session, account: Known) => Promise<Exchange> = book,
) => {
  const { webhook, profile } = session
  const within = profile.webhooks.deliveryMs
  const isNew = sinceNow(session)
  const audience = audienceOf(session)
  const { length } = webhook.deliveries()
  const booking = await bookOn(session, account)
  // What another consent is told is none of ours in wrong words.
  const isOfAnother = ({ consentId: told = consentId }: WebhookEvent): boolean =>
    told !== consentId && audience.others.has(told)
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
  // Where none says all that it must, the one that comes closest shows what is wrong.
  const near = exact ?? (await next(isOurs, 0)) ?? (await next(isOfIt, 0)) ?? (await next(() => true, 0))
  audience.last = exact && { consentId, from: length }
  return { booking, account, consentId, within, exact, near }
}

/** A refresh that has ended at each of the banks, or has had its time. */
export const refreshAndListen = async (
  session: Session,
  { accessToken, consentId, elsewhere }: Subscription,
  app = session.app,
) => {
  const { webhook, profile } = session
  const { refreshMs, deliveryMs } = profile.webhooks
  const within = refreshMs + deliveryMs
  const isNew = sinceNow(session)
  const refresh = await app.refreshAccounts({ accessToken, consentId })
  const awaited = new Set(elsewhere.map(({ bankCode }) => bankCode))
  const isAnEnd = (delivery: Delivery): boolean => {
    const event = isNew(delivery) ? eventOf(delivery) : undefined
    return event?.consentId === consentId && event.taskStatus === 'FINISHED'
  }
  while (awaited.size > 0) {
    const ended = await webhook.next(isAnEnd, { within })
    if (ended === undefined) break
    const { bankCode = '' } = eventOf(ended) ?? {}
    // Whose code is not known may be any bank of those whose code is not known.
    awaited.delete(awaited.has(bankCode) ? bankCode : '')
  }
  await webhook.listen(deliveryMs)
  return { refresh, within, calls: webhook.deliveries().filter(isNew) }
}
