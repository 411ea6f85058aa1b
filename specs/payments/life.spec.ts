import {
  check,
  draws,
  NotReached,
  wasNotProcessed,
  type Exchange,
  type ObservedExchange,
  type RecordOf,
} from '../../harness/check/index.ts'
import {
  days,
  REASON_CODES,
  scenario,
  untilOpenBeforeWorkingDay,
  type Payments,
  type Session,
} from '../../harness/session/index.ts'
import { PAYMENT } from './model.ts'
import { accountOf, isFuture, keepsToTheModel } from './model-walk.ts'
import { isAnswered, UNAUTHORIZED } from './readings.ts'
import { isInValidation, isRejected, recordIn, stateIn } from './records.ts'
import { PAY } from './requirements.ts'
import { checkLaws } from './record-rules.ts'
import { orderIdIn } from './status-reads.ts'
import type { Action } from './sequence.ts'

/** Payments of two applications over a quarter: what is forgotten, confused or moved long after it was settled. */

const HOUR_MS = days(1) / 24

/** A search over so many days finds a last day of a month on which payments are executed. */
const LONGEST_AHEAD = 100

const isLastOfTheMonth = (date: string): boolean =>
  new Date(Date.parse(date) + days(1)).toISOString().slice(8, 10) === '01'

/** The values of an order for the last day of a month, and of one for a later day; undefined if none is near. */
const atMonthEnd = (payments: Payments) => {
  for (let ahead = 2; ahead <= LONGEST_AHEAD; ahead += 1) {
    const values = payments.freshValues(ahead)
    if (isLastOfTheMonth(String(values.date))) return [values, payments.freshValues(ahead + 7)] as const
  }
  return undefined
}

interface Known {
  readonly payment: number
  readonly orderId: string
  readonly whose: string
}

/** The payments of each application, whose tokens end while time passes. */
const opened = async (session: Session): Promise<readonly Payments[]> => {
  const own = await session.payments()
  const others = session.profile.applications.filter(({ name }) => name !== own.application.name)
  for (const other of others.toReversed()) {
    try {
      return [own, await session.payments(other)]
    } catch (error) {
      if (!(error instanceof NotReached)) throw error
    }
  }
  return [own]
}

/** Initiates, authorizes, submits and reads payments, and keeps what was done. */
const createLife = (session: Session) => {
  const actions: Action[] = []
  const known: Known[] = []
  let payments: readonly Payments[] = []

  const keep = (
    by: Payments,
    exchange: Exchange,
    kind: 'at once' | 'on a later date' | 'invalid',
    date?: string,
  ) => {
    const payment = actions.filter(({ does }) => does === 'initiate').length + 1
    const orderId = orderIdIn(by, exchange)
    if (orderId !== undefined) known.push({ payment, orderId, whose: by.application.name })
    actions.push({ does: 'initiate', payment, kind, orderId, date, exchange })
    return orderId === undefined ? undefined : { payment, orderId }
  }

  const readAll = async (): Promise<void> => {
    for (const { payment, orderId, whose } of known) {
      const by = payments.find(({ application }) => application.name === whose)
      if (by) actions.push({ does: 'read', payment, exchange: await by.status(orderId) })
    }
  }

  return {
    actions,
    keep,
    open: async () => (payments = await opened(session)),
    async execute(by: Payments, one: { readonly payment: number; readonly orderId: string } | undefined) {
      if (one === undefined || !by.canAuthorize(one.orderId)) return
      const authorization = await by.authorize(one.orderId)
      actions.push({ does: 'authorize', payment: one.payment, authorization })
      actions.push({ does: 'submit', payment: one.payment, exchange: await by.submit(authorization) })
    },
    /** Every payment is read afterwards. */
    async pass(ms: number) {
      await session.clock.pass(ms)
      payments = await opened(session)
      actions.push({ does: 'pass', ms })
      await readAll()
      return payments
    },
  }
}

