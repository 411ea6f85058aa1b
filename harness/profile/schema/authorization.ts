import * as z from 'zod'
import { dotted, milliseconds, pattern, selector, textSuchAs } from './primitives.ts'

/** How a customer authorizes: the ways that the profile can name. */

/** A key that can be guessed protects nothing. */
const SHORTEST_KEY = 16

/** Grants that scenarios share, kept between runs in an encrypted file. */
const keep = z.strictObject({
  /** What the file is encrypted with: `env:NAME`, and never the key itself. At least 16 characters. */
  key: z
    .string()
    .min(
      SHORTEST_KEY,
      `a key has ${SHORTEST_KEY} characters at least, such as \`openssl rand -base64 32\` makes`,
    )
    .meta({ examples: ['env:BANK_TOKEN_KEY'] }),
  /** The file; left out, one below the user's own state folder. */
  file: z.string().min(1).optional(),
})

/** What stands in the place of a placeholder in the check box of an account. */
export const ACCOUNT_VALUES = ['iban', 'accountId', 'choice'] as const

/** One page that the customer sees, and what is done on it. Selectors are CSS. */
export const page = z.strictObject({
  /** The page is recognised by this element. */
  when: selector.meta({ examples: ['input[name=username]'] }),
  /** What is typed: selector → text; `{username}`, `{password}` and the customer's own `fields` are put in. */
  fill: z.record(selector, z.string()).default({}),
  /** Check boxes and radio buttons that are ticked when the customer agrees: all that each selector finds. */
  tick: z.array(selector).optional(),
  /**
   * The check box or the option of one account, named by its `{iban}`, `{accountId}` or `{choice}`: those of the accounts that the customer
   * shares are ticked, those of the other known accounts are not.
   */
  tickAccounts: selector
    .refine(
      (text) => ACCOUNT_VALUES.some((name) => text.includes(`{${name}}`)),
      'the selector names the account by {iban}, {accountId} or {choice}',
    )
    .optional()
    .meta({ examples: ['input[name=account][value="{iban}"]'] }),
  /** Those that are ticked when the customer refuses; where no `refuse` is on the page, `press` is pressed then. */
  tickToRefuse: z.array(selector).nonempty().optional(),
  /** The button that is pressed when the customer agrees; its form is sent with the button's name and value. */
  press: selector.meta({ examples: ['button[type=submit]'] }),
  /** The button that is pressed when the customer refuses; without it, and without `tickToRefuse`, the page is passed either way. */
  refuse: selector.optional(),
})

export const hasRefusal = ({ refuse, tickToRefuse }: z.output<typeof page>): boolean =>
  refuse !== undefined || tickToRefuse !== undefined

export const USUAL_LOGIN = {
  when: 'input[name=username]',
  fill: { 'input[name=username]': '{username}', 'input[name=password]': '{password}' },
  press: 'button[type=submit]',
}

export const USUAL_DECISION = {
  when: 'button[value=grant]',
  fill: {},
  press: 'button[value=grant]',
  refuse: 'button[value=deny]',
}

/** What a program follows that acts as the customer. */
const recipe = {
  /** In any order: each page that comes is looked up here. */
  pages: z.array(page).nonempty().default([USUAL_LOGIN, USUAL_DECISION]),
  /** The element of the result screen whose text is the authorization code. */
  code: selector.default('#authorization-code'),
  /**
   * A regular expression for the code within that text, where the screen shows it in a sentence: the code is what its
   * first group matches, or the whole match if it has no group.
   */
  codePattern: pattern.optional().meta({ examples: ['Your code is (\\S+)'] }),
  /** How many pages and redirects one authorization may take. */
  limit: z.int().min(2).max(1000).default(20),
  /** How long a page that waits for the customer's app, and reloads itself until then, is reloaded, in ms. */
  reloadMs: milliseconds.default(60_000),
}

/** Pages that need no script: they are read and answered over HTTP. */
const pages = z.strictObject({ kind: z.literal('pages'), ...recipe, keep: keep.optional() })

/** The part of a way that a program follows as the customer. */
export type PageRecipe = Pick<z.output<typeof pages>, Exclude<keyof typeof recipe, 'reloadMs'>> & {
  readonly reloadMs?: number | undefined
  /** The parameter of the redirect that carries the code; `code` by default. */
  readonly parameter?: string | undefined
}

/** A selector that finds nothing, for pages that show no code. */
export const NOTHING = ':not(*)'

/**
 * How the customer approves a payment at an address that the answer to its initiation has, instead of by an OAuth grant. It
 * ends with a redirect to a redirect URI of the application, or on a page of the bank.
 */
