import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The seed data of the bank. Both environments start with the same data. */

export interface Client {
  id: string
  secret: string
  kind: 'TPP' | 'FAC'
  redirects: string[]
}

export interface Account {
  id: string
  iban: string
  cents: number
  booked: { mark: string; sum: number; text: string }[]
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
export const ibanOf = (serial: number): string => {
  const rest = `QUAY00042${serial.toString().padStart(18, 'X0')}`
  return `MT${(98n - (digits(`${rest}MT00`) % 97n)).toString().padStart(2, '0')}${rest}`
}

export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text)) return false
  return digits(`${text.slice(4)}${text.slice(0, 4)}`) % 97n === 1n
}

export const CLIENTS: Client[] = [
  {
    id: 'pier-nine@quay',
    secret: 'Gull&Mast=77+ö',
    kind: 'TPP',
    redirects: ['https://piernine.example/back?lane=2'],
  },
  {
    id: 'lighthouse',
    secret: 'lamp-oil-0815',
    kind: 'TPP',
    redirects: ['https://lighthouse.example/landing'],
  },
  { id: 'own-boat', secret: 'keel-4711', kind: 'FAC', redirects: ['https://ownboat.example/moor'] },
]

const booked = (...texts: string[]): Account['booked'] =>
  texts.map((text, index) => ({ mark: `${text}-${index}`, sum: -1 - index, text }))

export const CUSTOMERS = (): Customer[] => [
  {
    name: 'dorothea',
    password: 'Ebb und Flut 1905',
    accounts: [
      { id: 'a/1', iban: ibanOf(1), cents: 120_000, booked: booked('rent', 'fish', 'rope') },
      { id: 'a/2', iban: ibanOf(2), cents: 0, booked: [] },
    ],
  },
  {
    name: 'emeric',
    password: 'smörgås?',
    accounts: [{ id: 'a/3', iban: ibanOf(3), cents: 70_000, booked: booked('tar') }],
  },
]

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
