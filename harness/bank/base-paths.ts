/** The two environments of the bank, and the base path of each of its APIs in them. */

export type EnvironmentName = 'sandbox' | 'production'

export const ENVIRONMENTS: readonly EnvironmentName[] = ['sandbox', 'production']

export type Api = 'accounts' | 'second' | 'payments' | 'oauth' | 'loans'

export type Bases = Readonly<Record<Api, Readonly<Partial<Record<EnvironmentName, string>>>>>

/** The bank's own. No base path is an empty text. There is no production of loans. */
export const BASES: Bases = {
  accounts: { sandbox: '/premium/sandbox', production: '/premium/production' },
  second: { sandbox: '/sandbox', production: '' },
  payments: { sandbox: '/sandbox/api/v1', production: '/api/v1' },
  oauth: { sandbox: '/sandbox', production: '' },
  loans: { sandbox: '/paylater/sandbox' },
}
