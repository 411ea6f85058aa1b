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

/** How a bank spells the names of its header fields: case does not matter in them (RFC 9110 §5.1). */
export type HeaderCase = 'title' | 'upper'

/** A name in lower case, spelled Like-This or LIKE-THIS. */
export const spelled = (name: string, headerCase: HeaderCase): string =>
  headerCase === 'upper' ? name.toUpperCase() : name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
