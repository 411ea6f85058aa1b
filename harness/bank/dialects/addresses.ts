/** The operations of the bank, with their addresses at the bank and in a dialect. */
import { BASES, ENVIRONMENTS, type Api, type Bases } from '../base-paths.ts'

/** APIs whose base paths the interface gives: they are served in addition to those of the dialect. */
const GIVEN: readonly Api[] = ['accounts', 'loans']

interface Operation {
  readonly api: Api
  readonly path: string
  /** Whether the interface does not give this path. */
  readonly isOpen?: true
}

/** If two paths match an address, the first one is used. */
const OPERATIONS = {
  createConsent: { api: 'accounts', path: '/v1/consents' },
  authorize: { api: 'accounts', path: '/auth/oauth/v2/authorize' },
  token: { api: 'accounts', path: '/auth/oauth/v2/token' },
  listAccounts: { api: 'accounts', path: '/v1/accounts' },
  readAccount: { api: 'accounts', path: '/v1/accounts/{id}' },
  listTransactions: { api: 'accounts', path: '/v1/accounts/{id}/transactions' },
  refresh: { api: 'accounts', path: '/refresh' },
  listInSecond: { api: 'second', path: '/api/v1/accounts' },
  readInSecond: { api: 'second', path: '/api/v1/accounts/information' },
  searchInSecond: { api: 'second', path: '/api/v1/accounts/transactions' },
  ecomm: { api: 'payments', path: '/payments/ecomm/sba' },
  standard: { api: 'payments', path: '/payments/standard/sba', isOpen: true },
  batch: { api: 'payments', path: '/payments/batch/sba', isOpen: true },
  paymentStatus: { api: 'payments', path: '/payments/{id}/status' },
  submitPayment: { api: 'payments', path: '/payments/submission' },
  authorizePayment: { api: 'oauth', path: '/auth/oauth/v2/authorize', isOpen: true },
  paymentToken: { api: 'oauth', path: '/auth/oauth/v2/token', isOpen: true },
  loanToken: { api: 'loans', path: '/auth/oauth/v2/token' },
  precalculateLoan: { api: 'loans', path: '/v1/applications/precalculation' },
  applyForLoan: { api: 'loans', path: '/v1/applications' },
  selectScenario: { api: 'loans', path: '/v1/applications/{id}/scenario', isOpen: true },
  loanStatus: { api: 'loans', path: '/v1/applications/{id}/status' },
  cancelLoan: { api: 'loans', path: '/v1/applications/{id}' },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS

const NAMES = Object.keys(OPERATIONS) as readonly OperationName[]

/** The addresses of the operations in a dialect. */
export interface Places {
  readonly bases: Bases
  readonly paths: Readonly<Partial<Record<OperationName, string>>>
}

/** The operation of an address, and its path at the bank. */
export interface Found {
  readonly operation: OperationName
  readonly api: Api
  readonly path: string
}

type Finder = (pathname: string) => Found | undefined

interface Address {
  readonly operation: OperationName
  readonly api: Api
  /** With `{id}` in the place of an id. */
  readonly there: string
  readonly here: string
}

const ID = '{id}'

const addressesOf = ({ bases, paths }: Places, operation: OperationName): readonly Address[] => {
  const { api, path, isOpen }: Operation = OPERATIONS[operation]
  return ENVIRONMENTS.flatMap((environment) => {
    const [own, other] = [BASES[api][environment], bases[api][environment]]
    if (own === undefined || other === undefined) return []
    const baseNames = GIVEN.includes(api) ? [other, own] : [other]
    const pathNames = [paths[operation] ?? path, ...(isOpen === true ? [] : [path])]
    return baseNames.flatMap((base) =>
      pathNames.map((name) => ({ operation, api, there: base + name, here: own + path })),
    )
  })
}

/** Loan paths below the base paths of accounts: forwarded, so that the bank itself refuses them. */
const straysOf = ({ bases, paths }: Places, operation: OperationName): readonly Address[] => {
  const { api, path } = OPERATIONS[operation]
  if (api !== 'loans') return []
  return ENVIRONMENTS.flatMap((environment) => {
    const [own, other] = [BASES.accounts[environment], bases.accounts[environment]]
    if (own === undefined || other === undefined) return []
    return [{ operation, api, there: other + (paths[operation] ?? path), here: own + path }]
  })
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const VERSION = /\/v\d+(?=\/)/

/** The versions that the interface gives. */
const VERSIONS = ['/v1', '/v2'] as const

/** An address with an unknown version is forwarded with that version, so that the bank itself refuses it. */
const withOtherVersions =
  (find: Finder): Finder =>
  (pathname) => {
    const exact = find(pathname)
    const version = VERSION.exec(pathname)?.[0]
    if (exact || version === undefined) return exact
    for (const given of VERSIONS) {
      const found = find(pathname.replace(VERSION, given))
      if (found) return { ...found, path: found.path.replace(VERSION, version) }
    }
    return undefined
  }

/** Finds the operation of an address; undefined if the dialect has none there. */
export const finder = (places: Places): Finder => {
  const all = [addressesOf, straysOf].flatMap((list) => NAMES.flatMap((name) => list(places, name)))
  const plain = new Map<string, Found>()
  for (const { there, operation, api, here } of all)
    if (!there.includes(ID) && !plain.has(there)) plain.set(there, { operation, api, path: here })
  const patterns = all
    .filter(({ there }) => there.includes(ID))
    .map((address) => ({
      ...address,
      form: new RegExp(`^${address.there.split(ID).map(escaped).join('([^/]+)')}$`),
    }))
  return withOtherVersions((pathname) => {
    const known = plain.get(pathname)
    if (known) return known
    for (const { form, operation, api, here } of patterns) {
      const id = form.exec(pathname)?.[1]
      if (id !== undefined) return { operation, api, path: here.replace(ID, () => id) }
    }
    return undefined
  })
}
