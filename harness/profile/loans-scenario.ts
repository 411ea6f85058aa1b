import * as z from 'zod'
import { dotted, method, path, selector } from './primitives.ts'

/** How the caller selects one of the four scenarios of an application. */

const json = z.record(z.string(), z.unknown())

export const applicationPath = path.refine(
  (text) => text.includes('{application-id}'),
  'the path names the application as {application-id}',
)

const passesScenarioOn = (value: unknown): boolean => JSON.stringify(value).includes('{scenario}')

const NAMING = 'the body passes {scenario} on'

/** The target's words for the scenarios. */
const values = z
  .strictObject({
    cancelled: z.string().min(1).default('CANCELLED'),
    expired: z.string().min(1).default('EXPIRED'),
    nonClient: z.string().min(1).default('NON_CLIENT'),
    client: z.string().min(1).default('CLIENT'),
  })
  .prefault({})

/** One page, and what is done on it. Selectors are CSS; `{scenario}` stands for the target's word. */
const page = z.strictObject({
  /** The page is recognised by this element. */
  when: selector.meta({ examples: ['button[name=scenario]'] }),
  /** What is typed or chosen: selector → text. */
  fill: z.record(selector, z.string()).default({}),
  /** Check boxes and radio buttons that are ticked: all that each selector finds. */
  tick: z.array(selector).optional(),
  /** The button that is pressed; its form is sent with the button's name and value. */
  press: selector.meta({ examples: ['button[name=scenario][value="{scenario}"]'] }),
})

export const loanScenario = z.discriminatedUnion('kind', [
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
      .refine(passesScenarioOn, 'a page passes {scenario} on')
      .default([
        { when: 'button[name=scenario]', fill: {}, press: 'button[name=scenario][value="{scenario}"]' },
      ]),
    /** How many pages and redirects one selection may take. */
    limit: z.int().min(2).max(1000).default(20),
  }),
  /** With a call of its own. */
  z.strictObject({
    kind: z.literal('call'),
    values,
    method: method.default('PUT'),
    path: applicationPath.default('/v1/applications/{application-id}/scenario'),
    /** Sent as JSON. */
    body: json.refine(passesScenarioOn, NAMING).default({ scenario: '{scenario}' }),
  }),
  /** With the submission itself. */
  z.strictObject({
    kind: z.literal('parameter'),
    values,
    /** Merged over the body of the submission (RFC 7396). */
    patch: json.refine(passesScenarioOn, NAMING).default({ scenario: '{scenario}' }),
  }),
])
