/** What the bank knows when it starts. Both environments of the account API start with the same data. */

export interface Application {
  id: string
  secret: string
  name: string
  kind: 'TPP' | 'FAC'
  redirectUris: string[]
}

export interface Entry {
  entryReference: string
  bookedAt: number
  cents: number
  counterparty: string
  purpose: string
}

export interface Account {
  accountId: string
  iban: string
  owner: string
  kind: 'CURRENT' | 'SAVINGS'
  bank: { code: string; name: string }
  cents: number
  /** The oldest entry comes first. */
  entries: Entry[]
  /** Entries at another bank that no refresh has fetched yet. */
  unfetched: Entry[]
}

export interface Customer {
  contractNumber: string
  passphrase: string
  name: string
}

export const APPLICATIONS: Application[] = [
  {
    id: 'terrace-7f20',
    secret: 'wicker.Chair-31_parasol',
    name: 'Terrace Budget',
    kind: 'TPP',
    redirectUris: ['https://terrace.example/bank/return', 'https://terrace.example/bank/return?channel=app'],
  },
  {
    id: 'balcony-c41b',
    secret: 'geranium-Box~1987',
    name: 'Balcony Checkout',
    kind: 'TPP',
    redirectUris: ['https://balcony.example/oauth/done'],
  },
  {
    id: 'patio-09ee',
    secret: 'flagstone_Moss.55',
    name: 'Patio Bookkeeping',
    kind: 'FAC',
    redirectUris: ['https://patio.example/login/veranda'],
  },
]

export const CUSTOMERS: Customer[] = [
  { contractNumber: '40021877', passphrase: 'Liegestuhl im Schatten', name: 'Ottilie Brandauer' },
  { contractNumber: '40035560', passphrase: 'Kaffee um halb vier', name: 'Ruprecht Seidl' },
]

export const OWN_BANK = { code: '19043', name: 'Veranda Bank' }
const OTHER_BANK = { code: '20111', name: 'Pergola Sparkasse' }

/** One entry a day, the last one yesterday. */
function history(prefix: string, count: number, now: number): Entry[] {
  return Array.from({ length: count }, (_, index) => ({
    entryReference: `${prefix}-${(index + 1).toString().padStart(4, '0')}`,
    bookedAt: now - (count - index) * 86_400_000,
    cents: index % 9 === 0 ? 185_000 : -(350 + 117 * index),
    counterparty: index % 9 === 0 ? 'Donau Werke GmbH' : 'Greißlerei Huber',
    purpose: index % 9 === 0 ? 'Salary' : `Purchase ${index + 1}`,
  }))
}

export function seedAccounts(now: number): Account[] {
  const account = (
    accountId: string,
    iban: string,
    owner: string | undefined,
    cents: number,
    count: number,
    { kind = 'CURRENT', bank = OWN_BANK }: Partial<Pick<Account, 'kind' | 'bank'>> = {},
  ): Account => ({
    accountId,
    iban,
    owner: owner ?? '',
    kind,
    bank,
    cents,
    entries: history(accountId, count, now),
    unfetched: [],
  })
  const [first, second] = CUSTOMERS.map(({ contractNumber }) => contractNumber)
  return [
    account('vb-100-1', 'AT611904300234573201', first, 428_015, 64),
    account('vb-100-2', 'AT341904300234573202', first, 1_250_000, 0, { kind: 'SAVINGS' }),
    account('ps-100-3', 'AT132011100005310001', first, 30_644, 5, { bank: OTHER_BANK }),
    account('vb-200-1', 'AT251904300987654301', second, 91_270, 12),
    account('vb-200-2', 'AT951904300987654302', second, 2_550, 1),
  ]
}

/** Accounts at other banks that the bank knows something about. */
export const CLOSED_ACCOUNT = 'AT832011100005310002'
export const BLOCKED_WITHOUT_REASON = 'AT562011100005310003'
/** The bank of this account takes no payments for the same day. */
export const NEVER_THE_SAME_DAY = 'AT292011100005310004'
/** The holder of this account has agreed one fixed amount with the bank. */
export const AGREED_AMOUNT = { iban: 'AT022011100005310005', cents: 4990 }
