import { areMovedBy, eventOf, isAccepted, NotReached } from '../../../harness/check/index.ts'
import { LIFETIME, untilLastDay } from '../tolerances.ts'
import { canWait } from '../../../harness/session/index.ts'
import { electronic, leftOutOfBookings, waitsUntilCurrent } from '../account-steps.ts'
import type { Delivery, Exchange } from '../../../harness/check/index.ts'
import type { Application, Session, Tokens, Walk, Webhook } from '../../../harness/session/index.ts'
import type { Act, Life } from './acts.ts'

/** Runs a sequence of acts, and reports what was done and answered. It judges nothing. */

type Customer = Session['customer']
type ProfileAccount = Customer['accounts'][number]

/** A call with an access token. Grants, and the tokens of one grant, are counted from 0. */
interface Called {
  readonly does: 'list' | 'read' | 'page'
  readonly grant: number
  readonly token: number
  readonly exchange: Exchange
  /** How many listed accounts the customer does not share; undefined where the profile knows none of these. */
  readonly foreign: number | undefined
}

/** One account, and what its pages had. */
interface Walked {
  readonly does: 'walk'
  readonly account: string
  readonly walk: Walk
}

interface Booked {
  readonly does: 'book'
  readonly account: string
  readonly amount: number
  readonly isOwn: boolean
  /** The grants whose tokens have listed the account. */
  readonly listedBy: readonly number[]
  /** The grant whose token has just opened the account. */
  readonly openedBy?: number
  readonly booking: Exchange
  /** The detail and the pages before it, and after it, where a token opens the account. */
  readonly shown?: {
    readonly before: Exchange
    readonly after: Exchange
    readonly walks: { readonly earlier: Walk; readonly later: Walk }
  }
  /** The calls from the booking to the end of the time in which they come; where webhooks are listened to. */
  readonly heard?: {
    readonly calls: readonly Delivery[]
    readonly within: number
    readonly isReached: boolean
  }
}

export type Event =
  | Called
  | Walked
  | Booked
  | {
      readonly does: 'authorize'
      readonly app: string
      readonly kind: Application['kind']
      readonly customer: string
      readonly consentId?: string
      /** The code exchange; absent where no code was given. */
      readonly exchange?: Exchange
    }
  | {
      readonly does: 'renew'
      readonly grant: number
      readonly exchange: Exchange
      /** Whether it gave an access token that differs from the one before. */
      readonly isNew: boolean
    }
  | { readonly does: 'revoke' | 'endConsent'; readonly grant: number; readonly at: Date }
  | { readonly does: 'refreshElsewhere'; readonly account: string; readonly exchange: Exchange }
  | { readonly does: 'pass'; readonly ms: number }
  | {
      readonly does: 'setWebhooks'
      readonly enabled: boolean
      readonly apps: readonly { readonly name: string; readonly securityHeader: string }[]
      readonly calls: readonly Delivery[]
    }

interface Held {
  readonly app: Application
  readonly customer: Customer
  readonly consentId: string | undefined
  readonly tokens: Tokens[]
  /** The accountIds that were listed, by IBAN. */
  readonly ids: Map<string, string>
  /** Whether its last token has opened the list of accounts when it was used last. */
  isOpen: boolean
}

interface Stage {
  readonly session: Session
  readonly webhook: Webhook | undefined
  /** Whether time passes even if the clock cannot be moved. */
  readonly waits: boolean
  readonly apps: readonly Application[]
  readonly customers: readonly Customer[]
  readonly held: Held[]
  readonly events: Event[]
  readonly walked: Set<ProfileAccount>
  /** How often all tokens were used. */
  looks: number
}

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

const PAGE_SIZES = [50, 100, 20, 10] as const

const walkAll = async (held: Held, { iban }: ProfileAccount): Promise<Walk | undefined> => {
  const accountId = held.ids.get(iban)
  const token = held.tokens.at(-1)
  if (accountId === undefined || token === undefined) return undefined
  for (const size of PAGE_SIZES) {
    const walk = await held.app.accounts('first').walk(token.accessToken, { accountId }, size)
    if (walk.end === 'last') return walk
  }
  return undefined
}

/** One token of one grant. */
type Use = readonly [grant: number, token: number]