export const approval = z.strictObject({
  /** The field of the answer that carries the address, absolute or relative to the answer's own. */
  link: dotted.meta({ examples: ['_links.approve.href'] }),
  /** Left out, those of `authorization`. No account is shared by them. */
  pages: z
    .array(page.omit({ tickAccounts: true }))
    .nonempty()
    .optional(),
  /** The parameter of the redirect that carries the value of the approval. */
  parameter: textSuchAs('approval').optional(),
  /** The element of the bank's last page that shows the value, and only where the customer has approved. */
  shown: selector.optional().meta({ examples: ['#approval'] }),
  /** A regular expression for the value within the text of that element: its first group, or the whole match. */
  pattern: pattern.optional(),
})

export type ApprovalProfile = z.output<typeof approval>

/** What the customer follows to approve a payment; undefined where no program acts as the customer. */
export const recipeOfApproval = (
  { pages: own, parameter, shown, pattern: codePattern }: ApprovalProfile,
  way: AuthorizationProfile,
): PageRecipe | undefined => {
  const usual = recipeOf(way)
  return (
    usual && {
      ...usual,
      pages: own ?? usual.pages,
      code: shown ?? NOTHING,
      codePattern,
      parameter: parameter ?? '',
    }
  )
}

/** The code in the text of a result screen; undefined if the text is empty or does not match the pattern. */
export const codeIn = (
  text: string,
  { codePattern }: Pick<PageRecipe, 'codePattern'>,
): string | undefined => {
  const trimmed = text.trim()
  if (codePattern === undefined) return trimmed === '' ? undefined : trimmed
  const match = new RegExp(codePattern, 'u').exec(trimmed)
  return (match?.[1] ?? match?.[0]) || undefined
}

/** Whether the text of a result screen is more than a code: codes have no blanks in practice. */
export const isSentence = (code: string): boolean => /\s/.test(code)

/** Pages that need scripts: a Chromium that is installed on this machine opens them, and does what the recipe says. */
const browser = z.strictObject({
  kind: z.literal('browser'),
  ...recipe,
  /** The program; left out, CHROMIUM_PATH of the environment holds, and then the usual names are looked for. */
  executable: textSuchAs('/usr/bin/chromium').optional(),
  /** `false` shows the window, on a machine that has a screen. */
  headless: z.boolean().default(true),
  /** How long a page that loads nothing more may still take to show what the recipe knows, in ms. */
  settleMs: milliseconds.default(2_000),
  keep: keep.optional(),
})

export type BrowserProfile = z.output<typeof browser>

/** A person authorizes in a browser of their own: the terminal shows them the link. */
const person = z.strictObject({
  kind: z.literal('person'),
  /** Where the redirect is waited for, behind a registered redirect URI such as `http://127.0.0.1:8765/callback`. */
  listen: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: z
        .int()
        .min(1)
        .max(65_535)
        .meta({ examples: [8765] }),
    })
    .optional(),
  /** How long one authorization may take, in ms, from when its link is shown. */
  deadlineMs: milliseconds.default(5 * 60_000),
  /** How many authorizations a run may ask for; what needs more is held back. */
  most: z.int().min(1).max(10_000).default(12),
  keep: keep.optional(),
})

export type PersonProfile = z.output<typeof person>

const importedToken = z.strictObject({
  /** The name of one of `applications`. */
  application: textSuchAs('shop'),
  /** The name of one of `customers`. */
  customer: textSuchAs('first customer'),
  /** Best read with `env:NAME`, as is the refresh token. */
  accessToken: textSuchAs('env:BANK_ACCESS_TOKEN'),
  refreshToken: z.string().min(1).optional(),
  /** The consent that the token was granted for, with a TPP. */
  consentId: z.string().min(1).optional(),
  scope: z.string().min(1).optional(),
  /** The one that it opens, where each is granted by itself (secondVariant.oauth). */
  variant: z.enum(['first', 'second']).default('first'),
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

export const authorization = z
  .discriminatedUnion('kind', [pages, browser, person, importedTokens])
  .prefault({ kind: 'pages' })

type AuthorizationProfile = z.output<typeof authorization>

/** What a program follows as the customer; undefined where none acts. */
export const recipeOf = (way: AuthorizationProfile): PageRecipe | undefined =>
  'pages' in way ? way : undefined

/** Whether customers authorize in the run: a program or a person acts for them. */
export const isAuthorizing = (way: AuthorizationProfile): boolean => way.kind !== 'tokens'

/** Whether a customer in the run can refuse. A person reads what is on the page. */
export const canRefuse = (way: AuthorizationProfile): boolean =>
  isAuthorizing(way) && (recipeOf(way)?.pages.some(hasRefusal) ?? true)
