import { countrySpecs } from 'ibantools'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { APPLICATIONS, customersOf } from './seed-data.ts'

/** The data of payments and loans, and the clock that they read. */

export interface Clock {
  now(): number
}

/** A time with milliseconds and the offset +13:00. */
export const stamp = (moment: number): string =>
  `${new Date(moment + 13 * 3_600_000).toISOString().slice(0, -1)}+13:00`

export interface Client {
  id: string
  secret: string
  kind: 'TPP' | 'FAC'
  redirects: string[]
}

export interface Account {
  iban: string
  cents: number
}

export interface Customer {
  name: string
  password: string
  accounts: Account[]
}

/** The digits of an IBAN, with A as 10 to Z as 35. */
const digits = (text: string): bigint =>
  BigInt(text.replace(/[A-Z]/g, (letter) => parseInt(letter, 36).toString()))

/** A Maltese IBAN, since it may contain letters. */
const ibanOf = (serial: number): string => {
  const rest = `QUAY00042${serial.toString().padStart(18, 'X0')}`
  return `MT${(98n - (digits(`${rest}MT00`) % 97n)).toString().padStart(2, '0')}${rest}`
}

export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text)) return false
  if (countrySpecs[text.slice(0, 2)]?.chars !== text.length) return false
  return digits(`${text.slice(4)}${text.slice(0, 4)}`) % 97n === 1n
}

export const CLIENTS: Client[] = APPLICATIONS.map(({ id, secret, kind, addresses }) => ({
  id,
  secret,
  kind,
  redirects: addresses.filter(({ shows }) => !shows).map(({ uri }) => uri),
}))

/** The customers of one environment, with the money of their first accounts. */
export const payersOf = (environment: string): Customer[] =>
  customersOf(environment).map(({ name, password, accounts }) => ({
    name,
    password,
    accounts: accounts.map(({ iban }, place) => ({ iban, cents: place === 0 ? 120_000 : 0 })),
  }))

/** Creditor accounts whose payments are rejected, with the reason code. */
export const REJECTION_CODES: ReadonlyMap<string, string> = new Map([
  [ibanOf(901), 'AC04'],
  [ibanOf(902), 'AG01'],
  [ibanOf(903), 'TM01'],
])

/** The creditor account whose payments are rejected after the submission, without a reason. */
export const REJECTED_WITHOUT_REASON = ibanOf(904)

export const randomToken = (): string => randomBytes(27).toString('base64url')

export const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())

/** The client of a Basic Authorization header; undefined if it is unknown or its secret is wrong. */
export function clientOf(header: string | undefined): Client | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const client = CLIENTS.find(({ id }) => pair.startsWith(`${id}:`))
  return client !== undefined && sameText(pair.slice(client.id.length + 1), client.secret)
    ? client
    : undefined
}
