import { authorization } from '../profile/authorization.ts'
import type { Profile } from '../profile/schema.ts'
import type { Doubt } from './page-recipe.ts'

/** What the owner of a target is asked for, and all that a profile is written from. */

export type Environment = Profile['environment']
export type Kind = Profile['applications'][number]['kind']
export type RedirectUri = Profile['applications'][number]['redirectUris'][number]
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
export interface Variables {
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
