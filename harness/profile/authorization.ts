import * as z from 'zod'
import { browser } from './authorization-browser.ts'
import { hasRefusal, pages } from './authorization-pages.ts'
import { person } from './authorization-person.ts'
import type { PageRecipe } from './authorization-pages.ts'

/** The ways of a customer's authorization that the profile can name. */

const importedToken = z.strictObject({
  /** The name of one of `applications`. */
  application: z
    .string()
    .min(1)
    .meta({ examples: ['shop'] }),
  /** The name of one of `customers`. */
  customer: z
    .string()
    .min(1)
    .meta({ examples: ['first customer'] }),
  /** Best read with `env:NAME`, as is the refresh token. */
  accessToken: z
    .string()
    .min(1)
    .meta({ examples: ['env:BANK_ACCESS_TOKEN'] }),
  refreshToken: z.string().min(1).optional(),
  /** The consent that the token was granted for, with a TPP. */
  consentId: z.string().min(1).optional(),
  scope: z.string().min(1).optional(),
})

/** Tokens that were obtained elsewhere: no authorization can be run, only what needs a token can be judged. */
const importedTokens = z.strictObject({
  kind: z.literal('tokens'),
  tokens: z
    .array(importedToken)
    .nonempty()
    .meta({
      examples: [[{ application: 'shop', customer: 'first customer', accessToken: 'env:BANK_ACCESS_TOKEN' }]],
    }),
})

/** How a customer authorizes. */
export const authorization = z
  .discriminatedUnion('kind', [pages, browser, person, importedTokens])
  .prefault({ kind: 'pages' })

export type AuthorizationProfile = z.output<typeof authorization>

/** What a program follows as the customer; undefined where none acts. */
export const recipeOf = (way: AuthorizationProfile): PageRecipe | undefined =>
  'pages' in way ? way : undefined

/** Whether customers authorize in the run, whoever acts for them. */
export const isAuthorizing = (way: AuthorizationProfile): boolean => way.kind !== 'tokens'

/** Whether a customer in the run can refuse. A person reads what is on the page. */
export const canRefuse = (way: AuthorizationProfile): boolean =>
  isAuthorizing(way) && (recipeOf(way)?.pages.some(hasRefusal) ?? true)
