import { eventOf, hasArrived, held, isAccepted, NotReached, wasProcessed } from '../../harness/check/index.ts'
import { canWait } from '../../harness/session/index.ts'
import { electronic } from '../shared/account-steps.ts'
import type {
  Delivery,
  Exchange,
  Observed,
  ObservedDelivery,
  ObservedExchange,
  RecordOf,
} from '../../harness/check/index.ts'
import type { Access, Application, ListedAccount, Session } from '../../harness/session/index.ts'

/** What the scenarios of this chapter do, and what their checks assert of it. */

/** Another bank at which the customer has accounts with consent, as the profile knows them. */
export interface OtherBank {
  /** The bankCode; undefined where the profile does not say it. */
  readonly code?: string
  readonly accounts: readonly ListedAccount[]
}

/** The other banks whose accounts are listed. @throws NotReached where there is none. */
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

/** Whether an event is of a bank: by its code or by one of its accounts. Either may be wrong. */
const isOf = (bank: OtherBank, delivery: Delivery): boolean => {
  const event = eventOf(delivery)
  if (bank.code === undefined || event?.bankCode === bank.code) return true
  const ids = bank.accounts.map(({ accountId }) => accountId)
  return event?.accounts.some(({ accountId }) => accountId !== undefined && ids.includes(accountId)) ?? false
}

const textOf = ({ exchange }: Delivery): string | undefined => exchange.request.body?.text

/** The end of a refresh at one bank. */
interface Finish {
  readonly bank: string
  /** The event that reports it; absent where none came. */
  readonly delivery?: Delivery
}

/** A refresh, and its end at each bank. */
export interface RefreshRun {
  readonly refresh: Exchange
  readonly finishes: readonly Finish[]
  readonly within: number
  readonly isReached: boolean
}

const FINISHED = 'FINISHED'

/** In ms: a bank that has reported its end is read soon afterwards, so that data that come later are seen to be late. */
const LONGEST_STEP_MS = 5_000

/** Asks for a refresh, and waits until each of the banks has reported FINISHED, or should have. */
export const refreshAndWait = async (
  session: Session,
  access: Access,
  banks: readonly OtherBank[],
): Promise<RefreshRun> => waitForTheEndOf(session, await session.app.refreshAccounts(access), banks)

/** Waits until each of the banks has reported the end of a refresh, or should have. */
export const waitForTheEndOf = async (
  { app, webhook, profile }: Session,
  refresh: Exchange,
  banks: readonly OtherBank[],
): Promise<RefreshRun> => {
  const taskId = app.taskIdIn(refresh)
  const within = profile.webhooks.refreshMs
  const finishes: Finish[] = []
  // A call may be repeated: the same event is the end at one bank only.
  const reported = new Set<string | undefined>()
  for (const bank of taskId === undefined ? [] : banks) {
    const isItsEnd = (delivery: Delivery): boolean => {
      const event = eventOf(delivery)
      const isEnd = event?.taskId === taskId && event?.taskStatus === FINISHED
      return isEnd && isOf(bank, delivery) && !reported.has(textOf(delivery))
    }
    const delivery = await webhook.next(isItsEnd, { within, longestStep: LONGEST_STEP_MS })
    if (delivery !== undefined) reported.add(textOf(delivery))
    finishes.push({ bank: bank.code ?? 'another bank', ...(delivery !== undefined && { delivery }) })
  }
  return { refresh, finishes, within, isReached: webhook.isReached() }
}

interface Judged {
  /** Refreshes that a conforming target accepts. */
  readonly valid: readonly ObservedExchange[]
  /** Refreshes that it may refuse. */
  readonly changed?: readonly ObservedExchange[]
}

/**
 * Asserts that accepted refreshes have the HTTP status of a success, and refused ones have not.
 * @throws NotReached where none was accepted.
 */
export const assertStatusGivesTheResult = ({ valid, changed = [] }: Judged): void => {
  const accepted = [...valid, ...changed].filter((refresh) => refresh.accepted)
  if (accepted.length === 0) throw new NotReached('no refresh was accepted')
  for (const { status } of accepted)
    status.satisfies(isSuccess(status.value), 'the status of a success, since the answer carries a taskId')
  for (const refused of changed.filter((refresh) => !refresh.accepted)) {
    wasProcessed(refused)
    refused.status.satisfies(
      !isSuccess(refused.status.value),
      'a status that is no success, since the answer carries no taskId',
    )
  }
}

const isSuccess = (status: unknown): boolean => Number(status) >= 200 && Number(status) < 300

/** In ms. How often a target accepts a refresh of a consent is not shown: it is asked again after this time. */
const LONGER_PAUSE_MS = 300_000

/**
 * Lets the time pass after which a target accepts a refresh of the same consent again, if its clock can be moved. A refresh
 * that is refused until then may be refused for that reason, and not for the one that is tried.
 */
export const waitUntilItMayBeRepeated = async ({ clock }: Session): Promise<void> => {
  if (canWait(clock, LONGER_PAUSE_MS)) await clock.pass(LONGER_PAUSE_MS)
}

