import * as z from 'zod'
import { keep } from './authorization-keep.ts'
import { recipe } from './authorization-pages.ts'
import { milliseconds } from './primitives.ts'

/** Pages that need scripts: a Chromium that is installed on this machine opens them, and does what the recipe says. */
export const browser = z.strictObject({
  kind: z.literal('browser'),
  ...recipe,
  /** The program; left out, CHROMIUM_PATH of the environment holds, and then the usual names are looked for. */
  executable: z
    .string()
    .min(1)
    .optional()
    .meta({ examples: ['/usr/bin/chromium'] }),
  /** `false` shows the window, on a machine that has a screen. */
  headless: z.boolean().default(true),
  /** How long a page that loads nothing more may still take to show what the recipe knows, in ms. */
  settleMs: milliseconds.default(2_000),
  keep: keep.optional(),
})

export type BrowserProfile = z.output<typeof browser>
