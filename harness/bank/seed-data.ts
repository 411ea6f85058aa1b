/**
 * The applications and customers that every bank starts with, the same in both environments. They are
 * invented and public: the profile of the reference bank is written from them.
 */

/** A Final Api Consumer (FAC) uses its own data; a Third Party Provider (TPP) its customers' data, with a consent. */
type ClientKind = 'FAC' | 'TPP'

export interface Client {
  readonly clientId: string
  readonly secret: string
  readonly name: string
  readonly kind: ClientKind
  readonly redirectUris: readonly string[]
}

export interface Account {
  readonly accountId: string
  readonly iban: string
  readonly currency: string
  readonly name: string
  readonly product: string
  readonly usage: 'PRIV' | 'ORGA'
  readonly bankCode: string
  readonly bankName: string
  readonly bic: string
  /** Booked balance when the bank opens, in hundredths of the currency. */
  readonly openingBalance: number
  /** How many transactions it has when the bank opens. */
  readonly openingTransactions: number
  /** Whether the decision page preselects it. */
  readonly isTicked: boolean
}

export interface Customer {
  readonly username: string
  readonly password: string
  readonly name: string
  readonly accounts: readonly Account[]
}

/** A creditor with an account at this bank who does not use the interface. */
export interface Payee {
  readonly name: string
  readonly iban: string
  /** Payments to a closed or held account are rejected: with AC04, or with MS03 for a held one. */
  readonly state: 'open' | 'closed' | 'held'
  /** In hundredths: a payment of another amount is rejected with AM09. */
  readonly agreedAmount?: number
}

export interface SeedData {
  readonly clients: readonly Client[]
  readonly customers: readonly Customer[]
  readonly payees: readonly Payee[]
}

/** The registered redirect URI for the bank's result screen, which shows the code instead of sending it. */
export const RESULT_SCREEN = 'https://bank.example/result'

const OWN_BANK = { bankCode: '9801', bankName: 'Reference Bank', bic: 'REFBSKBX' } as const

/** Other banks whose accounts the reference bank can read for its customers. */
const NEIGHBOUR_BANK = { bankCode: '9802', bankName: 'Neighbour Bank', bic: 'NEIGSKBX' } as const
const RIVER_BANK = { bankCode: '9803', bankName: 'River Bank', bic: 'RIVRSKBX' } as const

/** Whether the account is at this bank, so that its bookings are known at once. */
export const isAtOwnBank = ({ bankCode }: Pick<Account, 'bankCode'>): boolean =>
  bankCode === OWN_BANK.bankCode

/** Each client has three redirect URIs: without a query, with a query, and the result screen. */
const client = (
  kind: Client['kind'],
  clientId: string,
  name: string,
  secret: string,
  host: string,
): Client => ({
  clientId,
  secret,
  name,
  kind,
  redirectUris: [`https://${host}/callback`, `https://${host}/return?channel=bank&lang=sk`, RESULT_SCREEN],
})

const clients: readonly Client[] = [
  client('FAC', 'fac-ledgerly', 'Ledgerly Bookkeeping', 'ledgerly-secret-7Qm2', 'ledgerly.example'),
  client('FAC', 'fac-orchard', 'Orchard Foods Treasury', 'orchard-secret-x81K', 'orchard.example'),
  client('TPP', 'tpp-pocketwise', 'Pocketwise', 'pocketwise-secret-Zp40', 'pocketwise.example'),
  // The secret contains a colon: only the first one separates it from the client_id.
  client('TPP', 'tpp-lantern', 'Lantern Lending', 'lantern:secret:9vTe', 'lantern.example'),
]

const account = (
  accountId: string,
  iban: string,
  rest: Partial<Account> & Pick<Account, 'name' | 'openingBalance' | 'openingTransactions'>,
): Account => ({
  accountId,
  iban,
  currency: 'EUR',
  product: 'Current account',
  usage: 'PRIV',
  isTicked: true,
  ...OWN_BANK,
  ...rest,
})