/** The list of accounts with a token, which says the ids of the accounts. */
const list = async ({ session, held }: Stage, [grant, token]: Use): Promise<Called | undefined> => {
  const holder = held[grant]
  const accessToken = holder?.tokens[token]?.accessToken
  if (holder === undefined || accessToken === undefined) return undefined
  const accounts = holder.app.accounts('first')
  const exchange = await accounts.list(accessToken)
  const isOpen = isAccepted(exchange)
  if (token === holder.tokens.length - 1) holder.isOpen = isOpen
  const listed = isOpen ? accounts.accountsIn(exchange) : []
  const own = new Set(holder.customer.accounts.filter(({ consented }) => consented).map(({ iban }) => iban))
  const others = new Set(
    session.profile.customers
      .flatMap((one) => one.accounts.map(({ iban }) => iban))
      .filter((iban) => !own.has(iban)),
  )
  const ibans = listed.map(({ iban }) => electronic(iban))
  const foreign = others.size === 0 ? undefined : ibans.filter((iban) => others.has(iban)).length
  for (const { accountId, iban } of listed)
    if (own.has(electronic(iban))) holder.ids.set(electronic(iban), accountId)
  return { does: 'list', grant, token, foreign, exchange }
}

/** The detail of an account. */
const read = async ({ held }: Stage, [grant, token]: Use): Promise<Called | undefined> => {
  const holder = held[grant]
  const accessToken = holder?.tokens[token]?.accessToken
  const [accountId] = holder?.ids.values() ?? []
  if (holder === undefined || accessToken === undefined || accountId === undefined) return undefined
  const exchange = await holder.app.accounts('first').read(accessToken, { accountId })
  return { does: 'read', grant, token, foreign: undefined, exchange }
}

/** A page of transactions. */
const page = async ({ held }: Stage, [grant, token]: Use): Promise<Called | undefined> => {
  const holder = held[grant]
  const accessToken = holder?.tokens[token]?.accessToken
  const [accountId] = (holder?.customer.accounts ?? []).flatMap(
    ({ iban, transactions = 0 }) => (transactions > 0 ? holder?.ids.get(iban) : undefined) ?? [],
  )
  if (holder === undefined || accessToken === undefined || accountId === undefined) return undefined
  const exchange = await holder.app.accounts('first').transactions(accessToken, { accountId }, { size: 20 })
  const { status = 0 } = exchange.response ?? {}
  // An empty page shows neither an acceptance nor a refusal, with whichever status of success.
  const isEmpty = !isAccepted(exchange) && status >= 200 && status <= 299
  return isEmpty ? undefined : { does: 'page', grant, token, foreign: undefined, exchange }
}

const OPERATIONS = [list, read, page] as const

/** Uses tokens for an operation. What is sent at the same moment is reported in the order of the tokens. */
const use = async (
  stage: Stage,
  operation: (typeof OPERATIONS)[number],
  uses: readonly Use[],
  atOnce = false,
): Promise<void> => {
  const calls: (Called | undefined)[] = []
  if (atOnce) calls.push(...(await Promise.all(uses.map((one) => operation(stage, one)))))
  else for (const one of uses) calls.push(await operation(stage, one))
  stage.events.push(...calls.filter((call) => call !== undefined))
}

/**
 * Uses the last token of each grant for each operation, and each earlier one for another operation than the last time, and
 * walks the accounts that were walked before. Where calls are listened to, only these are judged.
 */
const look = async (stage: Stage, atOnce = false): Promise<void> => {
  if (stage.webhook !== undefined) return
  stage.looks += 1
  for (const [at, operation] of OPERATIONS.entries()) {
    const uses = stage.held.flatMap(({ tokens }, grant) =>
      tokens.flatMap((_, token): readonly Use[] =>
        token === tokens.length - 1 || (grant + token + stage.looks) % OPERATIONS.length === at
          ? [[grant, token]]
          : [],
      ),
    )
    await use(stage, operation, uses, atOnce)
  }
  for (const account of stage.walked) await walkOne(stage, account)
}

const walkOne = async (stage: Stage, account: ProfileAccount) => {
  for (const held of stage.held.filter(({ isOpen }) => isOpen).reverse()) {
    const walk = await walkAll(held, account)
    if (walk === undefined) continue
    stage.events.push({ does: 'walk', account: account.iban, walk })
    return { held, walk }
  }
  return undefined
}

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
  for (const operation of OPERATIONS) await use(stage, operation, [[held.length - 1, 0]])
}

const renew = async (stage: Stage, grant: number): Promise<void> => {
  const { held, events } = stage
  const holder = held[grant]
  const last = holder?.tokens.at(-1)
  if (holder === undefined || last === undefined || last.refreshToken === '') return
  const { exchange, tokens } = await holder.app.renew(last)
  const isNew = tokens.accessToken !== last.accessToken
  if (isNew) holder.tokens.push(tokens)
  events.push({ does: 'renew', grant, exchange, isNew })
  // Its first use: what is refused later was accepted once.
  const first = isNew ? await list(stage, [grant, holder.tokens.length - 1]) : undefined
  if (first !== undefined) events.push(first)
}

const deliveryMs = ({ session }: Stage): number => session.profile.webhooks.deliveryMs

