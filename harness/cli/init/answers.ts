import { settleBaseUrl, settleHttpUrl } from '../../profile/configuration-error.ts'
import { profileSchema } from '../../profile/schema.ts'
import { authorization } from '../../profile/schema/authorization.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Doubt } from './page-recipe.ts'

/** What the owner of a target is asked for, and all that a profile is written from. */

export type Environment = Profile['environment']
export type Kind = Profile['applications'][number]['kind']
type RedirectUri = Profile['applications'][number]['redirectUris'][number]
export type Party = NonNullable<Profile['payments']>['debtor']
type Pages = Extract<Profile['authorization'], { kind: 'pages' }>['pages']

/** What is done on the bank's pages, as far as it has been found out. */
export interface Recipe {
  readonly pages: Pages
  readonly code?: string
  /** Whether somebody has come to the end by it; else what stands behind the first pages is guessed. */
  readonly complete: boolean
  /** Pages of which only a person can tell which button refuses. */
  readonly doubts?: readonly Doubt[]
}

/** `pages` and `browser`: a recipe logs in. `person`: somebody does. `tokens`: nobody does, they are imported. */
export type Authorization = 'pages' | 'browser' | 'person' | 'tokens'

/** The ways that a profile can name. */
const KINDS: readonly string[] = authorization.unwrap().options.map((way) => way.shape.kind.value)

/** In the order in which they are offered. */
export const AUTHORIZATIONS: readonly Authorization[] = (
  ['pages', 'browser', 'person', 'tokens'] as const
).filter((kind) => KINDS.includes(kind))

/** Whether a program acts as the customer, by a recipe for the bank's pages. */
export const followsRecipe = (kind: Authorization): boolean => kind === 'pages' || kind === 'browser'

export const VARIANTS = ['first', 'second', 'both'] as const
export type Variant = (typeof VARIANTS)[number]

/** The environment variables that hold what must not stand in a file. */
interface Variables {
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
  readonly password: string
  readonly accessToken: string
}

export interface Answers {
  /** The target's name, as reports show it. */
  readonly name: string
  /** Without its last slash. */
  readonly baseUrl: string
  readonly environment: Environment
  /** Of the account interface in `environment`; left out, the profile's default. */
  readonly basePath?: string
  /** The label of the application. */
  readonly application: string
  readonly kind: Kind
  readonly redirectUris: readonly RedirectUri[]
  /** The label of the customer. */
  readonly customer: string
  readonly variables: Variables
  readonly authorization: Authorization
  /** Left out, the profile's default. */
  readonly recipe?: Recipe
  readonly variant: Variant
  /** Who pays whom, where the target offers payments. */
  readonly payments?: { readonly debtor: Party; readonly creditor: Party }
  readonly loans: boolean
  /** Where the target reaches this machine, and the port behind that. */
  readonly webhook?: { readonly url: string; readonly port: number }
}

/** The variables that the answers need: a person knows the password, and with imported tokens nobody logs in. */
export const neededVariables = ({ variables, authorization: kind }: Answers): readonly string[] => {
  const { clientId, clientSecret, username, password, accessToken } = variables
  return [
    clientId,
    clientSecret,
    ...(followsRecipe(kind) ? [username, password] : []),
    ...(kind === 'tokens' ? [accessToken] : []),
  ]
}

/** The usual names, for a prefix such as BANK. */
export const variablesOf = (prefix: string): Variables => ({
  clientId: `${prefix}_CLIENT_ID`,
  clientSecret: `${prefix}_CLIENT_SECRET`,
  username: `${prefix}_USERNAME`,
  password: `${prefix}_PASSWORD`,
  accessToken: `${prefix}_ACCESS_TOKEN`,
})

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

/** What the profile puts between base URL and path unless it says otherwise, without its last slash. */
export const defaultBasePaths = (): Readonly<Record<Environment, string>> =>
  profileSchema.shape.basePaths.parse(undefined)

/** What will stand between base URL and path in the environment of the answers; empty for nothing. */
export const basePathOf = ({ basePath, environment }: Pick<Answers, 'basePath' | 'environment'>): string =>
  (basePath ?? defaultBasePaths()[environment]).replace(/\/+$/, '')

/** A name and an IBAN, as people write them: the IBAN last, with or without blanks. */
const partyIn = (text: string): Party => {
  const words = text.trim().split(/[\s,;]+/)
  const first = words.findIndex((word) => /^[A-Z]{2}\d{2}/i.test(word))
  // What is missing is complained of by the profile's own words.
  if (first === -1) return { name: text.trim(), iban: '' }
  return { name: words.slice(0, first).join(' '), iban: words.slice(first).join('').toUpperCase() }
}