/** Her accounts have the numbers of transactions at the boundaries of pages of 10 and 100. */
const alena: Customer = {
  username: 'alena',
  password: 'alena-password',
  name: 'Alena Kováčová',
  accounts: [
    account('c5f2db39-42b1-452d-98f6-e55003a0bbdc', 'SK2998010000002600001129', {
      name: 'Everyday account',
      openingBalance: 214_530,
      openingTransactions: 1237,
    }),
    account('9d32648b-6a5e-405b-9e34-acc68ce9d5ad', 'SK3898010000002600002228', {
      name: 'Savings',
      product: 'Savings account',
      openingBalance: 1_250_000,
      openingTransactions: 11,
    }),
    account('b2ca329b-8eb2-4a5a-8fa7-22771e52ceeb', 'SK0798020000001200006671', {
      name: 'Salary account',
      ...NEIGHBOUR_BANK,
      openingBalance: 98_717,
      openingTransactions: 34,
    }),
    account('bbabc9e1-6671-4c11-9419-ed9c6a84795f', 'SK9798010000002600003300', {
      name: 'Household',
      openingBalance: 76_041,
      openingTransactions: 101,
    }),
    account('1c3780a7-6b65-4819-9f4f-543feb3a2a89', 'SK5798010000002600004311', {
      name: 'Bills',
      openingBalance: 41_288,
      openingTransactions: 100,
    }),
    account('ba48f8b0-0ce6-4d68-b06f-752152f75d25', 'SK1798010000002600005322', {
      name: 'Travel',
      openingBalance: 152_310,
      openingTransactions: 10,
    }),
    account('6a62745a-cb2d-45ae-aac9-1e1cd609104c', 'SK7498010000002600006333', {
      name: 'Žofia’s pocket money',
      openingBalance: 4_505,
      openingTransactions: 9,
    }),
    account('d44ff656-e35c-4c7d-9210-8942d018bf25', 'SK3498010000002600007344', {
      name: 'Deposit',
      product: 'Savings account',
      openingBalance: 500_000,
      openingTransactions: 1,
    }),
    account('d1c79b63-3db0-496d-be19-b3dc923179c6', 'SK9198010000002600008355', {
      name: 'New account',
      openingBalance: 0,
      openingTransactions: 0,
    }),
    account('505cc233-aa4b-4666-a4ec-88ebc5d68c2b', 'SK5198010000002600009366', {
      name: 'Private account',
      openingBalance: 63_920,
      openingTransactions: 25,
      isTicked: false,
    }),
    account('d709793b-3e43-43f9-a609-5184c53c3f51', 'SK1598030000002600010375', {
      name: 'Cottage account',
      ...RIVER_BANK,
      openingBalance: 27_466,
      openingTransactions: 12,
    }),
  ],
}

const boris: Customer = {
  username: 'boris',
  password: 'boris-password',
  name: 'Boris Horváth & Sons',
  accounts: [
    account('895ceb6b-57bc-4801-85da-0c36c12b3938', 'SK9098010000002900004444', {
      name: 'Operations',
      usage: 'ORGA',
      openingBalance: 4_871_209,
      openingTransactions: 212,
    }),
    account('c0f52d74-7680-48cb-b4b6-bf5b716d787d', 'SK2798010000002900005578', {
      name: 'Payroll',
      usage: 'ORGA',
      openingBalance: 930_000,
      openingTransactions: 48,
    }),
  ],
}

const cyril: Customer = {
  username: 'cyril',
  password: 'čerešňa & <višňa>',
  name: 'Cyril O’Brien <cyril>',
  accounts: [
    account('41e8ec8b-73eb-4cf7-9727-911bcc181e43', 'SK1198010000004000007788', {
      name: 'Current account',
      openingBalance: 15_002,
      openingTransactions: 63,
    }),
    account('b66411db-e432-408f-aea8-c0f8ad0487bb', 'SK8398030000003100010007', {
      name: 'Family account',
      ...RIVER_BANK,
      openingBalance: 67_840,
      openingTransactions: 20,
    }),
  ],
}

const OPEN_IBAN = 'SK6898010000005100001118'
const CLOSED_IBAN = 'SK5598010000005100002225'
const HELD_IBAN = 'SK2098010000005100003340'
const AGREED_IBAN = 'SK2398010000005100004450'

/** One with an open account, one with a closed account, one with a held account, and one with an agreed amount. */
const payees: readonly Payee[] = [
  { name: 'Gazdovstvo Dúbrava', iban: OPEN_IBAN, state: 'open' },
  { name: 'Dana Zatvorená', iban: CLOSED_IBAN, state: 'closed' },
  { name: 'Emil Zadržaný', iban: HELD_IBAN, state: 'held' },
  { name: 'Fero Zmluvný', iban: AGREED_IBAN, state: 'open', agreedAmount: 1250 },
]

/** All banks share the seed data, so it must not change. */
const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen)
  return Object.freeze(value)
}

export const seedData: SeedData = frozen({ clients, customers: [alena, boris, cyril], payees })

/** The debtors and creditors that a profile of this bank needs for accepted and rejected payments. */
export const PAYMENT_ACCOUNTS = {
  /** A current account with a positive balance. */
  debtor: { name: alena.name, iban: 'SK2998010000002600001129' },
  creditor: { name: 'Gazdovstvo Dúbrava', iban: OPEN_IBAN },
  /** Payments from this account are rejected. */
  savings: { name: alena.name, iban: 'SK3898010000002600002228' },
  /** An account with the balance 0. */
  poor: { name: alena.name, iban: 'SK9198010000002600008355' },
  closed: { name: 'Dana Zatvorená', iban: CLOSED_IBAN },
  held: { name: 'Emil Zadržaný', iban: HELD_IBAN },
  /** 12.50 EUR are agreed with this creditor. */
  agreed: { name: 'Fero Zmluvný', iban: AGREED_IBAN, amount: 12.5 },
} as const