const quarter = scenario(
  'the payments of a quarter',
  {
    effect: 'pay',
    as: 'any',
    needs: ['payments', 'customer', 'clock'],
    authorizations: 2,
    payments: { initiated: 30, submitted: 2 },
    waitsMs: days(75),
  },
  async (session) => {
    const life = createLife(session)
    const initiateEach = async (all: readonly Payments[]): Promise<void> => {
      for (const by of all) life.keep(by, await by.initiate(), 'at once')
    }
    const [own] = await life.open()
    if (own === undefined) throw new NotReached('no application has payments')

    const executed = await own.initiate()
    await life.execute(own, life.keep(own, executed, 'at once'))
    for (const code of REASON_CODES) {
      const [order] = own
        .provocations(code)
        .filter(({ isTimed, isSecond, isGuess }) => !isTimed && !isSecond && !isGuess)
      for (const invalid of order ? await order.send() : []) life.keep(own, invalid, 'invalid')
    }
    const method = own.profile.initiations.find(({ future }) => future)?.name
    const [values, after] = (method === undefined ? undefined : atMonthEnd(own)) ?? []
    const dated = []
    if (method !== undefined && values !== undefined && after !== undefined) {
      // A bank may limit how far ahead a date is.
      const ordinary = await own.initiate({ method, values: after })
      const last = await own.initiate({ method, values })
      dated.push({ ordinary, last, date: String(values.date) })
      await life.execute(own, life.keep(own, last, 'on a later date', String(values.date)))
    }

    await life.pass(HOUR_MS / 60)
    await life.pass(HOUR_MS)
    const afternoon = untilOpenBeforeWorkingDay(
      session.clock.now(),
      { from: '14:00' },
      session.profile.timeZone,
    )
    const all = await life.pass(afternoon)
    await initiateEach(all)
    const repeated = []
    const message = own.freshValues()
    const first = await (all[0] ?? own).initiate({ values: message })
    life.keep(own, first, 'at once')
    const [nextDay] = await life.pass(17 * HOUR_MS)
    if (
      nextDay !== undefined &&
      own.provocations('AM05').some(({ isTwice, isGuess }) => isTwice && !isGuess)
    ) {
      const again = await nextDay.initiate({ values: message })
      repeated.push({ first, again })
      life.keep(own, again, 'invalid')
    }
    await initiateEach(await life.pass(days(1)))
    await life.pass(days(7))
    await life.pass(days(31))
    await initiateEach(await life.pass(days(31)))
    return { actions: life.actions, dated, repeated }
  },
)

check(PAY.statesFollowTheTable, quarter, keepsToTheModel)

/** The readings of payments that wait for their date: until then they are kept, however long others are. */
const readWhilePending = ({ actions }: RecordOf<typeof quarter>): readonly ObservedExchange[] => {
  const dates = new Map<number, string | undefined>()
  const pending = new Set<number>()
  return actions.flatMap((action) => {
    if (action.does === 'initiate') dates.set(action.payment, action.date)
    if (action.does !== 'read') return []
    const { payment, exchange } = action
    const isPending = pending.has(payment) && isFuture(dates.get(payment), exchange.sentAt) === 'yes'
    if (stateIn(exchange) === 'PDNG') pending.add(payment)
    else pending.delete(payment)
    return isPending && exchange.status.value !== UNAUTHORIZED ? [exchange] : []
  })
}

check(PAY.statusIsAnsweredUnderTheOrderId, quarter, (record) => {
  for (const answer of readWhilePending(record)) isAnswered(answer, 'it waits for its execution date')
})

draws(PAYMENT, quarter, ({ actions }) => accountOf(actions).moves)
checkLaws(quarter, ['initiations', 'records', 'times'])

/** What does not occur in a quarter is judged by other checks. */
check(PAY.validPaymentIsAccepted, quarter, ({ dated }) => {
  for (const { ordinary, last, date } of dated) {
    const { status, reasonCode } = recordIn(last)
    const isRejectedOtherwise = isRejected(last) && reasonCode.value !== 'DT01'
    if (!isInValidation(ordinary) || wasNotProcessed(last) || isRejectedOtherwise) continue
    status.satisfies(isInValidation(last), `ACTC, since ${ordinary.id} is, and ${date} is a working day`)
  }
})

check(
  PAY.duplicateIsAm05,
  quarter,
  ({ repeated }) => {
    for (const { first, again } of repeated)
      if (isInValidation(first) && !wasNotProcessed(again))
        recordIn(again).status.satisfies(
          !isInValidation(again),
          `"RJCT", since ${first.id} has sent the same message 17 hours before`,
        )
  },
  { needs: ['provoke-AM05'] },
)
