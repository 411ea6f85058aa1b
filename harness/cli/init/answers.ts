import { settleBaseUrl, settleHttpUrl } from '../../profile/configuration-error.ts'
import { profileSchema } from '../../profile/schema.ts'
import { authorization } from '../../profile/schema/authorization.ts'
import type { Profile } from '../../profile/schema.ts'
import type { UnknownRefusal } from './page-recipe.ts'
import type { DocumentDraft } from './openapi/draft-profile.ts'

/** The answers from which a profile is written. */

export type Environment = Profile['environment']
export type Kind = Profile['applications'][number]['kind']
type RedirectUri = Profile['applications'][number]['redirectUris'][number]
export type NamedAccount = NonNullable<Profile['payments']>['debtor']
type Pages = Extract<Profile['authorization'], { kind: 'pages' }>['pages']

/** How the customer logs in and decides on the bank's pages, as far as the search found it. */
export interface Recipe {
  readonly pages: Pages
  readonly code?: string
  /** Whether an authorization with these pages succeeded; otherwise the later pages are guessed. */
  readonly complete: boolean
  /** Pages with two buttons where the text does not show which one refuses. */
  readonly unknownRefusals?: readonly UnknownRefusal[]
}

/** Who logs in. `pages`, `browser`: a recipe. `person`: a person. `tokens`: tokens are imported, and no customer logs in. */
export type Authorization = 'pages' | 'browser' | 'person' | 'tokens'

/** The kinds that the profile schema accepts. */
const KINDS: readonly string[] = authorization.unwrap().options.map((way) => way.shape.kind.value)

/** In the order in which the question lists them. */
export const AUTHORIZATIONS: readonly Authorization[] = (
  ['pages', 'browser', 'person', 'tokens'] as const
).filter((kind) => KINDS.includes(kind))

/** Whether the customer's login is automated with a recipe for the bank's pages. */
export const followsRecipe = (kind: Authorization): boolean => kind === 'pages' || kind === 'browser'

export const VARIANTS = ['first', 'second', 'both'] as const
export type Variant = (typeof VARIANTS)[number]

/** The names of the environment variables that hold secrets. */
interface Variables {
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
  readonly password: string
  readonly accessToken: string
}

/** How the bank refuses a call of its API; `unknown` leaves it open. */
export const REFUSALS = ['json', 'page', 'unknown'] as const
export type Refusals = (typeof REFUSALS)[number]

export interface Answers {
  /** The name of the target in reports. */
  readonly name: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly environment: Environment
  /** The base path of the account interface in `environment`; absent for the profile's default. */
  readonly basePath?: string
  /** The time by which the bank lives; absent for the profile's default. */
  readonly timeZone?: string
  /** How the bank refuses, if that is known. */
  readonly refusals?: Exclude<Refusals, 'unknown'>
  /** The label of the application. */
  readonly application: string
  readonly kind: Kind
  readonly redirectUris: readonly RedirectUri[]
  /** The label of the customer. */
  readonly customer: string
  readonly variables: Variables
  readonly authorization: Authorization
  /** Absent for the profile's default. */
  readonly recipe?: Recipe
  /** What the OpenAPI document of the target says. */
  readonly document?: DocumentDraft
  readonly variant: Variant
  /** Present if the target offers payments. */
  readonly payments?: { readonly debtor: NamedAccount; readonly creditor: NamedAccount }
  readonly loans: boolean
  /** The URL to which the target sends notifications, and the local port that receives them. */
  readonly webhook?: { readonly url: string; readonly port: number }
}

/** The environment variables that the profile reads. The password is needed only if a recipe logs in. */
export const neededVariables = ({ variables, authorization: kind }: Answers): readonly string[] => {
  const { clientId, clientSecret, username, password, accessToken } = variables
  return [
    clientId,
    clientSecret,
    ...(followsRecipe(kind) ? [username, password] : []),
    ...(kind === 'tokens' ? [accessToken] : []),
  ]
}

/** The default variable names for a prefix such as BANK. */
export const variablesOf = (prefix: string): Variables => ({
  clientId: `${prefix}_CLIENT_ID`,
  clientSecret: `${prefix}_CLIENT_SECRET`,
  username: `${prefix}_USERNAME`,
  password: `${prefix}_PASSWORD`,
  accessToken: `${prefix}_ACCESS_TOKEN`,
})

/** The answers so far, from options or from the terminal. They are not validated yet. */
export interface PartialAnswers {
  readonly name?: string
  readonly baseUrl?: string
  readonly environment?: Environment
  readonly basePath?: string
  readonly timeZone?: string
  readonly refusals?: Refusals
  readonly application?: string
  readonly kind?: Kind
  readonly redirectUris?: readonly string[]
  /** In the order of the redirect URIs; `redirect` for those without an entry. */
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
  readonly document?: DocumentDraft
}

