import { areMovedBy, eventOf, isAccepted, NotReached } from '../../../harness/check/index.ts'
import { canWait, days, sinceFullHour } from '../../../harness/session/index.ts'
import { currentDeadline, leftOutOfBookings, waitsUntilCurrent } from '../account-steps.ts'
import { HOUR, LIFETIME, untilLastDay } from '../tolerances.ts'
import type { Application, Session, Walk, Webhook } from '../../../harness/session/index.ts'
import { UNUSUAL, type Act, type Life } from './acts.ts'
import type { Event } from './events.ts'
import { listLast, look, walkAll, walkOne, type ProfileAccount, type Stage } from './opened.ts'

/** Runs a sequence of acts, and reports what was done and answered. It judges nothing. */

/** So many applications take part: a FAC, if there is one, and two TPPs. */
const MOST_APPLICATIONS = 3

const applicationsFor = (session: Session, isTppOnly: boolean): readonly Application[] => {
  const all = session.profile.applications.map(({ kind, name }) => session.applicationOf(kind, name))
  const tpps = all.filter(({ kind }) => kind === 'TPP')
  const facs = isTppOnly ? [] : all.filter(({ kind }) => kind === 'FAC')
  return [...facs.slice(0, 1), ...tpps, ...facs.slice(1)].slice(0, MOST_APPLICATIONS)
}

const nth = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % items.length]

/** The accounts of a customer on which bookings are made, the shortest first. */
const accountsOf = (
  session: Session,
  bank: 'own' | 'other',
  customer = session.customer,
): readonly ProfileAccount[] =>
  customer.accounts
    .filter(
      (account) =>
        account.consented && account.bank === bank && !leftOutOfBookings({ customer }).includes(account.iban),
    )
    .sort((one, other) => (one.transactions ?? Infinity) - (other.transactions ?? Infinity))

const authorize = async (stage: Stage, act: Extract<Act, { do: 'authorize' }>): Promise<void> => {
  const { apps, customers, held } = stage
  const [app, customer] = [nth(apps, act.app), nth(customers, act.customer)]
  if (app === undefined || customer === undefined) return
  const earlier = held.findLast((one) => one.app === app)?.consentId
  const consentId = (act.again ? earlier : undefined) ?? (await app.consent())
  const attempt = await app.attemptGrant({ customer, ...(consentId !== undefined && { consentId }) })
  const tokens = attempt.exchange && app.tokensIn(attempt.exchange)
  stage.events.push({
    does: 'authorize',
    app: app.profile.name,
    kind: app.kind,
    customer: customer.name,
    ...(consentId !== undefined && { consentId }),
    ...(attempt.exchange && { exchange: attempt.exchange }),
  })
  const { accessToken, refreshToken = '' } = tokens ?? {}
  const given = accessToken === undefined ? [] : [{ accessToken, refreshToken }]
  held.push({ app, customer, consentId, tokens: given, ids: new Map(), isOpen: false })
  stage.isSeen = false
  await listLast(stage, held.length - 1)
}

const renew = async (stage: Stage, grant: number): Promise<void> => {
  const { held, events } = stage
  const holder = held[grant]
  const last = holder?.tokens.at(-1)
  if (holder === undefined || last === undefined || last.refreshToken === '') return
  const { exchange, tokens } = await holder.app.renew(last)
  const isNew = tokens.accessToken !== last.accessToken
  events.push({ does: 'renew', grant, exchange, isNew })
  if (!isNew) return
  holder.tokens.push(tokens)
  stage.isSeen = false
  // Its first use: what is refused later was accepted once.
  await listLast(stage, grant)
}

const deliveryMs = ({ session }: Stage): number => session.profile.webhooks.deliveryMs

/** Ends a grant or its consent, and lets the calls come that are under way. */
const end = async (stage: Stage, grant: number, what: 'revoke' | 'endConsent'): Promise<void> => {
  const { held, session, events, webhook } = stage
  const holder = held[grant]
  const last = holder?.tokens.at(-1)
  if (holder === undefined || last === undefined) return
  const { consentId } = holder
  if (what === 'endConsent' && consentId !== undefined)
    await session.testHooks.revokeConsent(consentId, last.accessToken)
  else await session.testHooks.revokeToken(last.accessToken)
  events.push({ does: consentId === undefined ? 'revoke' : what, grant, at: session.clock.now() })
  await webhook?.listen(Math.max(deliveryMs(stage), 60_000))
  // Those with the same consent may have ended as well.
  await look(stage, (one) => one === holder || (consentId !== undefined && one.consentId === consentId))
}

const idsIn = ({ pages }: Walk): readonly string[] => pages.flatMap(({ ids }) => ids)

