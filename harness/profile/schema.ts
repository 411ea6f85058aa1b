import { z } from 'zod'
import { EFFECTS } from '../evidence/effect.ts'
import { settleBaseUrl } from './base-url.ts'

/**
 * All that the owner of a target must tell us. Every object is strict: a key that nobody reads is a mistake of its
 * author. The defaults speak the names of the live service behind such an interface; none of them is a requirement.
 */

const path = z.string().regex(/^\/[^?#\s]*$/, 'a path begins with a slash and has no query')
/** Without its last slash, since paths are put behind it; `/` stands for no base path at all. */
const basePath = path.transform((text) => text.replace(/\/+$/, ''))
const dotted = z
  .string()
  .regex(/^[^.\s]+(\.[^.\s]+)*$/, 'a field is named by its keys from the root of the JSON, joined by dots')
const statuses = z.array(z.int().min(200).max(399)).nonempty()
const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'the name of a header has letters, digits and hyphens')
const headerValue = z
  .string()
  // A header that holds one cannot be sent.
  .regex(
    /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/,
    'the value of a header has no line break or control character',
  )
const headers = z.record(headerName, headerValue)
/** A timer of Node that is set to more rings at once. */
const LONGEST_TIMER_MS = 2_147_483_647
const milliseconds = z.int().min(1).max(LONGEST_TIMER_MS)

const redirectUri = z.strictObject({
  /** As it is registered, to the letter (RFC 6749 §3.1.2: absolute, without a fragment). */
  uri: z
    .url()
    .regex(/^[^#]*$/, 'a redirect URI has no fragment (RFC 6749 §3.1.2)')
    .meta({ examples: ['https://client.example/callback'] }),
  /** `redirect`: the browser is sent there with the code. `result-screen`: the bank shows the code on a page. */
  delivery: z.enum(['redirect', 'result-screen']).default('redirect'),
})

const application = z.strictObject({
  /** Your own label; reports and imported tokens use it. */
  name: z
    .string()
    .min(1)
    .meta({ examples: ['shop'] }),
  /** `FAC` uses its own data, `TPP` its customers' and creates a consent first (What the service does, 2). */
  kind: z.enum(['FAC', 'TPP']),
  /** An identifier: reports show it unless it is read with `env:NAME`. A colon would end it in HTTP Basic. */
  clientId: z
    .string()
    .min(1)
    // No pattern: in the file itself it may be `env:NAME`.
    .refine((id) => !id.includes(':'), 'a client id with a colon cannot be sent by HTTP Basic (RFC 7617 §2)')
    .meta({ examples: ['env:BANK_CLIENT_ID'] }),
  /** Best read with `env:NAME`. */
  clientSecret: z
    .string()
    .min(1)
    .meta({ examples: ['env:BANK_CLIENT_SECRET'] }),
  /** Those registered at the bank; a second one makes more checks possible. */
  redirectUris: z
    .array(redirectUri)
    .nonempty()
    .meta({ examples: [[{ uri: 'https://client.example/callback' }]] }),
})

const customer = z.strictObject({
  /** Your own label; reports and imported tokens use it. */
  name: z
    .string()
    .min(1)
    .meta({ examples: ['first customer'] }),
  /** An identifier: reports show it unless it is read with `env:NAME`. */
  username: z
    .string()
    .min(1)
    .meta({ examples: ['env:BANK_USERNAME'] }),
  /** Best read with `env:NAME`. */
  password: z
    .string()
    .min(1)
    .meta({ examples: ['env:BANK_PASSWORD'] }),
})

/** One page that the customer sees, and what is done on it. Selectors are CSS. */
const page = z.strictObject({
  /** The page is recognised by this element. */
  when: z
    .string()
    .min(1)
    .meta({ examples: ['input[name=username]'] }),
  /** What is typed: selector → text; `{username}` and `{password}` stand for the customer's. */
  fill: z.record(z.string(), z.string()).default({}),
  /** The button that is pressed when the customer agrees; its form is sent with the button's name and value. */
  press: z
    .string()
    .min(1)
    .meta({ examples: ['button[type=submit]'] }),
  /** The button that is pressed when the customer refuses; without it the page is passed either way. */
  refuse: z.string().min(1).optional(),
})

const pages = z.strictObject({
  kind: z.literal('pages'),
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
  code: z.string().min(1).default('#authorization-code'),
  /** How many pages and redirects one authorization may take. */
  limit: z.int().min(2).max(1000).default(20),
})

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

/** A lever bound to an HTTP request. `{name}` in url, body and headers stands for the lever's argument. */
const leverRequest = z.strictObject({
  method: method.default('POST'),
  /** Relative to the base URL, or absolute. */
  url: z
    .string()
    .min(1)
    .meta({ examples: ['/_levers/clock'] }),
  headers: headers.default({}),
  /** Sent as JSON; a string that is exactly `{milliseconds}` becomes a number. */
  body: z.record(z.string(), z.unknown()).optional(),
  /** The field of the answer that carries the lever's result. */
  result: dotted.optional(),
})

/** The requests of the account interface: what its Endpoints leave "not shown". Paths go behind the base path. */
const operations = z.strictObject({
  /** POST /v1/consents. */
  createConsent: z
    .strictObject({
      path: path.default('/v1/consents'),
      /** The header that carries a new id with each request. */
      requestIdHeader: headerName.default('X-Request-ID'),
      /** The status codes of success, here and below. */
      success: statuses.default([200, 201]),
    })
    .prefault({}),
  /** GET /auth/oauth/v2/authorize, in the customer's browser. */
  authorize: z.strictObject({ path: path.default('/auth/oauth/v2/authorize') }).prefault({}),
  /** POST /auth/oauth/v2/token. */
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
  /** GET /v1/accounts. */
  listAccounts: z
    .strictObject({
      path: path.default('/v1/accounts'),
      requestIdHeader: headerName.default('X-Request-ID'),
      success: statuses.default([200]),
      /** The field of the answer that carries the list. */
      accounts: dotted.default('accounts'),
    })
    .prefault({}),
})

const httpUrl = z.string().transform((text, context) => {
  const settled = settleBaseUrl(text)
  if ('url' in settled) return settled.url
  context.addIssue({ code: 'custom', message: settled.problem })
  return z.NEVER
})

export const profileSchema = z.strictObject({
  /** The target's name, as reports show it. */
  name: z
    .string()
    .min(1)
    .meta({ examples: ['Example Bank, sandbox'] }),
  /** What interface.md writes {base_url}: http or https, without credentials, query and fragment. `--base-url` goes before it. */
  baseUrl: httpUrl.optional(),
  /** Which of the base paths is judged (Versioning, 2). `--environment` goes before it. */
  environment: z.enum(['sandbox', 'production']).default('sandbox'),
  /** Further origins of the same bank, such as the host of its login pages or levers. Nothing is sent to any other. */
  origins: z.array(httpUrl).default([]),
  /** Base paths of the account interface, by environment; `/` for none. */
  basePaths: z
    .strictObject({
      sandbox: basePath.prefault('/premium/sandbox'),
      production: basePath.prefault('/premium/production'),
    })
    .prefault({}),
  /** The client applications registered at the target. A second one of a kind makes more checks possible. */
  applications: z
    .array(application)
    .nonempty()
    .meta({
      examples: [
        [
          {
            name: 'shop',
            kind: 'TPP',
            clientId: 'env:BANK_CLIENT_ID',
            clientSecret: 'env:BANK_CLIENT_SECRET',
            redirectUris: [{ uri: 'https://client.example/callback' }],
          },
        ],
      ],
    }),
  /** The bank's customers on whose behalf the customer driver acts. */
  customers: z.array(customer).default([]),
  /** How a customer authorizes. */
  authorization: z.discriminatedUnion('kind', [pages, importedTokens]).prefault({ kind: 'pages' }),
  /** The scope of the account interface; a TPP's has a colon and the consentId behind it (Resources, Consent). */
  scopes: z.strictObject({ accounts: z.string().min(1).default('PREMIUM_AIS') }).prefault({}),
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
  headers: headers.default({}),
  deadlines: z
    .strictObject({
      /** One request, from its first byte to the last of its response, in ms. */
      requestMs: milliseconds.default(15_000),
      /** The whole run, in ms. */
      runMs: milliseconds.default(30 * 60_000),
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
