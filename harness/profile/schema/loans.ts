import * as z from 'zod'
import { passesOnAmount } from '../template.ts'
import { page as customerPage } from './authorization.ts'
import {
  actingApplications,
  basePath,
  dotted,
  places,
  headerName,
  jsonObject,
  method,
  bankTime,
  milliseconds,
  path,
  part,
  textSuchAs,
} from './primitives.ts'

/**
 * The sandbox of the installment-loan API: what its Endpoints and Resources leave "not shown". It has one environment,
 * and so one base path.
 */

const passesOn =
  (...names: readonly string[]) =>
  (body: unknown): boolean =>
    body !== undefined && names.every((name) => JSON.stringify(body).includes(`{${name}}`))

const applicationPath = path.refine(
  (text) => text.includes('{application-id}'),
  'the path names the application as {application-id}',
)

/** The target's words for the scenarios. */
const values = part({
  cancelled: z.string().min(1).default('CANCELLED'),
  expired: z.string().min(1).default('EXPIRED'),
  nonClient: z.string().min(1).default('NON_CLIENT'),
  client: z.string().min(1).default('CLIENT'),
})

/** One page, and what is done on it; `{scenario}` stands for the target's word. */
const page = customerPage.pick({ when: true, fill: true, tick: true, press: true })

/** How the caller selects one of the four scenarios of an application. */
const loanScenario = z.discriminatedUnion('kind', [
  /** On pages, behind a link in the answer to the submission. */
  z.strictObject({
    kind: z.literal('page'),
    values,
    /** Where the answer to the submission has the address of the first page. */
    link: dotted.default('applicationProcessUrl'),
    /** In any order: each page that comes is looked up here. */
    pages: z
      .array(page)
      .nonempty()
      .refine(passesOn('scenario'), 'a page passes {scenario} on')
      .default([
        { when: 'button[name=scenario]', fill: {}, press: 'button[name=scenario][value="{scenario}"]' },
      ]),
    /** How many pages and redirects one selection may take. */
    limit: z.int().min(2).max(1000).default(20),
  }),
  /** With a call of its own. `{scenario}` stands for the target's word in path, query, form or body. */
  z
    .strictObject({
      kind: z.literal('call'),
      values,
      method: method.default('PUT'),
      path: applicationPath.default('/v1/applications/{application-id}/scenario'),
      /** Where the answer to the submission has the address of the call, which then takes the place of `path`. */
      link: dotted.optional().meta({ examples: ['_links.scenario.href'] }),
      /** Where that answer has the method of the call, which then takes the place of `method`. */
      methodIn: dotted.optional().meta({ examples: ['_links.scenario.method'] }),
      query: z.record(z.string(), z.string()).default({}),
      /** Sent as a form (application/x-www-form-urlencoded). */
      form: z.record(z.string(), z.string()).optional(),
      /** Sent as JSON. Left out, it is `{ scenario: '{scenario}' }` where nothing else passes the scenario on. */
      body: jsonObject.optional(),
    })
    .refine(({ form, body }) => form === undefined || body === undefined, {
      message: 'a call has a form or a body, not both',
      path: ['form'],
    })
    .refine(
      ({ path: at, query, form, body }) =>
        (body === undefined && form === undefined) || [at, query, form, body].some(passesOn('scenario')),
      { message: 'the body, the form, the query or the path passes {scenario} on', path: ['body'] },
    ),
  /** With the submission itself. */
  z.strictObject({
    kind: z.literal('parameter'),
    values,
    /** Merged over the body of the submission (RFC 7396). */
    patch: jsonObject
      .refine(passesOn('scenario'), 'the body passes {scenario} on')
      .default({ scenario: '{scenario}' }),
  }),
])

type ScenarioCall = Extract<z.output<typeof loanScenario>, { kind: 'call' }>

/** The JSON that the call sends; undefined if it has none. */
export const bodyOfCall = ({ path: at, query, form, body }: Omit<ScenarioCall, 'kind'>): unknown => {
  if (body !== undefined || form !== undefined) return body
  return [at, query].some(passesOn('scenario')) ? undefined : { scenario: '{scenario}' }
}

const token = z.strictObject({
  path: path.default('/auth/oauth/v2/token'),
  form: z.record(z.string(), z.string()).default({ grant_type: 'client_credentials', scope: 'PAY_LATER' }),
  /** `form`: client id and secret stand in client_id and client_secret. `basic`: in the Authorization header. */
  credentials: z.enum(['form', 'basic']).default('form'),
})

