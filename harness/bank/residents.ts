/**
 * The people and applications that every bank begins with, in both environments alike. They are invented, and
 * public: a profile for the reference bank is written from here.
 */
import type { Account, Client, Customer } from './world.ts'

export interface Residents {
  readonly clients: readonly Client[]
  readonly customers: readonly Customer[]
}

/** The registered redirect URI that stands for the bank's own result screen: the code is shown there, not sent. */
export const RESULT_SCREEN = 'https://bank.example/result'

const OWN_BANK = { bankCode: '9801', bankName: 'Reference Bank', bic: 'REFBSKBX' } as const

/** Banks whose accounts the reference bank reaches, as their customer's agent. */
const NEIGHBOUR_BANK = { bankCode: '9802', bankName: 'Neighbour Bank', bic: 'NEIGSKBX' } as const
const RIVER_BANK = { bankCode: '9803', bankName: 'River Bank', bic: 'RIVRSKBX' } as const

/** Three redirect URIs a client: an ordinary one, one with a query of its own, and the result screen. */
const redirectUris = (host: string): readonly string[] => [
  `https://${host}/callback`,
  `https://${host}/return?channel=bank&lang=sk`,
  RESULT_SCREEN,
]

const clients: readonly Client[] = [
  {
    clientId: 'fac-ledgerly',
    secret: 'ledgerly-secret-7Qm2',
    name: 'Ledgerly Bookkeeping',
    kind: 'FAC',
    redirectUris: redirectUris('ledgerly.example'),
  },
  {
    clientId: 'fac-orchard',
    secret: 'orchard-secret-x81K',
    name: 'Orchard Foods Treasury',
    kind: 'FAC',
    redirectUris: redirectUris('orchard.example'),
  },
  {
    clientId: 'tpp-pocketwise',
    secret: 'pocketwise-secret-Zp40',
    name: 'Pocketwise',
    kind: 'TPP',
    redirectUris: redirectUris('pocketwise.example'),
  },
  {
    clientId: 'tpp-lantern',
    // A colon inside: only the first one divides the client_id from the secret.
    secret: 'lantern:secret:9vTe',
    name: 'Lantern Lending',
    kind: 'TPP',
    redirectUris: redirectUris('lantern.example'),
  },
]

const account = (
  accountId: string,
  iban: string,
  rest: Partial<Account> & { name: string; openingBalance: number },
): Account => ({
  accountId,
  iban,
  currency: 'EUR',
  product: 'Current account',
  usage: 'PRIV',
  ...OWN_BANK,
  ...rest,
})

const alena: Customer = {
  username: 'alena',
  password: 'alena-password',
  name: 'Alena Kováčová',
  accounts: [
    account('c5f2db39-42b1-452d-98f6-e55003a0bbdc', 'SK2998010000002600001129', {
      name: 'Everyday account',
      openingBalance: 214_530,
    }),
    account('9d32648b-6a5e-405b-9e34-acc68ce9d5ad', 'SK3898010000002600002228', {
      name: 'Savings',
      product: 'Savings account',
      openingBalance: 1_250_000,
    }),
    account('b2ca329b-8eb2-4a5a-8fa7-22771e52ceeb', 'SK0798020000001200006671', {
      name: 'Salary account',
      ...NEIGHBOUR_BANK,
      openingBalance: 98_717,
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
    }),
    account('c0f52d74-7680-48cb-b4b6-bf5b716d787d', 'SK2798010000002900005578', {
      name: 'Payroll',
      usage: 'ORGA',
      openingBalance: 930_000,
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
    }),
    account('9d496778-5157-44d3-83e3-d9ef933584cd', 'SK9898010000864000008895', {
      name: 'Holiday fund',
      product: 'Savings account',
      openingBalance: 340_000,
    }),
    account('b66411db-e432-408f-aea8-c0f8ad0487bb', 'SK8398030000003100010007', {
      name: 'Family account',
      ...RIVER_BANK,
      openingBalance: 67_840,
    }),
  ],
}

export const residents: Residents = { clients, customers: [alena, boris, cyril] }
