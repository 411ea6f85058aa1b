/** The applications, customers and accounts. Both environments start with the same ones. */

export interface Application {
  name: string
  kind: 'TPP' | 'FAC'
  id: string
  secret: string
  /** The key of its signatures. */
  signing: string
  /** `{bank}` and `{environment}` stand for what only the request shows. */
  redirects: string[]
}

export interface AccountSeed {
  id: string
  iban: string
  label: string
  mayPay: boolean
  cents: number
  moves: number
}

export interface Customer {
  /** What the customer logs in with. */
  name: string
  pin: string
  accounts: AccountSeed[]
}

export const APPLICATIONS: Application[] = [
  {
    name: 'weir',
    kind: 'TPP',
    id: 'lock-weir',
    secret: 'weir secret 1',
    signing: 'weir signs with this',
    redirects: ['https://weir.example/back', '{bank}/premium/{environment}/code'],
  },
  {
    name: 'sluice',
    kind: 'TPP',
    id: 'lock-sluice',
    secret: 'sluice secret 2',
    signing: 'sluice signs with this',
    redirects: ['https://sluice.example/back?gate=3'],
  },
  {
    name: 'basin',
    kind: 'FAC',
    id: 'lock-basin',
    secret: 'basin secret 3',
    signing: 'basin signs with this',
    redirects: ['https://basin.example/back'],
  },
]

const account = (
  end: string,
  iban: string,
  label: string,
  cents: number,
  moves: number,
  mayPay = true,
): AccountSeed => ({ id: `d0b1a7c2-4e0f-4b57-9c55-0f3f5a1f${end}`, iban, label, mayPay, cents, moves })

export const CUSTOMERS: Customer[] = [
  {
    name: 'amalia',
    pin: '4711-amalia',
    accounts: [
      account('0101', 'SK7179300000002600100370', 'Current account', 900_00, 137),
      account('0102', 'SK5779300000002600101592', 'Savings account', 55_00, 12, false),
      account('0103', 'SK1479300000002600102851', 'Second current account', 0, 3),
    ],
  },
  {
    name: 'bertold',
    pin: '0815-bertold',
    accounts: [account('0201', 'SK9879300000002600104443', 'Current account', 300_00, 41)],
  },
]

/** Accounts at another bank: what is paid to the open one arrives, the closed one was closed. */
export const OPEN_PAYEE = 'SK1711000000002600105665'
export const CLOSED_PAYEE = 'SK0311000000002600106887'

/** Whether a redirect URI is, character by character, one that the application has registered. */
export const isRegistered = (
  application: Application,
  uri: string,
  bank: string,
  environment: string,
): boolean =>
  application.redirects.some(
    (redirect) => redirect.replace('{bank}', () => bank).replace('{environment}', environment) === uri,
  )
