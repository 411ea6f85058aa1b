import { settleBaseUrl, settleHttpUrl } from '../profile/base-url.ts'
import { variablesOf } from './answers.ts'
import { partyIn } from './party.ts'
import type { Answers, Authorization, Environment, Kind, RedirectUri, Variables, Variant } from './answers.ts'

/** What has been said so far, by options or at the terminal: nothing of it is checked yet. */
export interface Given {
  readonly name?: string
  readonly baseUrl?: string
  readonly environment?: Environment
  readonly basePath?: string
  readonly application?: string
  readonly kind?: Kind
  readonly redirectUris?: readonly string[]
  /** In the order of the redirect URIs; `redirect` where it is shorter. */
  readonly deliveries?: readonly RedirectUri['delivery'][]
  readonly customer?: string
  readonly variables?: Partial<Variables>
  readonly authorization?: Authorization
  readonly variant?: Variant
  readonly payments?: boolean
  /** Name and IBAN. */
  readonly debtor?: string
  readonly creditor?: string
  readonly loans?: boolean
  readonly webhookUrl?: string
  readonly webhookPort?: number
}

/** What stands where nothing was said yet, so that what was said can be checked at once. */
const UNSAID = {
  baseUrl: 'https://api.bank.example',
  redirectUris: ['https://client.example/callback'],
  party: 'Anna Nováková SK2998010000002600001129',
}

export const DEFAULTS = {
  environment: 'sandbox',
  application: 'first application',
  kind: 'TPP',
  customer: 'first customer',
  prefix: 'BANK',
  authorization: 'pages',
  variant: 'first',
  port: 8080,
} as const

/** Answers to everything: what was given, and defaults for the rest. */
export const completed = (given: Given): Answers => {
  const baseUrl = settled(given.baseUrl ?? UNSAID.baseUrl)
  const environment = given.environment ?? DEFAULTS.environment
  return {
    name: given.name ?? nameFor(baseUrl, environment),
    baseUrl,
    environment,
    ...(given.basePath !== undefined && { basePath: withoutLastSlash(given.basePath) }),
    application: given.application ?? DEFAULTS.application,
    kind: given.kind ?? DEFAULTS.kind,
    redirectUris: (given.redirectUris ?? UNSAID.redirectUris).map((uri, at) => ({
      uri,
      delivery: given.deliveries?.[at] ?? 'redirect',
    })),
    customer: given.customer ?? DEFAULTS.customer,
    variables: { ...variablesOf(DEFAULTS.prefix), ...given.variables },
    authorization: given.authorization ?? DEFAULTS.authorization,
    variant: given.variant ?? DEFAULTS.variant,
    ...(offersPayments(given) && {
      payments: {
        debtor: partyIn(given.debtor ?? UNSAID.party),
        creditor: partyIn(given.creditor ?? UNSAID.party),
      },
    }),
    loans: given.loans ?? false,
    ...(given.webhookUrl !== undefined && {
      webhook: {
        url: settledHttp(given.webhookUrl),
        port: given.webhookPort ?? portFor(given.webhookUrl),
      },
    }),
  }
}

export const offersPayments = ({ payments, debtor, creditor }: Given): boolean =>
  payments ?? (debtor !== undefined || creditor !== undefined)

/** As if that had not been said. */
export const unsaid = (given: Given, key: keyof Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name !== key))

const settled = (text: string): string => {
  const found = settleBaseUrl(text)
  // What is wrong with it is told by whoever checks the answers.
  return 'url' in found ? found.url : text
}

const settledHttp = (text: string): string => {
  const found = settleHttpUrl(text, text)
  return 'url' in found ? found.url : text
}

/** By its host, as a person would call it until somebody finds a better name. */
export const nameFor = (baseUrl: string, environment: Environment): string =>
  `${URL.canParse(baseUrl) ? new URL(baseUrl).host : 'the bank'}, ${environment}`

const withoutLastSlash = (path: string): string => path.replace(/(?<=.)\/+$/, '')

/** An address on this machine names the port itself; what stands in front of it elsewhere leads to a usual one. */
export const portFor = (webhookUrl: string): number => {
  const port = URL.canParse(webhookUrl) ? Number(new URL(webhookUrl).port) : 0
  return port === 0 ? DEFAULTS.port : port
}