/** How a positive result is distinguished from a negative one. */
const positive = z.discriminatedUnion('kind', [
  /** A positive result has the HTTP status of a success, a negative one that of an error of the client. */
  z.strictObject({ kind: z.literal('status') }),
  /** A member of the answer has one of these values. */
  z.strictObject({
    kind: z.literal('member'),
    member: dotted.meta({ examples: ['result'] }),
    values: z
      .array(z.union([z.string(), z.boolean(), z.number()]))
      .nonempty()
      .meta({ examples: [['POSITIVE']] }),
  }),
  /** A list of the answer has an offer at least; `$` where the list is the answer itself. */
  z.strictObject({ kind: z.literal('list'), list: dotted.meta({ examples: ['offers'] }) }),
])

/** Where a negative result says why, and in which words. */
const causes = z.strictObject({
  member: dotted.default('errorCode'),
  tooLow: textSuchAs('LOAN_AMNT_LOW'),
  tooHigh: textSuchAs('LOAN_AMNT_HIGH'),
  insufficient: textSuchAs('INSUFFICIENT_CAPACITY'),
})

/** PUT /v1/applications/precalculation. */
const precalculation = z.strictObject({
  path: path.default('/v1/applications/precalculation'),
  /** Sent as JSON. `{amount}` alone becomes a number; `{amountMinor}` is the same in cents, and both can be texts. */
  body: jsonObject
    .refine((body) => passesOnAmount(body), 'the body passes {amount} on')
    .default({ loanAmount: '{amount}' }),
  /** Merged over the body (RFC 7396) where income, expenses and children are written; income and expenses in the forms of an amount. */
  capacity: jsonObject
    .refine(
      (body) =>
        ['income', 'expenses'].every((name) => passesOnAmount(body, name)) && passesOn('children')(body),
      'the body passes {income}, {expenses} and {children} on',
    )
    .default({
      capacityInfo: {
        monthlyIncome: '{income}',
        monthlyExpenses: '{expenses}',
        numberOfChildren: '{children}',
      },
    }),
  positive: positive.prefault({ kind: 'status' }),
  /** Left out, it is not judged what a negative result says of its cause. */
  cause: causes.optional(),
})

/** The installment-loan API; left out where the target does not offer it. */
export const loans = z.strictObject({
  /** The names of those of `applications` that ask for loans; the first one, if it is left out. */
  applications: actingApplications,
  /** `/` for none. */
  basePath: basePath.prefault('/paylater/sandbox'),
  /** The header that carries a new id with each request. */
  requestIdHeader: headerName.default('X-Request-ID'),
  /** Whether a submission that arrives again unchanged files one application; the same as in `payments`. */
  idempotent: z.boolean().default(false),
  token: token.prefault({}),
  precalculation: precalculation.prefault({}),
  /** POST /v1/applications. */
  submission: part({
    path: path.default('/v1/applications'),
    /** Sent as JSON. `{amount}` alone becomes a number; each application has an `{orderNo}` of its own. */
    body: jsonObject
      .refine((body) => passesOnAmount(body), 'the body passes {amount} on')
      .default({ financeApplication: { order: { orderNo: '{orderNo}', totalAmount: '{amount}' } } }),
    /** Where the answer has the application-id. */
    id: dotted.default('applicationId'),
  }),
  scenario: loanScenario.prefault({ kind: 'page' }),
  /** GET /v1/applications/{application-id}/status. */
  status: part({
    path: applicationPath.default('/v1/applications/{application-id}/status'),
    /** Where the answer has the status. */
    status: dotted.default('applicationStatus'),
    /** Where the answer has its result code; left out, it may be the value of any member. */
    code: dotted.optional(),
  }),
  /** DELETE /v1/applications/{application-id}. */
  cancellation: part({ path: applicationPath.default('/v1/applications/{application-id}') }),
  /** Where a refusal has its result code: NOT_ALLOWED_OPER, APP_NOT_FOUND. A list, where the operations differ. */
  errorCode: places.default('errorCode').meta({ examples: [['errorCode', 'fault.code']] }),
  /** How the status changes by itself: about every so many ms, by the target's clock. */
  timing: z
    .strictObject({
      intervalMs: bankTime.default(180_000),
      /** How much earlier or later a change may come. */
      toleranceMs: milliseconds.default(60_000),
      /** Whether all applications move at the same times: then the first move comes at any time within an interval. */
      ticks: z.boolean().default(false),
    })
    .refine(
      ({ intervalMs, toleranceMs }) => toleranceMs < intervalMs,
      'the tolerance is shorter than the interval',
    )
    .prefault({}),
})

export type LoansProfile = z.output<typeof loans>
