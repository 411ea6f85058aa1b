import { aCentFrom, merge, type Order, type Payments, type ReasonCode } from '../../harness/session/index.ts'
import { wrongBics, wrongCurrencies, wrongDates, wrongIbans, type Wrong } from '../shared/values.ts'

/** Orders with a value that is visibly wrong, whatever the bank knows: by the form of numbers, by the calendar, by the profile's facts. */

export interface WrongOrder {
  readonly code: ReasonCode
  readonly because: string
  readonly order: Order
  /** A valid one that is like it. */
  readonly control: Order
}

type Members = Readonly<Record<string, unknown>>

const has = (value: unknown, placeholder: string): boolean =>
  JSON.stringify(value).includes(`{${placeholder}}`)

/** The texts of a change that are BICs, replaced. */
const withBic = (change: unknown, bic: string): unknown => {
  if (typeof change === 'string') return /^[A-Z0-9]{6,12}$/.test(change) ? bic : change
  if (typeof change !== 'object' || change === null) return change
  return Object.fromEntries(Object.entries(change).map(([name, value]) => [name, withBic(value, bic)]))
}

/** Of the amount of each transfer, in every form that a body may have it. */
const withAmount = (transfer: unknown, amount: number): string =>
  JSON.stringify(transfer)
    .replaceAll('"{amount}"', String(amount))
    .replaceAll('{amountText}', amount.toFixed(2))
    .replaceAll('"{amountMinor}"', String(Math.round(amount * 100)))
    .replaceAll('{amountMinorText}', String(Math.round(amount * 100)))

/** An order of two transfers with their sum, by a method that takes a list; `change` is one of the second transfer. */
const twoTransfers = (
  { initiations, amount }: Payments['profile'],
  change: (transfer: unknown) => unknown,
): readonly Order[] =>
  initiations.flatMap(({ name: method, body }) =>
    Object.entries(body).flatMap(([name, value]) => {
      const [only, ...others] = Array.isArray(value) ? (value as readonly unknown[]) : []
      if (!has(only ?? '', 'creditorIban') || others.length > 0) return []
      const one = withAmount(only, amount)
      const second = one.replaceAll('{endToEndIdentification}', '{endToEndIdentification}2')
      const patch = { [name]: [JSON.parse(one) as unknown, change(JSON.parse(second))] }
      return [{ method, patch, values: { amount: 2 * amount } }]
    }),
  )

/** Replaces a placeholder. */
const put =
  (placeholder: string, value: string) =>
  (transfer: unknown): unknown =>
    JSON.parse(JSON.stringify(transfer).replaceAll(`{${placeholder}}`, value))

/** Where a list has two transfers, the amount beside the list is their sum. */
const withWrongSum = (profile: Payments['profile']): readonly WrongOrder[] =>
  twoTransfers(profile, (transfer) => transfer).flatMap((control) => {
    const { body = {} } = profile.initiations.find(({ name }) => name === control.method) ?? {}
    const beside = Object.values(body).filter((value) => !Array.isArray(value))
    if (!/\{amount/.test(JSON.stringify(beside))) return []
    return [...new Set([profile.amount, ...aCentFrom(2 * profile.amount)])].map((amount) => ({
      code: 'AM10',
      because: 'its control sum is not the sum of its two transfers',
      order: { ...control, values: { amount } },
      control,
    }))
  })

/** The codes in turn, so that the first orders have all of them. */
const inTurn = (orders: readonly WrongOrder[]): readonly WrongOrder[] =>
  orders
    .map((order, at) => ({
      order,
      turn: orders.slice(0, at).filter(({ code }) => code === order.code).length,
    }))
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ order }) => order)

export const wrongOrders = (payments: Payments): readonly WrongOrder[] => {
  const { profile } = payments
  const { creditorIban, today, yesterday } = payments.freshValues()

  /** The first value by each method that has the placeholder, the others by these in turn. */
  const withValues = (code: ReasonCode, placeholder: string, wrong: readonly Wrong[]) =>
    profile.initiations
      .filter(({ body, future }) => has(body, placeholder) && (future || placeholder !== 'date'))
      .flatMap(({ name: method }, turn, methods) =>
        wrong
          .filter((_, at) => at === 0 || at % methods.length === turn)
          .map(({ value, because }): WrongOrder => {
            const order = { method, values: { [placeholder]: value } }
            return { code, because, order, control: { method } }
          }),
      )

  const inSecond = (code: ReasonCode, change: (transfer: unknown) => unknown): readonly WrongOrder[] =>
    twoTransfers(profile, change).map((order, at) => {
      const control = twoTransfers(profile, (transfer) => transfer)[at] ?? order
      return { code, because: 'the second transfer is wrong', order, control }
    })

  /** How the profile makes an order wrong. */
  const changesOf = (code: ReasonCode): readonly Members[] =>
    (profile.provocations[code] ?? []).flatMap(({ method, change }) => (method === undefined ? [change] : []))

  const ibans = wrongIbans(String(creditorIban))
  const { currencies, closedAccounts } = profile.facts
  const others = wrongCurrencies.filter(({ value }) => currencies?.includes(value) === false)
  const [bic] = changesOf('RC01')
  const bics = bic === undefined ? [] : wrongBics.map((value) => withBic(bic, value) as Members)
  return inTurn([
    ...withValues('AC01', 'creditorIban', ibans),
    ...withValues('DT01', 'date', wrongDates(String(today), String(yesterday))),
    ...withValues('AM03', 'currency', others),
    ...bics.map((patch): WrongOrder => ({
      code: 'RC01',
      because: 'it has no BIC',
      order: { patch },
      control: {},
    })),
    ...withWrongSum(profile),
    ...ibans.slice(0, 1).flatMap(({ value }) => inSecond('AC01', put('creditorIban', value))),
    ...others.slice(0, 1).flatMap(({ value }) => inSecond('AM03', put('currency', value))),
    ...closedAccounts
      .slice(0, 1)
      .flatMap(({ iban, name }) =>
        inSecond('AC04', (transfer) =>
          put('creditorName', name ?? '{creditorName}')(put('creditorIban', iban)(transfer)),
        ),
      ),
    ...(['RC01', 'RR03'] as const).flatMap((code) =>
      changesOf(code).flatMap((change) => inSecond(code, (transfer) => merge(transfer, change))),
    ),
  ])
}

export const WRONG_CODES = ['AC01', 'AC04', 'AM03', 'AM10', 'DT01', 'RC01', 'RR03'] as const