/** Like `refreshAndWait`, and again after some minutes where the target refuses the refresh. */
export const refreshAgain = async (
  session: Session,
  access: Access,
  banks: readonly OtherBank[],
): Promise<RefreshRun> => {
  const run = await refreshAndWait(session, access, banks)
  const { response } = run.refresh
  if (isAccepted(run.refresh) || response === undefined || response.status >= 500) return run
  await session.webhook.listen(LONGER_PAUSE_MS)
  return refreshAndWait(session, access, banks)
}

/** Whether the target has refused a refresh: it was not accepted, and not answered with a server error. */
const isRefused = ({ refresh: { accepted, status } }: Observed<RefreshRun>): boolean =>
  !accepted && Number(status.value) >= 400 && Number(status.value) < 500

/**
 * Of refreshes of one consent, the first one and the later ones that were not refused: how often a target accepts one is
 * not shown.
 */
export const withoutRefusedRepetitions = <Item>(
  items: readonly Item[],
  runOf: (item: Item) => Observed<RefreshRun>,
): readonly Item[] => items.filter((item, at) => at === 0 || !isRefused(runOf(item)))

/** @throws NotReached where there is no taskId by which its events could be recognized. */
const requireTaskId = ({ refresh, finishes }: Observed<RefreshRun>): void => {
  if (!refresh.accepted) throw new NotReached('the refresh was not accepted')
  if (finishes.length === 0) throw new NotReached('the refresh was answered with a taskId that is no text')
}

/** Asserts that every bank has reported FINISHED. @throws NotReached where the refresh was not accepted. */
export const assertFinished = (run: Observed<RefreshRun>): void => {
  requireTaskId(run)
  const { refresh, finishes, within, isReached } = run
  for (const { bank, delivery } of finishes)
    hasArrived(
      { delivery, after: refresh, within, isReached },
      `an accountEvent of the refresh with the taskStatus ${FINISHED}, of the bank ${bank}`,
    )
}

/** Whether a refresh was accepted, and every bank has reported FINISHED. */
export const isFinished = ({ refresh, finishes }: Observed<RefreshRun>): boolean =>
  refresh.accepted && finishes.length > 0 && finishes.every(({ delivery }) => delivery !== undefined)

/** @throws NotReached where a bank has not reported FINISHED: then nothing is known about its data. */
export const requireFinished = (run: Observed<RefreshRun>): void => {
  requireTaskId(run)
  for (const { bank, delivery } of run.finishes)
    if (delivery === undefined) throw new NotReached(`the bank ${bank} has not reported ${FINISHED}`)
}

/** The time between two refreshes of one consent, in ms: a target may accept only one in half a minute. */
export const PAUSE_MS = 60_000

/** A refresh with a new grant: a positive control. */
export const refreshWithNewGrant = async (app: Application): Promise<Exchange> =>
  app.refreshAccounts(await app.tokens())

/**
 * Waits until a refresh has ended at one bank, or its time is over, and then for calls that are under way. A task that
 * was started before it is reported by then.
 * @returns its end, whether it was reported, and all calls so far.
 */
export const listenUntilTheEndOf = async ({ app, webhook, profile }: Session, refresh: Exchange) => {
  const { refreshMs, deliveryMs } = profile.webhooks
  const taskId = app.taskIdIn(refresh)
  const isItsEnd = (delivery: Delivery): boolean => {
    const event = eventOf(delivery)
    return event?.taskId === taskId && event?.taskStatus === FINISHED
  }
  const end = taskId === undefined ? undefined : await webhook.next(isItsEnd, { within: refreshMs })
  return {
    ...(end && { end }),
    within: refreshMs,
    isReached: webhook.isReached(),
    isReported: end !== undefined,
    calls: await webhook.listen(deliveryMs),
  }
}

/** Asserts that the end of a refresh was reported, at one bank. @throws NotReached where it was not accepted. */
export const assertEnded = (
  refresh: ObservedExchange,
  { end, within, isReached }: RecordOf<typeof listenUntilTheEndOf>,
): void => {
  if (!refresh.accepted) throw new NotReached('the refresh was not accepted')
  hasArrived(
    { delivery: end, after: refresh, within, isReached },
    `an accountEvent of the refresh with the taskStatus ${FINISHED}`,
  )
}

/** Waits for the calls of a task that was started in silence: a new grant may end the earlier one, and its tasks. */
export const listenBeforeANewGrant = async ({ webhook, profile }: Session): Promise<void> => {
  await webhook.listen(profile.webhooks.deliveryMs)
}

interface NotReportedOf {
  readonly consents: readonly string[]
  /** The taskIds of refreshes that the target has accepted. */
  readonly accepted: readonly (string | undefined)[]
}

/** Asserts that no call reports a task of these consents, except the tasks of accepted refreshes. */
export const assertNoTaskReported = (
  calls: readonly ObservedDelivery[],
  { consents, accepted }: NotReportedOf,
): void => {
  for (const call of calls) {
    const { consentId = '', taskId } = call.event ?? {}
    if (taskId === undefined || accepted.includes(taskId)) continue
    call.field('consentId').satisfies(!consents.includes(consentId), 'no consent whose refresh was refused')
  }
  held()
}