const hasNew = (earlier: Walk, later: Walk | undefined): boolean => {
  const known = new Set(idsIn(earlier))
  return later !== undefined && idsIn(later).some((id) => !known.has(id))
}

/** Books, and lets the time pass until the booking is shown. */
const bookAndRead = async (stage: Stage, account: ProfileAccount, amount: number) => {
  const { session } = stage
  const { iban } = account
  const opened = await walkOne(stage, account)
  stage.walked.add(account)
  const accountId = opened?.held.ids.get(iban)
  const accessToken = opened?.held.tokens.at(-1)?.accessToken
  const book = () => session.testHooks.bookTransaction({ iban, amount })
  if (opened === undefined || accountId === undefined || accessToken === undefined)
    return { booking: await book() }
  const { held, walk: earlier } = opened
  const accounts = held.app.accounts('first')
  const read = () => accounts.read(accessToken, { accountId })
  const before = await read()
  const booking = await book()
  let [after, later] = [await read(), await walkAll(held, account)]
  const isShown = (): boolean =>
    (later === undefined || hasNew(earlier, later)) &&
    areMovedBy(amount, { before: accounts.balancesIn(before), after: accounts.balancesIn(after) })
  for (const wait of waitsUntilCurrent(session)) {
    if (account.bank !== 'own' || isShown()) break
    await session.clock.pass(wait)
    ;[after, later] = [await read(), await walkAll(held, account)]
  }
  return { booking, ...(later && { shown: { before, after, walks: { earlier, later } } }) }
}

/** Books, and listens for the calls that it causes. */
const bookAndListen = async (stage: Stage, iban: string, amount: number, webhook: Webhook) => {
  const { session, held } = stage
  let openedBy = held.findLastIndex(({ isOpen, ids }) => isOpen && ids.has(iban))
  if (openedBy >= 0) await listLast(stage, openedBy)
  if (held[openedBy]?.isOpen !== true) openedBy = -1
  const earlier = new Set(webhook.deliveries())
  const booking = await session.testHooks.bookTransaction({ iban, amount })
  const calls = (await webhook.listen(deliveryMs(stage))).filter((call) => !earlier.has(call))
  const heard = { calls, within: deliveryMs(stage), isReached: webhook.isReached() }
  return { booking, heard, ...(openedBy >= 0 && { openedBy }) }
}

/** So much is taken from an account only if it was credited before: no account gets deep into debt. */
const LARGE_DEBIT = 1_000

/** A large amount is made less by at most 999.98, so that no other sequence at the same bank books it as well. */
const ownAmount = ({ session: { random } }: Stage, amount: number): number =>
  amount < UNUSUAL ? amount : Math.round(amount * 100 - (random.bytes(4).readUInt32BE() % 99_999)) / 100

const book = async (stage: Stage, account: ProfileAccount, about: number): Promise<void> => {
  const { session, held, webhook, events, credited } = stage
  const { iban } = account
  const amount = ownAmount(stage, about)
  const total = (credited.get(account) ?? 0) + amount
  if (amount <= -LARGE_DEBIT && total < 0) return
  credited.set(account, total)
  const booked =
    webhook === undefined
      ? await bookAndRead(stage, account, amount)
      : await bookAndListen(stage, iban, amount, webhook)
  const { ms, isDecisive } = currentDeadline(session)
  stage.isSeen = false
  events.push({
    does: 'book',
    account: iban,
    customer: stage.customers.find(({ accounts }) => accounts.includes(account))?.name ?? '',
    amount,
    isOwn: account.bank === 'own',
    ...(isDecisive && { currentMs: ms }),
    listedBy: held.flatMap(({ ids }, grant) => (ids.has(iban) ? [grant] : [])),
    ...booked,
  })
}

/** Books at another bank, and asks for a refresh: for the latest consent of a customer with an account there. */
const refreshElsewhere = async (stage: Stage): Promise<void> => {
  const { session, events, held, webhook } = stage
  const grant = held.findLastIndex(
    ({ consentId, customer, tokens }) =>
      consentId !== undefined && tokens.length > 0 && accountsOf(session, 'other', customer).length > 0,
  )
  const holder = held[grant]
  const token = holder?.tokens.at(-1)
  const [account] = accountsOf(session, 'other', holder?.customer)
  if (account === undefined || token === undefined || holder?.consentId === undefined) return
  const walk = async () => (webhook === undefined ? walkAll(holder, account) : undefined)
  const earlier = await walk()
  await book(stage, account, 31.07)
  const { accessToken } = token
  const exchange = await holder.app.refreshAccounts({ accessToken, consentId: holder.consentId })
  const { refreshMs: within } = session.profile.webhooks
  const calls = await webhook?.listen(within)
  const waits = webhook === undefined ? [within, ...waitsUntilCurrent(session, days(1))] : []
  let later: Walk | undefined
  for (const wait of waits.filter((ms) => canWait(session.clock, ms))) {
    if (earlier === undefined || !isAccepted(exchange) || (later && hasNew(earlier, later))) break
    await session.clock.pass(wait)
    later = await walk()
  }
  const { isDecisive } = currentDeadline(session, days(1))
  events.push({
    does: 'refreshElsewhere',
    account: account.iban,
    grant,
    exchange,
    ...(earlier && later && isDecisive && { walks: { earlier, later } }),
    ...(webhook && calls && { heard: { calls, within, isReached: webhook.isReached() } }),
    task: holder.app.taskIdIn(exchange) ?? '',
  })
}

