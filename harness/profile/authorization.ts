import { z } from 'zod'
import { person } from './authorization-person.ts'
import { selector } from './primitives.ts'

/** The ways of a customer's authorization that the profile can name. */

/** One page that the customer sees, and what is done on it. Selectors are CSS. */
const page = z.strictObject({
  /** The page is recognised by this element. */
  when: selector.meta({ examples: ['input[name=username]'] }),
  /** What is typed: selector → text; `{username}` and `{password}` stand for the customer's. */
  fill: z.record(selector, z.string()).default({}),
  /** The button that is pressed when the customer agrees; its form is sent with the button's name and value. */
  press: selector.meta({ examples: ['button[type=submit]'] }),
  /** The button that is pressed when the customer refuses; without it the page is passed either way. */
  refuse: selector.optional(),
})

/** What a program follows that acts as the customer. */
export const recipe = {
  /** In any order: each page that comes is looked up here. */
  pages: z
    .array(page)
    .nonempty()
    .default([
      {
        when: 'input[name=username]',
        fill: { 'input[name=username]': '{username}', 'input[name=password]': '{password}' },
        press: 'button[type=submit]',
      },
      { when: 'button[value=grant]', fill: {}, press: 'button[value=grant]', refuse: 'button[value=deny]' },
    ]),
  /** The element of the result screen whose text is the authorization code. */
  code: selector.default('#authorization-code'),
  /** How many pages and redirects one authorization may take. */
  limit: z.int().min(2).max(1000).default(20),
}

/** Pages that need no script: they are read and answered over HTTP. */
const pages = z.strictObject({ kind: z.literal('pages'), ...recipe })

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
  .discriminatedUnion('kind', [pages, person, importedTokens])
  .prefault({ kind: 'pages' })

export type AuthorizationProfile = z.output<typeof authorization>

/** The part of a way that a program follows as the customer. */
export type PageRecipe = Pick<z.output<typeof pages>, keyof typeof recipe>

/** What a program follows as the customer; undefined where none acts. */
export const recipeOf = (way: AuthorizationProfile): PageRecipe | undefined =>
  'pages' in way ? way : undefined

/** Whether customers authorize in the run, whoever acts for them. */
export const isAuthorizing = (way: AuthorizationProfile): boolean => way.kind !== 'tokens'

/** Whether a customer in the run can refuse. A person reads what is on the page. */
export const canRefuse = (way: AuthorizationProfile): boolean =>
  isAuthorizing(way) && (recipeOf(way)?.pages.some(({ refuse }) => refuse !== undefined) ?? true)
