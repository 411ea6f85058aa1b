import * as z from 'zod'
import { keep } from './authorization-keep.ts'
import { milliseconds } from './primitives.ts'

/** A person authorizes in a browser of their own: the terminal shows them the link. */
export const person = z.strictObject({
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
