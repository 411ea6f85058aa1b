/** The applications and customers of the bank, and their accounts. */

import { createHash } from 'node:crypto'

export interface Application {
  readonly id: string
  readonly secret: string
  readonly kind: 'TPP' | 'FAC'
  /** The redirect URIs; `shows` stands for the result screen of the bank instead of a redirect. */
  readonly addresses: readonly { readonly uri: string; readonly shows: boolean }[]
}

export interface Movement {
  readonly ref: string
  readonly day: string
  readonly value: string
  readonly text: string
}

export interface Account {
  readonly accountId: string
  readonly iban: string
  readonly label: string
  readonly currency: string
  readonly bank: { readonly code: string; readonly name: string } | undefined
  /** Preselected on the consent page. */
  readonly ticked: boolean
  readonly movements: Movement[]
  /** Movements at the other bank that this bank has not fetched yet. */
  readonly unfetched: Movement[]
}

export interface Customer {
  readonly name: string
  readonly password: string
  readonly accounts: readonly Account[]
}

export const APPLICATIONS: readonly Application[] = [
  {
    id: 'mill/ledger',
    secret: 'water:wheel %41+',
    kind: 'TPP',
    addresses: [
      { uri: 'https://mill.example/back?tenant=7', shows: false },
      { uri: 'https://mill.example/screen', shows: true },
    ],
  },
  {
    id: 'kiln-budget',
    secret: 'brick&clay=2',
    kind: 'TPP',
    addresses: [{ uri: 'https://kiln.example/cb', shows: false }],
  },
  {
    id: 'own books',
    secret: 'abacus"9',
    kind: 'FAC',
    addresses: [
      { uri: 'https://books.example/landing', shows: false },
      { uri: 'urn:books:screen', shows: true },
    ],
  },
  {
    id: 'own-till',
    secret: 'drawer',
    kind: 'FAC',
    addresses: [{ uri: 'https://till.example/landing', shows: false }],
  },
]

const idOf = (text: string): string => `${createHash('sha256').update(text).digest('base64').slice(0, 18)}/+=`

/** An IBAN with valid check digits. */
const ibanOf = (bban: string): string => {
  const digits = `${bban}NL00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return `NL${String(98 - rest).padStart(2, '0')}${bban}`
}

const movementsOf = (seed: string, count: number): Movement[] =>
  Array.from({ length: count }, (_, at) => ({
    ref: `${seed}#${at + 1}`,
    day: new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10),
    value: `${at % 3 === 0 ? '' : '-'}${at + 1}.${String((at * 7) % 100).padStart(2, '0')}`,
    text: `Entry ${at + 1}`,
  }))

const accountOf = (
  owner: string,
  number: number,
  label: string,
  count: number,
  more: { bank?: Account['bank']; ticked?: boolean } = {},
): Account => ({
  accountId: idOf(`${owner}/${number}`),
  iban: ibanOf(`SALT${String(number).padStart(10, '0')}`),
  label,
  currency: 'EUR',
  bank: more.bank,
  ticked: more.ticked ?? true,
  movements: movementsOf(`${owner}.${number}`, count),
  unfetched: [],
})

const FENS = { code: 'FENSXX21', name: 'Bank of the Fens & Sons' }
const DYKE = { code: '0815', name: 'Dyke Savings' }

/** Each environment has its own customers, with the same names and passwords. */
export const customersOf = (environment: string): Customer[] => {
  const shift = environment === 'production' ? 500 : 0
  const of = (name: string): string => `${environment}:${name}`
  return [
    {
      name: 'Marit Øst',
      password: 'dune & "reed" +1',
      accounts: [
        accountOf(of('marit'), 1 + shift, 'Everyday', 137),
        accountOf(of('marit'), 2 + shift, 'Savings', 12),
        accountOf(of('marit'), 3 + shift, 'Empty', 0),
        accountOf(of('marit'), 4 + shift, 'Secret', 11, { ticked: false }),
        accountOf(of('marit'), 5 + shift, 'At the Fens', 31, { bank: FENS }),
        accountOf(of('marit'), 6 + shift, 'At the Fens, two', 3, { bank: FENS }),
        accountOf(of('marit'), 7 + shift, 'At the Dyke', 20, { bank: DYKE }),
      ],
    },
    {
      name: 'joost',
      password: 'Polder 55',
      accounts: [
        accountOf(of('joost'), 11 + shift, 'Wages', 25),
        accountOf(of('joost'), 12 + shift, 'Dyke', 10, { bank: DYKE }),
      ],
    },
  ]
}
