import { isAccepted, type Exchange } from '../../../harness/check/index.ts'
import { electronic } from '../account-steps.ts'
import type { Application, Session, Tokens, Walk, Webhook } from '../../../harness/session/index.ts'
import type { Event } from './events.ts'

/** What tokens open while a sequence of acts is run. */

export type Customer = Session['customer']
export type ProfileAccount = Customer['accounts'][number]

export interface Held {
  readonly app: Application
  readonly customer: Customer
  readonly consentId: string | undefined
  readonly tokens: Tokens[]
  /** The accountIds that were listed, by IBAN. */
  readonly ids: Map<string, string>
  /** Whether its last token was accepted when it was used last. */
  isOpen: boolean
}

export interface Stage {
  readonly session: Session
  readonly webhook: Webhook | undefined
  /** Whether time passes even if the clock cannot be moved. */
  readonly waits: boolean
  readonly apps: readonly Application[]
  readonly customers: readonly Customer[]
  readonly held: Held[]
  readonly events: Event[]
  readonly walked: Set<ProfileAccount>
  /** What was booked on each account, in total. */
  readonly credited: Map<ProfileAccount, number>
  /** How often all tokens were used. */
  looks: number
  /** Whether nothing has happened since. */
  isSeen: boolean
}

const PAGE_SIZES = [50, 100, 20, 10] as const

export const walkAll = async (held: Held, { iban }: ProfileAccount): Promise<Walk | undefined> => {
  const accountId = held.ids.get(iban)
  const token = held.tokens.at(-1)
  if (accountId === undefined || token === undefined) return undefined
  for (const size of PAGE_SIZES) {
    const walk = await held.app.accounts('first').walk(token.accessToken, { accountId }, size)
    if (walk.end === 'last') return walk
  }
  return undefined
}

export const walkOne = async (stage: Stage, account: ProfileAccount) => {
  for (const held of stage.held.filter(({ isOpen }) => isOpen).reverse()) {
    const walk = await walkAll(held, account)
    if (walk === undefined) continue
    stage.events.push({ does: 'walk', account: account.iban, customer: held.customer.name, walk })
    return { held, walk }
  }
  return undefined
}

interface Answer {
  readonly exchange: Exchange
  readonly foreign?: number | undefined
}

type Operation = (holder: Held, accessToken: string, session: Session) => Promise<Answer | undefined>

/** The list of accounts, which says their ids. */
const list: Operation = async ({ app, customer, ids, tokens }, accessToken, session) => {
  const isLast = tokens.at(-1)?.accessToken === accessToken
  const accounts = app.accounts('first')
  const exchange = await accounts.list(accessToken)
  const listed = isAccepted(exchange) ? accounts.accountsIn(exchange) : []
  const own = new Set(customer.accounts.filter(({ consented }) => consented).map(({ iban }) => iban))
  const others = new Set(
    session.profile.customers
      .flatMap((one) => one.accounts.map(({ iban }) => iban))
      .filter((iban) => !own.has(iban)),
  )
  const ibans = listed.map(({ iban }) => electronic(iban))
  const foreign = others.size === 0 ? undefined : ibans.filter((iban) => others.has(iban)).length
  // An id may be valid for the token only whose list has it.
  for (const { accountId, iban } of listed)
    if (isLast && own.has(electronic(iban))) ids.set(electronic(iban), accountId)
  return { exchange, foreign }
}

/** The detail of an account. */
const read: Operation = async ({ app, ids }, accessToken) => {
  const [accountId] = ids.values()
  if (accountId === undefined) return undefined
  return { exchange: await app.accounts('first').read(accessToken, { accountId }) }
}

/** A page of transactions. */
const page: Operation = async ({ app, customer, ids }, accessToken) => {
  const [accountId] = customer.accounts.flatMap(
    ({ iban, transactions = 0 }) => (transactions > 0 ? ids.get(iban) : undefined) ?? [],
  )
  if (accountId === undefined) return undefined
  const exchange = await app.accounts('first').transactions(accessToken, { accountId }, { size: 20 })
  const { status = 0 } = exchange.response ?? {}
  // An empty page shows neither an acceptance nor a refusal, with whichever status of success.
  const isEmpty = !isAccepted(exchange) && status >= 200 && status <= 299
  return isEmpty ? undefined : { exchange }
}

const OPERATIONS = { list, read, page } as const
type Name = keyof typeof OPERATIONS

/** One token of one grant. */
type Use = readonly [grant: number, token: number]

const call = async ({ held, session }: Stage, does: Name, [grant, token]: Use): Promise<Event[]> => {
  const holder = held[grant]
  const { accessToken } = holder?.tokens[token] ?? {}
  if (holder === undefined || accessToken === undefined) return []
  const answer = await OPERATIONS[does](holder, accessToken, session)
  if (answer === undefined) return []
  if (token === holder.tokens.length - 1) holder.isOpen = isAccepted(answer.exchange)
  return [{ does, grant, token, foreign: undefined, ...answer }]
}

/** The list of accounts with the last token of a grant. */
export const listLast = async (stage: Stage, grant: number): Promise<void> => {
  const last = (stage.held[grant]?.tokens.length ?? 0) - 1
  stage.events.push(...(await call(stage, 'list', [grant, last])))
}

/**
 * Uses each token for another operation than the last time, and walks one of the accounts that were walked before. Where
 * calls are listened to, only these are judged.
 * @param which the grants whose last token is used for each operation.
 */
export const look = async (
  stage: Stage,
  which: (holder: Held) => boolean = () => false,
  atOnce = false,
): Promise<void> => {
  const { webhook, held, events, walked } = stage
  if (webhook !== undefined) return
  stage.looks += 1
  const names = Object.keys(OPERATIONS) as Name[]
  for (const [at, does] of names.entries()) {
    const uses = held.flatMap((holder, grant) =>
      holder.tokens.flatMap((_, token): readonly Use[] => {
        const isItsTurn = (grant + token + stage.looks) % names.length === at
        return isItsTurn || (token === holder.tokens.length - 1 && which(holder)) ? [[grant, token]] : []
      }),
    )
    // What is sent at the same moment is reported in the order of the tokens.
    if (atOnce) events.push(...(await Promise.all(uses.map((one) => call(stage, does, one)))).flat())
    else for (const one of uses) events.push(...(await call(stage, does, one)))
  }
  const account = [...walked][stage.looks % Math.max(walked.size, 1)]
  if (account !== undefined) await walkOne(stage, account)
  stage.isSeen = true
}
