/** Accounts, balances and transactions, for both variants. */

import type { Bank } from './bank.ts'
import type { Account } from './seed-data.ts'
import { accountsOf, randomId, type Grant } from './environment.ts'
import { fault, json, objectOf, textOf, type Answer, type Call } from './wire.ts'

const hidden = (bank: Bank): Answer =>
  fault(bank.choices.hiddenStatus, 'NOT_YOURS', 'There is no such account among those that were granted.')

/** Hundredths, with the sign. */
const hundredths = (value: string): number => Math.round(Number(value) * 100)

const fundsOf = (account: Account): Record<string, unknown> => {
  const sum = account.movements.reduce((all, { value }) => all + hundredths(value), 0)
  const text = (sum / 100).toFixed(2)
  return {
    booked: { value: text, ccy: account.currency },
    atHand: { value: text, ccy: account.currency },
  }
}

const identityOf = (account: Account): Record<string, unknown> => ({
  label: account.label,
  accountId: account.accountId,
  iban: account.iban,
  heldAt: account.bank?.name ?? 'Saltmarsh',
})

const detail = (account: Account): Record<string, unknown> => ({
  of: { ...identityOf(account), currency: account.currency },
  funds: fundsOf(account),
})

const sizeOf = (value: unknown, least: number, most: number, refused: boolean): number | undefined => {
  if (value === undefined || value === null) return 20
  if (!/^-?\d{1,9}$/.test(textOf(value) ?? JSON.stringify(value))) return undefined
  const size = Number(value)
  if (size < 1) return undefined
  if (refused && (size < least || size > most)) return undefined
  return Math.min(Math.max(size, least), most)
}

const sizeRefused = (): Answer => fault(422, 'SIZE', 'The size of a page is out of bounds.')

/** The position of each cursor; cursors do not expire. */
const CURSORS = new Map<string, number>()

const movementsOf = (bank: Bank, account: Account, from: number, size: number): Record<string, unknown>[] => {
  const all = bank.choices.newestFirst ? [...account.movements].reverse() : account.movements
  return all.slice(from, from + size).map(({ ref, day, value, text }) => ({
    ...(bank.choices.idsOfMovements ? { ref } : {}),
    posted: day,
    amount: { value, ccy: account.currency },
    memo: text,
  }))
}

const pageOf = (bank: Bank, account: Account, query: URLSearchParams, size: number, path: string): Answer => {
  const total = account.movements.length
  const { paging } = bank.choices
  const skip = query.get('skip')
  const cursor = CURSORS.get(query.get('after') ?? '')
  const from = paging === 'page' ? Number(query.get('sheet') ?? 0) * size : Number(cursor ?? skip ?? 0)
  const movements = movementsOf(bank, account, from, size)
  const more = from + movements.length < total
  if (paging === 'offset')
    return json(200, { window: { skip: from, shown: movements.length, total }, movements })
  if (paging === 'page') return json(200, { sheet: from / size, sheets: Math.ceil(total / size), movements })
  if (paging === 'link') {
    const next = `${path}?pageSize=${size}&skip=${from + size}`
    return json(200, { movements, onward: more ? next : null })
  }
  const after = randomId(6)
  if (more) CURSORS.set(after, from + size)
  return json(200, { movements, ...(more ? { after } : {}) })
}

export const readFirst = (bank: Bank, grant: Grant, call: Call, base: string): Answer => {
  const accounts = accountsOf(grant)
  if (call.path === '/v1/accounts')
    return json(200, { holdings: { count: accounts.length, items: accounts.map(identityOf) } })
  const [, packed = '', rest] = /^\/v1\/accounts\/([^/]+)(\/transactions)?$/.exec(call.path) ?? []
  let accountId: string
  try {
    accountId = decodeURIComponent(packed)
  } catch {
    return hidden(bank)
  }
  const account = accounts.find((one) => one.accountId === accountId)
  if (account === undefined) return hidden(bank)
  if (rest === undefined) return json(200, detail(account))
  const size = sizeOf(call.query.get('pageSize'), 1, 50, bank.choices.sizesRefused)
  return size === undefined ? sizeRefused() : pageOf(bank, account, call.query, size, `${base}${call.path}`)
}

/** The account that a body names: by its id, or by an IBAN with spaces or lower-case letters. */
const requestedAccount = (
  accounts: readonly Account[],
  body: Record<string, unknown>,
): Account | undefined => {
  const id = textOf(body.holding)
  const iban = textOf(body.typedIban)?.replace(/\s/g, '').toUpperCase()
  return accounts.find((account) => (iban === undefined ? account.accountId === id : account.iban === iban))
}

export const readSecond = (bank: Bank, grant: Grant, call: Call): Answer => {
  const accounts = accountsOf(grant)
  if (call.path === '/api/v1/accounts') return json(200, accounts.map(identityOf))
  const body = objectOf(call.text)
  if (body === undefined) return fault(400, 'BODY', 'An object in JSON is expected.')
  const account = requestedAccount(accounts, body)
  if (account === undefined) return hidden(bank)
  if (call.path === '/api/v1/accounts/information') return json(200, { answer: detail(account) })
  const size = sizeOf(body.pageSize, 10, 100, bank.choices.sizesRefused)
  if (size === undefined) return sizeRefused()
  const from = CURSORS.get(textOf(body.after) ?? '') ?? 0
  const movements = movementsOf(bank, account, from, size)
  const after = randomId(6)
  const more = from + movements.length < account.movements.length
  if (more) CURSORS.set(after, from + size)
  return json(200, { answer: { rows: movements, more: more ? { after } : {} } })
}
