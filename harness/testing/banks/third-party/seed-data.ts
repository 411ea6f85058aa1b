/** The applications and customers of the third-party server. They are invented, and public. */

interface KnownClient {
  readonly clientId: string
  readonly secret: string
  readonly name: string
  readonly kind: 'FAC' | 'TPP'
  readonly redirectUris: readonly string[]
}

interface KnownCustomer {
  readonly username: string
  readonly password: string
  readonly accounts: readonly string[]
}

const redirectUris = (host: string): readonly string[] => [
  `https://${host}/oauth`,
  `https://${host}/oauth?lang=en&from=bank`,
]

export const clients: readonly KnownClient[] = [
  {
    clientId: 'b1f0c7',
    secret: 'a-long-secret-of-harbour-0815',
    name: 'Harbour Accounts',
    kind: 'FAC',
    redirectUris: redirectUris('harbour.example'),
  },
  {
    clientId: 'c2e8d4',
    secret: 'a-long-secret-of-meadow-4711',
    name: 'Meadow Accounts',
    kind: 'FAC',
    redirectUris: redirectUris('meadow.example'),
  },
  {
    clientId: 'd3a9e5',
    secret: 'a-long-secret-of-tandem-1618',
    name: 'Tandem Money',
    kind: 'TPP',
    redirectUris: redirectUris('tandem.example'),
  },
  {
    clientId: 'e4b6f2',
    secret: 'a-long-secret-of-vista-2718',
    name: 'Vista Money',
    kind: 'TPP',
    redirectUris: redirectUris('vista.example'),
  },
]

export const customers: readonly KnownCustomer[] = [
  { username: 'ida', password: 'ida sails at 6', accounts: ['4001', '4002'] },
  { username: 'joel', password: 'joel=50%&more', accounts: ['5001'] },
]
