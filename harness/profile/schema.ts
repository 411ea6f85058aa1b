import * as z from 'zod'
import { PERSONAL_KINDS } from '../evidence/redaction/personal-data.ts'
import { EFFECTS } from '../evidence/exchange.ts'
import { isObject } from '../evidence/json.ts'
import { authorization } from './schema/authorization.ts'
import { settleBaseUrl } from './configuration-error.ts'
import { budget, connection, inHeaders } from './schema/connection.ts'
import { testHooks } from './schema/test-hooks.ts'
import { loans } from './schema/loans.ts'
import { operations, secondVariant } from './schema/operations.ts'
import { payments } from './schema/payments.ts'
import { placesOf } from './schema/places.ts'
import {
  basePath,
  basePathsLike,
  headers,
  iban,
  bankTime,
  milliseconds,
  part,
  textSuchAs,
  timeZone,
} from './schema/primitives.ts'

/**
 * What a run has to know of its target. Every object is strict: an unknown key is an error. The defaults are the names
 * that the live service behind such an interface uses; none of them is a requirement.
 */

const environment = z.enum(['sandbox', 'production'])
const environments = z.array(environment).nonempty()

const redirectUri = z.strictObject({
  /**
   * As it is registered, to the letter (RFC 6749 §3.1.2: absolute, without a fragment). `{baseUrl}` stands for the base URL
   * of the run and `{origin}` for its origin, for an address at the bank itself.
   */
  uri: z
    .string()
    .superRefine((text, context) => {
      // `{baseUrl}` or `{origin}` at its beginning is an address; whether there is such a placeholder is checked elsewhere.
      if (!z.url().safeParse(text.replaceAll(/\{\w+\}/g, 'https://bank.example')).success)
        context.addIssue({ code: 'invalid_format', format: 'url' })
    })
    .regex(/^[^#]*$/, 'a redirect URI has no fragment (RFC 6749 §3.1.2)')
    .meta({ examples: ['https://client.example/callback'] }),
  /** `redirect`: the browser is sent there with the code. `result-screen`: the bank shows the code on a page. */
  delivery: z.enum(['redirect', 'result-screen']).default('redirect'),
})

/** An identifier, which reports show. A colon would end it in HTTP Basic. */
const clientId = z
  .string()
  .min(1)
  // No pattern: in the file itself it may be `env:NAME`.
  .refine((id) => !id.includes(':'), 'a client id with a colon cannot be sent by HTTP Basic (RFC 7617 §2)')
  .meta({ examples: ['env:BANK_CLIENT_ID'] })

const clientSecret = textSuchAs('env:BANK_CLIENT_SECRET')

/** What an application has of its own in one place; what is left out is that of the application. */
const ownCredentials = z.strictObject({
  clientId: clientId.optional(),
  clientSecret: clientSecret.optional(),
  redirectUris: z.array(redirectUri).nonempty().optional(),
})

const applicationParts = z.strictObject({
  /** Your own label; reports and imported tokens use it. */
  name: textSuchAs('shop'),
  /** `FAC` uses its own data, `TPP` its customers' and creates a consent first (What the service does, 2). */
  kind: z.enum(['FAC', 'TPP']).optional(),
  clientId,
  /** Whether reports must not show the client id. */
  confidentialId: z.boolean().default(false),
  /** Best read with `env:NAME`. */
  clientSecret,
  /**
   * Where it is registered, with the credentials that differ there: `{ sandbox: {}, loans: { clientSecret } }`. Left out,
   * everywhere with the same.
   */
  environments: placesOf(ownCredentials, 'an application'),
  /** All that are registered for it at the bank: a check expects that any other one is refused. A second one makes more checks possible. */
  redirectUris: z
    .array(redirectUri)
    .default([])
    .meta({ examples: [[{ uri: 'https://client.example/callback' }]] }),
})

/** One with `environments: { loans: {} }` needs no kind and no redirect URI: no customer authorizes there. */
const application = applicationParts.superRefine(
  ({ environments, kind, redirectUris }, context) => {
    if (Object.keys(environments ?? {}).join() === 'loans') return
    const missing = { code: 'custom', message: 'needed for more than loans; received undefined' } as const
    if (kind === undefined) context.addIssue({ ...missing, path: ['kind'] })
    if (redirectUris instanceof Array && redirectUris.length === 0)
      context.addIssue({ ...missing, path: ['redirectUris'] })
  },
  { when: ({ value }) => isObject(value) }, // With all other problems.
)

const account = z.strictObject({
  /**
   * Its accountId, where it is known before any list has it: with that of an account without consent, its refusal is
   * judged by the id as well as by the IBAN.
   */
  accountId: z.string().min(1).optional(),
  /** In its electronic form, without blanks. */
  iban: iban.meta({ examples: ['SK2998010000002600001129'] }),
  /** `own`: held at the service's own bank; `other`: at another bank, whose data a refresh brings. */
  bank: z.enum(['own', 'other']).default('own'),
  /** Code of the other bank, as its accountEvents carry it, where it is known. */
  bankCode: z.string().min(1).optional(),
  /** Where it exists and has these transactions; left out, in each of the profile's `environments`. */
  environments: environments.optional(),
  /** What `{choice}` stands for in the check box of the account (`authorization.pages.*.tickAccounts`): the bank's own value. */
  choice: z.string().min(1).optional(),
  /** Whether the customer, following the recipe, consents to it. */
  consented: z.boolean().default(true),
  /** How many transactions it has, where that is known and does not change. */
  transactions: z.int().min(0).optional(),
})

const customer = z.strictObject({
  /**
   * Your own label; reports and imported tokens use it. Where it is the customer's name, no refusal may disclose it to
   * another one.
   */
  name: textSuchAs('first customer'),
  /** What a recipe types; left out where a person logs in, or where tokens are imported. Reports show it unless it is read with `env:NAME`. */
  username: textSuchAs('env:BANK_USERNAME').default(''),
  /** The same; best read with `env:NAME`. */
  password: textSuchAs('env:BANK_PASSWORD').default(''),
  /** What else a recipe types of this customer, such as a code of the sandbox: `{name}` → text; best read with `env:NAME`. */
  fields: z
    .record(
      z.string().regex(/^\w+$/, 'a field is named by letters, digits and underscores'),
      z.string().min(1),
    )
    .optional(),
  /**
   * `false`: the customer is known to have no account at all, so that an empty list of accounts is the whole answer. What needs an
   * account cannot be judged with this customer.
   */
  hasAccounts: z.boolean().optional(),
  /** The accounts that are known of this customer: what is known here can be judged, and no more. */
  accounts: z.array(account).default([]),
})

/** Notifications: where they are received, and what the target's owner has set for them. */
const webhooks = z.strictObject({
  /** The address on which the sink listens, behind `--webhook-url` where that is given; port 0 is a free one. */
  listen: part({
    host: z.string().min(1).default('127.0.0.1'),
    port: z.int().min(0).max(65_535).default(0),
  }),
  /** HTTPS: files with a certificate and its key (PEM). Left out, the sink speaks plain HTTP. */
  tls: z
    .strictObject({
      certificate: textSuchAs('sink.pem'),
      key: textSuchAs('sink-key.pem'),
    })
    .optional(),
  /** HTTPS with a certificate that the sink makes for the run, and writes into `--out` for the target to trust. */
  selfSigned: z.boolean().default(false),
  /** Applications whose settings already point at `--webhook-url`, for a target without `testHooks.configureWebhook`. */
  configured: z
    .array(
      z.strictObject({
        /** The name of one of `applications`. */
        application: textSuchAs('shop'),
        /** The Webhook Security Header that is set there; best read with `env:NAME`. */
        securityHeader: z.string().default(''),
      }),
    )
    .default([]),
  /** How long a delivery may take after the change, and the list of transactions after that, by the target's clock, in ms. */
  deliveryMs: bankTime.default(60_000),
  /**
   * How long a target whose clock was moved by `testHooks.advanceClock` may still take to make the calls that fell due, in
   * ms of the wall. It is given more once its calls have come later than that.
   */
  settleMs: milliseconds.default(2_000),
  /** How long a refresh may take until it is FINISHED, and then until its data is shown, by the target's clock, in ms. */
  refreshMs: bankTime.default(10 * 60_000),
})

const httpUrl = z.string().transform((text, context) => {
  const settled = settleBaseUrl(text)
  if ('url' in settled) return settled.url
  context.addIssue({ code: 'custom', message: settled.problem })
  return z.NEVER
})

export const profileSchema = z.strictObject({
  /** The target's name, as reports show it. Left out, it is the host of the base URL of the run, and the environment. */
  name: textSuchAs('Example Bank, sandbox').default(''),
  /** What interface.md writes {base_url}: http or https, without credentials, query and fragment. `--base-url` goes before it. */
  baseUrl: httpUrl.optional(),
  /** Which of the base paths is judged (Versioning, 2). `--environment` goes before it. */
  environment: environment.default('sandbox'),
  /** Where these credentials and customers hold; left out, in `environment` alone. With both, what keeps them apart is judged. */
  environments: environments.optional(),
  /** The time by which the bank lives: its days, its full hours, and the times of day in `payments`. */
  timeZone: timeZone.default('UTC'),
  /**
   * Further origins of the same bank, such as the host of its login pages or test hooks. Nothing is sent to any other. A
   * link to a next page may name one, such as that of a gateway: it is followed at the origin of the target itself.
   */
  origins: z.array(httpUrl).default([]),
  /**
   * The origin that the target writes into its addresses, where it is reached at another one, such as behind a gateway:
   * links, redirects and forms that lead there are followed at the base URL.
   */
  publicOrigin: httpUrl.optional().meta({ examples: ['https://api.bank.example'] }),
  /** Base paths of the account interface, by environment; `/` for none. */
  basePaths: basePathsLike('/premium/sandbox', '/premium/production'),
  /**
   * Base paths of the sandbox that do lie below a base path of production, such as `/api/test` below `/api`. Any other
   * sandbox address that is, or lies below, an address of production is refused: one wrong key must not be enough to act
   * in production. An address that is production's own is refused even here.
   */
  sandboxesBelowProduction: z.array(basePath).default([]),
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
  authorization,
  /**
   * How the bank answers a call of its API that it refuses: `json`, always in JSON; `page`, also with HTML pages. With
   * `json`, a page with 403 or 404 is that of a firewall, and no refusal. Left out, such a page counts where a refusal is
   * expected, and is inconclusive where none is.
   */
  refusals: z.enum(['json', 'page']).optional(),
  /**
   * Values that a success gives in a header instead of its body: `{ refresh: { taskId: { header: X-Task } } }`. The ids of
   * consents and loan applications are found in `Location` without it.
   */
  inHeaders: inHeaders.default({}),
  /** The scope of the account interface; a TPP's has a colon and the consentId behind it (Resources, Consent). */
  scopes: part({ accounts: z.string().min(1).default('PREMIUM_AIS') }),
  operations: operations.prefault({}),
  /** The second accounts variant; left out where the target does not offer it. */
  secondVariant: secondVariant.optional(),
  /** The payment API; left out where the target does not offer it. */
  payments: payments.optional(),
  /** The sandbox of the installment-loan API; left out where the target does not offer it. */
  loans: loans.optional(),
  webhooks: webhooks.prefault({}),
  /** What the target offers beyond the interface. */
  testHooks: testHooks.prefault({}),
  /** Effects that the target allows, by environment. `--allow` adds to them. */
  allow: part({
    sandbox: z.array(z.enum(EFFECTS)).default(['read', 'consent', 'notify', 'apply', 'pay']),
    production: z.array(z.enum(EFFECTS)).default(['read', 'consent']),
  }),
  /** How much the target may be asked in one run. */
  budget: budget.prefault({}),
  connection: connection.prefault({}),
  /** Headers sent with every request to the target, for a gateway. */
  headers: headers.default({}),
  deadlines: part({
    /** One request, from its first byte to the last of its response, in ms. */
    requestMs: milliseconds.default(15_000),
    /** The whole run, in ms; by default as long as its plan needs. */
    runMs: milliseconds.optional(),
    /**
     * How long a booking may take until the target shows it, by the target's clock, in ms. Without it, a booking that
     * is not shown is a violation only after a day, by a clock that can be moved.
     */
    currentMs: milliseconds.optional(),
  }),
  clock: part({
    /** How fast the target's clock runs, compared with the clock of this machine, if no test hook moves it. */
    speed: z.number().positive().max(1_000_000).default(1),
  }),
  /**
   * What becomes of the names, account numbers and texts of customers in everything that a run writes: `pseudonyms`, the
   * same for the same value, or `kept`. The checks judge what was sent and answered.
   */
  personalData: z.enum(['pseudonyms', 'kept']).default('pseudonyms'),
  /** The target's own names of JSON members with personal data → what they hold; common names are known. */
  personalMembers: z
    .record(z.string().min(1), z.enum(PERSONAL_KINDS))
    .default({})
    .meta({ examples: [{ verwendungszweck: 'text', meno: 'name' }] }),
  /** Requirements that do not apply to this target: id, chapter or facet → the reason, which the report shows. */
  notApplicable: z.record(z.string(), z.string().min(1)).default({}),
  /**
   * Keys of `payments.facts`, `payments.provocations` and `payments.rejectedAtSubmission` whose values are guesses: where
   * the target contradicts one, nothing is judged. All others are taken as true.
   */
  guesses: z
    .array(z.string())
    .default([])
    .meta({ examples: [['payments.facts.currencies']] }),
})

/** The origins that a link of the target may name. It is followed at the origin of the target itself. */
export const linkOrigins = ({
  origins,
  publicOrigin,
}: Pick<Profile, 'origins' | 'publicOrigin'>): readonly string[] =>
  publicOrigin === undefined ? origins : [...origins, publicOrigin]

/** A profile as its author writes it. */
export type ProfileInput = z.input<typeof profileSchema>
export type Profile = z.output<typeof profileSchema>
export type ApplicationProfile = Profile['applications'][number]
export type CustomerProfile = Profile['customers'][number]
export type AccountProfile = CustomerProfile['accounts'][number]
export type SecondVariant = NonNullable<Profile['secondVariant']>
