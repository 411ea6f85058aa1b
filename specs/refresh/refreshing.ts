import { eventOf, hasCome, NotReached } from '../../harness/check/index.ts'
import type {
  Access,
  Application,
  Delivery,
  Exchange,
  ListedAccount,
  Observed,
  ObservedDelivery,
  Session,
} from '../../harness/check/index.ts'

/** What the scenarios of this chapter do, and what their judges have in common. */

/** Another bank at which the customer has accounts that they consent to, as the profile knows them. */
export interface OtherBank {
  /** The bankCode, where the profile has it. */
  readonly code?: string
  readonly accounts: readonly ListedAccount[]
}

const electronic = (iban = ''): string => iban.replaceAll(/\s/g, '').toUpperCase()

/** @throws NotReached where none of the known accounts is listed. */
export const otherBanksOf = async (
  { app, customer }: Session,
  { accessToken }: Access,
): Promise<readonly OtherBank[]> => {
  const accounts = app.accounts('first')
  const listed = accounts.accountsIn(await accounts.list(accessToken))
  const banks = new Map<string | undefined, ListedAccount[]>()
  for (const { iban, bankCode } of customer.accounts.filter(
    ({ bank, consented }) => bank === 'other' && consented,
  )) {
    const account = listed.find((one) => electronic(one.iban) === iban)
    if (account !== undefined) banks.set(bankCode, [...(banks.get(bankCode) ?? []), account])
  }
  if (new Set(listed.map(({ accountId }) => accountId)).size < listed.length)
    throw new NotReached('two accounts of the list have one accountId')
  if (banks.size === 0)
    throw new NotReached('no account at another bank is listed under an IBAN that the profile knows')
  return [...banks].map(([code, known]) => ({ ...(code !== undefined && { code }), accounts: known }))
}

/** A bank is told by its code, or by an account of its own: either may be what a target gets wrong. */
const isOf = (bank: OtherBank, delivery: Delivery): boolean => {
  const event = eventOf(delivery)
  if (bank.code === undefined || event?.bankCode === bank.code) return true
  const ids = bank.accounts.map(({ accountId }) => accountId)
  return event?.accounts.some(({ accountId }) => accountId !== undefined && ids.includes(accountId)) ?? false
}

/** The end of a refresh at one bank. */
export interface Finish {
  readonly bank: string
  /** The event that tells of it; absent where none came. */
  readonly delivery?: Delivery
}

/** A refresh that was waited for. */
export interface Course {
  readonly refresh: Exchange
  readonly finishes: readonly Finish[]
  readonly within: number
  readonly isReached: boolean
}

const FINISHED = 'FINISHED'

/** Asks for a refresh, and waits until each of the banks has reported FINISHED, or should have. */
export const refreshed = async (
  { app, webhook, profile }: Session,
  access: Access,
  banks: readonly OtherBank[],
): Promise<Course> => {
  const refresh = await app.refreshAccounts(access)
  const taskId = app.taskIdIn(refresh)
  const within = profile.webhooks.refreshMs
  const finishes: Finish[] = []
  for (const bank of taskId === undefined ? [] : banks) {
    const isItsEnd = (delivery: Delivery): boolean => {
      const event = eventOf(delivery)
      return event?.taskId === taskId && event?.taskStatus === FINISHED && isOf(bank, delivery)
    }
    const delivery = await webhook.next(isItsEnd, { within })
    finishes.push({ bank: bank.code ?? 'another bank', ...(delivery !== undefined && { delivery }) })
  }
  return { refresh, finishes, within, isReached: webhook.isReached() }
}

/** Whether a refresh was refused by the target: neither taken, nor the cause of a breakdown. */
const isRefused = ({ refresh: { accepted, status } }: Observed<Course>): boolean =>
  !accepted && Number(status.value) >= 400 && Number(status.value) < 500

/**
 * Of refreshes of one consent, the first, and the later ones that were not refused: how often a target takes one is not
 * shown.
 */
export const takenOf = <Item>(
  items: readonly Item[],
  courseOf: (item: Item) => Observed<Course>,
): readonly Item[] => items.filter((item, at) => at === 0 || !isRefused(courseOf(item)))

/** @throws NotReached where there is no taskId by which its events could be known. */
const hasBegun = ({ refresh, finishes }: Observed<Course>): void => {
  if (!refresh.accepted) throw new NotReached('the refresh was not accepted')
  if (finishes.length === 0) throw new NotReached('the refresh was answered with a taskId that is no text')
}

/** Judges that every bank has reported FINISHED. @throws NotReached where the refresh was not accepted. */
export const isFinished = (course: Observed<Course>): void => {
  hasBegun(course)
  const { refresh, finishes, within, isReached } = course
  for (const { bank, delivery } of finishes)
    hasCome(
      { delivery, after: refresh, within, isReached },
      `an accountEvent of the refresh with the taskStatus ${FINISHED}, of the bank ${bank}`,
    )
}

/** @throws NotReached where a bank has not reported FINISHED: then nothing is known of its data. */
export const hasEnded = (course: Observed<Course>): void => {
  hasBegun(course)
  for (const { bank, delivery } of course.finishes)
    if (delivery === undefined) throw new NotReached(`the bank ${bank} has not reported ${FINISHED}`)
}

/** Between two refreshes of one consent: a target may take one in half a minute alone. */
export const PAUSE = 60_000

/** A refresh with the token of a fresh grant, for controls. */
export const refreshFresh = async (app: Application): Promise<Exchange> =>
  app.refreshAccounts(await app.tokens())

/**
 * Waits until a refresh has ended at one bank, or should have, and for what is under way then: what was begun before it
 * is heard of by then.
 * @returns whether its end was heard, and all calls so far.
 */
export const heardOf = async ({ app, webhook, profile }: Session, refresh: Exchange) => {
  const { refreshMs, deliveryMs } = profile.webhooks
  const taskId = app.taskIdIn(refresh)
  const isItsEnd = (delivery: Delivery): boolean => {
    const event = eventOf(delivery)
    return event?.taskId === taskId && event?.taskStatus === FINISHED
  }
  const end = taskId === undefined ? undefined : await webhook.next(isItsEnd, { within: refreshMs })
  return { isHeard: end !== undefined, calls: await webhook.listen(deliveryMs) }
}

/** Judges that no call tells of a task of one of these consents, but for the tasks that the target was asked for. */
export const noTaskIsToldOf = (
  calls: readonly ObservedDelivery[],
  { consents, but }: { readonly consents: readonly string[]; readonly but: readonly (string | undefined)[] },
): void => {
  for (const call of calls) {
    const { consentId = '', taskId } = call.event ?? {}
    if (taskId === undefined || but.includes(taskId)) continue
    call
      .field('consentId')
      .satisfies(!consents.includes(consentId), 'no consent whose refresh is refused to who asked for it')
  }
}
