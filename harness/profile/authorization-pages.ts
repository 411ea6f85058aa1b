import * as z from 'zod'
import { keep } from './authorization-keep.ts'
import { selector } from './primitives.ts'

/** One page that the customer sees, and what is done on it. Selectors are CSS. */
const page = z.strictObject({
  /** The page is recognised by this element. */
  when: selector.meta({ examples: ['input[name=username]'] }),
  /** What is typed: selector → text; `{username}`, `{password}` and the customer's own `fields` are put in. */
  fill: z.record(selector, z.string()).default({}),
  /** Check boxes and radio buttons that are ticked when the customer agrees: all that each selector finds. */
  tick: z.array(selector).optional(),
  /** Those that are ticked when the customer refuses; where no `refuse` is on the page, `press` is pressed then. */
  tickToRefuse: z.array(selector).nonempty().optional(),
  /** The button that is pressed when the customer agrees; its form is sent with the button's name and value. */
  press: selector.meta({ examples: ['button[type=submit]'] }),
  /** The button that is pressed when the customer refuses; without it, and without `tickToRefuse`, the page is passed either way. */
  refuse: selector.optional(),
})

/** Whether a customer on this page can refuse. */
export const hasRefusal = ({ refuse, tickToRefuse }: z.output<typeof page>): boolean =>
  refuse !== undefined || tickToRefuse !== undefined

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
export const pages = z.strictObject({ kind: z.literal('pages'), ...recipe, keep: keep.optional() })

/** The part of a way that a program follows as the customer. */
export type PageRecipe = Pick<z.output<typeof pages>, keyof typeof recipe>