/** Ends a grant or its consent, and lets the calls come that are under way. */
const end = async (stage: Stage, grant: number, what: 'revoke' | 'endConsent'): Promise<void> => {
  const { held, session, events, webhook } = stage
  const { consentId, tokens } = held[grant] ?? { tokens: [] }
  const last = tokens.at(-1)
  if (last === undefined) return
  if (what === 'endConsent' && consentId !== undefined)
    await session.testHooks.revokeConsent(consentId, last.accessToken)
  else await session.testHooks.revokeToken(last.accessToken)
  events.push({ does: consentId === undefined ? 'revoke' : what, grant, at: session.clock.now() })
  await webhook?.listen(Math.max(deliveryMs(stage), 60_000))
  await look(stage)
}

const book = async (stage: Stage, account: ProfileAccount, amount: number): Promise<void> => {
  const { session, held, webhook, events } = stage
  const { iban } = account
  const opened = await walkOne(stage, account)
  stage.walked.add(account)
  const listedBy = held.flatMap(({ ids }, grant) => (ids.has(iban) ? [grant] : []))
  const accountId = opened?.held.ids.get(iban)
  const accessToken = opened?.held.tokens.at(-1)?.accessToken
  const accounts = opened?.held.app.accounts('first')
  const readIt = async () =>
    accounts === undefined || accessToken === undefined || accountId === undefined
      ? undefined
      : accounts.read(accessToken, { accountId })
  const before = await readIt()
  const earlier = new Set(webhook?.deliveries())
  const booking = await session.testHooks.bookTransaction({ iban, amount })
  let after = await readIt()
  let walk = opened && (await walkAll(opened.held, account))
  const isShown = (): boolean => {
    if (accounts === undefined || before === undefined || after === undefined || opened === undefined)
      return true
    const balances = { before: accounts.balancesIn(before), after: accounts.balancesIn(after) }
    const known = new Set(opened.walk.pages.flatMap(({ ids }) => ids))
    const isListed = walk?.pages.some(({ ids }) => ids.some((id) => !known.has(id)))
    return isListed !== false && areMovedBy(amount, balances)
  }
  for (const wait of waitsUntilCurrent(session)) {
    if (account.bank !== 'own' || isShown()) break
    await session.clock.pass(wait)
    after = await readIt()
    walk = opened && (await walkAll(opened.held, account))
  }
  const calls = await webhook?.listen(deliveryMs(stage))
  events.push({
    does: 'book',
    account: iban,
    amount,
    isOwn: account.bank === 'own',
    listedBy,
    ...(opened && { openedBy: held.indexOf(opened.held) }),
    booking,
    ...(opened &&
      before &&
      after &&
      walk && { shown: { before, after, walks: { earlier: opened.walk, later: walk } } }),
    ...(webhook &&
      calls && {
        heard: {
          calls: calls.filter((call) => !earlier.has(call)),
          within: deliveryMs(stage),
          isReached: webhook.isReached(),
        },
      }),
  })
}

/** Books at another bank, and asks for a refresh: for the latest consent of a customer with an account there. */
const refreshElsewhere = async (stage: Stage): Promise<void> => {
  const { session, events } = stage
  const holder = stage.held.findLast(
    ({ consentId, customer, tokens }) =>
      consentId !== undefined && tokens.length > 0 && accountsOf(session, 'other', customer).length > 0,
  )
  const token = holder?.tokens.at(-1)
  const [account] = accountsOf(session, 'other', holder?.customer)
  if (account === undefined || token === undefined || holder?.consentId === undefined) return
  await book(stage, account, 31.07)
  const { accessToken } = token
  const exchange = await holder.app.refreshAccounts({ accessToken, consentId: holder.consentId })
  const { refreshMs } = session.profile.webhooks
  if (canWait(session.clock, refreshMs)) await session.clock.pass(refreshMs)
  events.push({ does: 'refreshElsewhere', account: account.iban, exchange })
  await walkOne(stage, account)
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
  const { webhook, events } = stage
  if (webhook === undefined) return
  const apps = app === undefined ? stage.apps : [nth(stage.apps, app)].filter((one) => one !== undefined)
  for (const one of apps)
    await webhook.configure({ app: one, enabled, securityHeader: securityHeaderOf(stage, one) })
  const calls = await webhook.listen(deliveryMs(stage))
  events.push({
    does: 'setWebhooks',
    enabled,
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
      return look(stage, act.atOnce)
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
    looks: 0,
  }
  for (const act of life) {
    try {
      await run(stage, act)
    } catch (error) {
      // What a test hook does not do is left out, and the life continues.
      if (!(error instanceof NotReached) || error.name !== 'NotReached') throw error
    }
  }
  await look(stage)
  const { balances, amount } = session.profile.operations.readAccount
  return { fields: { balances, amount }, events: stage.events }
}
