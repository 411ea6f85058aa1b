/** The two environments of the bank, and the base path of each of its APIs in them. */

export type EnvironmentName = 'sandbox' | 'production'

export const ENVIRONMENTS: readonly EnvironmentName[] = ['sandbox', 'production']

/** A record of one environment. */
export interface Recorded {
  readonly environment: EnvironmentName
}

export type Api = 'accounts' | 'second' | 'payments' | 'oauth' | 'loans'

export type Bases = Readonly<Record<Api, Readonly<Partial<Record<EnvironmentName, string>>>>>

/** The base paths of the bank; an empty text is no base path. Loans have no production. */
export const BASES: Bases = {
  accounts: { sandbox: '/premium/sandbox', production: '/premium/production' },
  second: { sandbox: '/sandbox', production: '' },
  payments: { sandbox: '/sandbox/api/v1', production: '/api/v1' },
  oauth: { sandbox: '/sandbox', production: '' },
  loans: { sandbox: '/paylater/sandbox' },
}

/** The spelling of header names, which are not case-sensitive (RFC 9110 §5.1). */
export type HeaderCase = 'title' | 'upper'

/** A name in lower case, spelled Like-This or LIKE-THIS. */
export const spelled = (name: string, headerCase: HeaderCase): string =>
  headerCase === 'upper' ? name.toUpperCase() : name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
