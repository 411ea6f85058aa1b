import { residents } from '../bank/seed-data.ts'

/** What the profile of the reference bank alone reads with `env:NAME`. */

const secretOf = (id: string): string | undefined =>
  residents.clients.find(({ clientId }) => clientId === id)?.secret
const passwordOf = (name: string): string | undefined =>
  residents.customers.find(({ username }) => username === name)?.password

export const credentials = {
  LEDGERLY_SECRET: secretOf('fac-ledgerly'),
  ORCHARD_SECRET: secretOf('fac-orchard'),
  POCKETWISE_ID: 'tpp-pocketwise',
  POCKETWISE_SECRET: secretOf('tpp-pocketwise'),
  LANTERN_SECRET: secretOf('tpp-lantern'),
  ALENA_PASSWORD: passwordOf('alena'),
  BORIS_PASSWORD: passwordOf('boris'),
  CYRIL_USERNAME: 'cyril',
  CYRIL_PASSWORD: passwordOf('cyril'),
}