/** Placeholders for missing answers, so that the given answers can be validated at once. */
const PLACEHOLDERS = {
  baseUrl: 'https://api.bank.example',
  redirectUris: ['https://client.example/callback'],
  account: 'Anna Nováková SK2998010000002600001129',
}

export const DEFAULTS = {
  environment: 'sandbox',
  timeZone: 'UTC',
  refusals: 'unknown',
  application: 'first application',
  kind: 'TPP',
  customer: 'first customer',
  prefix: 'BANK',
  authorization: 'pages',
  variant: 'first',
  port: 8080,
} as const

/** The given answers, with defaults for the missing ones. */
export const withDefaults = (given: PartialAnswers): Answers => {
  const baseUrl = normalizedBaseUrl(given.baseUrl ?? PLACEHOLDERS.baseUrl)
  const environment = given.environment ?? DEFAULTS.environment
  return {
    name: given.name ?? nameFor(baseUrl, environment),
    baseUrl,
    environment,
    ...(given.basePath !== undefined && { basePath: withoutTrailingSlash(given.basePath) }),
    ...(given.timeZone !== undefined && { timeZone: given.timeZone }),
    ...(given.refusals !== undefined && given.refusals !== 'unknown' && { refusals: given.refusals }),
    application: given.application ?? DEFAULTS.application,
    kind: given.kind ?? DEFAULTS.kind,
    redirectUris: (given.redirectUris ?? PLACEHOLDERS.redirectUris).map((uri, at) => ({
      uri,
      delivery: given.deliveries?.[at] ?? 'redirect',
    })),
    customer: given.customer ?? DEFAULTS.customer,
    variables: { ...variablesOf(DEFAULTS.prefix), ...given.variables },
    authorization: given.authorization ?? DEFAULTS.authorization,
    variant: given.variant ?? DEFAULTS.variant,
    ...(offersPayments(given) && {
      payments: {
        debtor: parseNamedAccount(given.debtor ?? PLACEHOLDERS.account),
        creditor: parseNamedAccount(given.creditor ?? PLACEHOLDERS.account),
      },
    }),
    loans: given.loans ?? false,
    ...(given.document !== undefined && { document: given.document }),
    ...(given.webhookUrl !== undefined && {
      webhook: {
        url: normalizedHttpUrl(given.webhookUrl),
        port: given.webhookPort ?? portFor(given.webhookUrl),
      },
    }),
  }
}

export const offersPayments = ({ payments, debtor, creditor }: PartialAnswers): boolean =>
  payments ?? (debtor !== undefined || creditor !== undefined)

/** The answers without one of them. */
export const without = (given: PartialAnswers, key: keyof PartialAnswers): PartialAnswers =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name !== key))

const normalizedBaseUrl = (text: string): string => {
  const found = settleBaseUrl(text)
  // An invalid URL is reported when the answers are validated.
  return 'url' in found ? found.url : text
}

const normalizedHttpUrl = (text: string): string => {
  const found = settleHttpUrl(text, text)
  return 'url' in found ? found.url : text
}

/** The default name of a target: its host and environment. */
export const nameFor = (baseUrl: string, environment: Environment): string =>
  `${URL.canParse(baseUrl) ? new URL(baseUrl).host : 'the bank'}, ${environment}`

const withoutTrailingSlash = (path: string): string => path.replace(/(?<=.)\/+$/, '')

/** The port of the URL, or the default port: a public URL is usually forwarded to another local port. */
export const portFor = (webhookUrl: string): number => {
  const port = URL.canParse(webhookUrl) ? Number(new URL(webhookUrl).port) : 0
  return port === 0 ? DEFAULTS.port : port
}

/** The profile's default base paths, without a trailing slash. */
export const defaultBasePaths = (): Readonly<Record<Environment, string>> =>
  profileSchema.shape.basePaths.parse(undefined)

/** The base path in the environment of the answers; empty for none. */
export const basePathOf = ({ basePath, environment }: Pick<Answers, 'basePath' | 'environment'>): string =>
  (basePath ?? defaultBasePaths()[environment]).replace(/\/+$/, '')

/** Parses a name followed by an IBAN, which may contain spaces. */
const parseNamedAccount = (text: string): NamedAccount => {
  const words = text.trim().split(/[\s,;]+/)
  const ibanAt = words.findIndex((word) => /^[A-Z]{2}\d{2}/i.test(word))
  // The validation of the answers reports a missing IBAN.
  if (ibanAt === -1) return { name: text.trim(), iban: '' }
  return { name: words.slice(0, ibanAt).join(' '), iban: words.slice(ibanAt).join('').toUpperCase() }
}
