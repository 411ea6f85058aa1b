import { z } from 'zod'
import { EFFECTS } from '../evidence/effect.ts'

/**
 * All that the owner of a target must tell us. Every object is strict: a key that nobody reads is a mistake of its
 * author. The defaults speak the names of the live service behind such an interface; none of them is a requirement.
 */

const path = z.string().startsWith('/', 'a path begins with a slash')
const dotted = z
  .string()
  .regex(/^[^.\s]+(\.[^.\s]+)*$/, 'a field is named by its keys from the root of the JSON, joined by dots')
const statuses = z.array(z.int().min(200).max(399)).nonempty()
const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

const redirectUri = z.strictObject({
  uri: z.url(),
  /** `redirect`: the browser is sent there with the code. `result-screen`: the bank shows the code on a page. */
  delivery: z.enum(['redirect', 'result-screen']).default('redirect'),
})

const application = z.strictObject({
  name: z.string().min(1),
  kind: z.enum(['FAC', 'TPP']),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  redirectUris: z.array(redirectUri).nonempty(),
})

const customer = z.strictObject({
  name: z.string().min(1),
  username: z.string().min(1),
  password: z.string().min(1),
})

/** One page that the customer sees, and what is done on it. Selectors are CSS. */
const page = z.strictObject({
  /** The page is recognised by this element. */
  when: z.string().min(1),
  /** What is typed: selector → text; `{username}` and `{password}` stand for the customer's. */
  fill: z.record(z.string(), z.string()).default({}),
  /** The button that is pressed when the customer agrees; its form is sent with the button's name and value. */
  press: z.string().min(1),
  /** The button that is pressed when the customer refuses; without it the page is passed either way. */
  refuse: z.string().min(1).optional(),
})

const pages = z.strictObject({
  kind: z.literal('pages'),
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
  code: z.string().min(1).default('#authorization-code'),
  /** How many pages and redirects one authorization may take. */
  limit: z.int().min(2).default(20),
})

/** Tokens that were obtained elsewhere: no authorization can be run, only what needs a token can be judged. */
const importedTokens = z.strictObject({
  kind: z.literal('tokens'),
  tokens: z
    .array(
      z.strictObject({
        application: z.string().min(1),
        customer: z.string().min(1),
        accessToken: z.string().min(1),
        refreshToken: z.string().min(1).optional(),
        consentId: z.string().min(1).optional(),
        scope: z.string().min(1).optional(),
      }),
    )
    .nonempty(),
})

/** A lever bound to an HTTP request. `{name}` in url, body and headers stands for the lever's argument. */
const leverRequest = z.strictObject({
  method: method.default('POST'),
  /** Relative to the base URL, or absolute. */
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()).default({}),
  /** Sent as JSON; a string that is exactly `{milliseconds}` becomes a number. */
  body: z.record(z.string(), z.unknown()).optional(),
  /** The field of the answer that carries the lever's result. */
  result: dotted.optional(),
})

const operations = z.strictObject({
  createConsent: z
    .strictObject({
      path: path.default('/v1/consents'),
      requestIdHeader: z.string().default('X-Request-ID'),
      success: statuses.default([200, 201]),
    })
    .prefault({}),
  authorize: z.strictObject({ path: path.default('/auth/oauth/v2/authorize') }).prefault({}),
  token: z
    .strictObject({
      path: path.default('/auth/oauth/v2/token'),
      success: statuses.default([200]),
      /** The field of the token answer that carries the refresh token. */
      refreshToken: dotted.default('refresh_token'),
      /** The parameters of the refresh request; `{refresh_token}` stands for the token. */
      refreshForm: z
        .record(z.string(), z.string())
        .default({ grant_type: 'refresh_token', refresh_token: '{refresh_token}' }),
      /** Where a refusal carries its code. */
      errorCode: dotted.default('error'),
    })
    .prefault({}),
  listAccounts: z
    .strictObject({
      path: path.default('/v1/accounts'),
      requestIdHeader: z.string().default('X-Request-ID'),
      success: statuses.default([200]),
      accounts: dotted.default('accounts'),
    })
    .prefault({}),
})

export const profileSchema = z.strictObject({
  name: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  environment: z.enum(['sandbox', 'production']).default('sandbox'),
  /** Base paths of the account interface, by environment. */
  basePaths: z
    .strictObject({
      sandbox: path.default('/premium/sandbox'),
      production: path.default('/premium/production'),
    })
    .prefault({}),
  /** The client applications registered at the target. A second one of a kind makes more checks possible. */
  applications: z.array(application).nonempty(),
  /** The bank's customers on whose behalf the customer driver acts. */
  customers: z.array(customer).default([]),
  /** How a customer authorizes. */
  authorization: z.discriminatedUnion('kind', [pages, importedTokens]).prefault({ kind: 'pages' }),
  scopes: z.strictObject({ accounts: z.string().default('PREMIUM_AIS') }).prefault({}),
  operations: operations.prefault({}),
  /** What the target offers beyond the interface. */
  levers: z
    .strictObject({
      /** Answers the target's time (`result` names the field, ISO 8601). */
      readClock: leverRequest.optional(),
      /** Moves the target's clock by `{milliseconds}`. */
      advanceClock: leverRequest.optional(),
      /** The customer revokes the grant of `{token}`. */
      revokeToken: leverRequest.optional(),
    })
    .prefault({}),
  /** Effects that the target allows, by environment. `--allow` adds to them. */
  allow: z
    .strictObject({
      sandbox: z.array(z.enum(EFFECTS)).default(['read', 'consent', 'notify', 'apply', 'pay']),
      production: z.array(z.enum(EFFECTS)).default(['read', 'consent']),
    })
    .prefault({}),
  /** Headers sent with every request to the target, for a gateway. */
  headers: z.record(z.string(), z.string()).default({}),
  deadlines: z
    .strictObject({
      /** One request, from its first byte to the last of its response, in ms. */
      requestMs: z.int().min(1).default(15_000),
      /** The whole run, in ms. */
      runMs: z
        .int()
        .min(1)
        .default(30 * 60_000),
    })
    .prefault({}),
  /** Requirements that do not apply to this target: id or chapter → the reason, which the report shows. */
  notApplicable: z.record(z.string(), z.string().min(1)).default({}),
})

/** A profile as its author writes it. */
export type ProfileInput = z.input<typeof profileSchema>
/** A profile with every default filled in. */
export type Profile = z.output<typeof profileSchema>
export type ApplicationProfile = Profile['applications'][number]
export type CustomerProfile = Profile['customers'][number]
export type LeverRequest = NonNullable<Profile['levers']['readClock']>