const pass = async (stage: Stage, ms: number): Promise<void> => {
  const { clock } = stage.session
  if (ms <= 0 || !(stage.waits || canWait(clock, ms))) return
  await clock.pass(ms)
  stage.events.push({ does: 'pass', ms })
  await look(stage)
}

const age = async (stage: Stage, grant: number, beyond: number): Promise<void> => {
  const { clock } = stage.session
  const issued = stage.events.findLast(
    (event) => event.does === 'renew' && event.grant === grant && event.isNew,
  )
  if (issued?.does !== 'renew') return
  const { sentAt, durationMs } = issued.exchange
  const due = Date.parse(sentAt) + Math.ceil(durationMs) + LIFETIME + beyond
  await pass(stage, due - clock.now().getTime())
}

/** Each application has its own, and keeps it. */
const securityHeaderOf = ({ apps }: Stage, app: Application): string => `Life+${apps.indexOf(app)}/Zz09=`

const setWebhooks = async (
  stage: Stage,
  { enabled, app }: Extract<Act, { do: 'setWebhooks' }>,
): Promise<void> => {
  const { webhook, events, session } = stage
  if (webhook === undefined) return
  const now = session.clock.now()
  const apps = app === undefined ? stage.apps : [nth(stage.apps, app)].filter((one) => one !== undefined)
  for (const one of apps)
    await webhook.configure({ app: one, enabled, securityHeader: securityHeaderOf(stage, one) })
  const calls = await webhook.listen(deliveryMs(stage))
  events.push({
    does: 'setWebhooks',
    enabled,
    nextHour: now.getTime() - sinceFullHour(now, session.profile.timeZone) + HOUR,
    apps: apps.map((one) => ({ name: one.profile.name, securityHeader: securityHeaderOf(stage, one) })),
    calls: calls.filter((call) => eventOf(call) !== undefined),
  })
}

const run = async (stage: Stage, act: Act): Promise<void> => {
  const { held, session } = stage
  const which = 'grant' in act && held.length > 0 ? held.length - 1 - (act.grant % held.length) : -1
  switch (act.do) {
    case 'authorize':
      return authorize(stage, act)
    case 'renew':
      return renew(stage, which)
    case 'revoke':
    case 'endConsent':
      return end(stage, which, act.do)
    case 'refreshElsewhere':
      return refreshElsewhere(stage)
    case 'age':
      return age(stage, which, act.beyond)
    case 'book': {
      const account = nth(accountsOf(session, 'own', nth(stage.customers, act.customer ?? 0)), act.account)
      return account && book(stage, account, act.amount)
    }
    case 'pass':
      return pass(stage, act.ms)
    case 'wait':
      return pass(stage, untilLastDay(session, act.until, act.ahead))
    case 'setWebhooks':
      return setWebhooks(stage, act)
    case 'look':
      return look(stage, () => act.atOnce === true, act.atOnce)
  }
}

/**
 * @param waits whether time passes even if the clock cannot be moved.
 * @param webhook where calls are listened to: then only TPPs act.
 */
export const live = async (
  session: Session,
  life: Life,
  { waits = false, webhook }: { readonly waits?: boolean; readonly webhook?: Webhook } = {},
): Promise<{
  readonly fields: { readonly balances: string; readonly amount: string }
  readonly events: readonly Event[]
}> => {
  const stage: Stage = {
    session,
    webhook,
    waits,
    apps: applicationsFor(session, webhook !== undefined),
    customers: session.profile.customers.slice(0, 2),
    held: [],
    events: [],
    walked: new Set(),
    credited: new Map(),
    looks: 0,
    isSeen: false,
  }
  for (const act of life) {
    try {
      await run(stage, act)
    } catch (error) {
      // What a test hook does not do is left out, and the life continues.
      if (!(error instanceof NotReached) || error.name !== 'NotReached') throw error
    }
  }
  if (!stage.isSeen) await look(stage)
  const { balances, amount } = session.profile.operations.readAccount
  return { fields: { balances, amount }, events: stage.events }
}
