import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'

/** What all operations read and write alike. */

/** The origin that the bank writes into every address, wherever it is reached. */
const ORIGIN = 'https://api.ferry.example'

export const addressOf = (path: string): string => `${ORIGIN}${path}`

export const randomText = (): string => randomBytes(24).toString('base64url')

export const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())

export const refused = (context: Context, status: ContentfulStatusCode, why: string): Response =>
  context.json({ refused: why }, status)

/** The answer to a known path with another method. */
export const only =
  (method: string) =>
  (context: Context): Response => {
    context.header('allow', method)
    return refused(context, 405, `only ${method} is known here`)
  }

/** The body, where it is JSON of this form; otherwise undefined. */
export async function bodyOf<Body>(context: Context, form: z.ZodType<Body>): Promise<Body | undefined> {
  try {
    return form.safeParse(await context.req.json()).data
  } catch {
    return undefined
  }
}

export interface Parameters {
  values: Map<string, string>
  /** The names that occur more than once. */
  repeated: Set<string>
}

/** Form-encoded parameters; one without a value counts as left out, as OAuth has it. */
export function parametersOf(encoded: string): Parameters {
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  for (const [name, value] of new URLSearchParams(encoded)) {
    if (value === '') continue
    if (values.has(name)) repeated.add(name)
    else values.set(name, value)
  }
  return { values, repeated }
}

/** The parameters of a form in the body; undefined where the body is something else. */
export async function formOf(context: Context): Promise<Parameters | undefined> {
  const isForm = /^application\/x-www-form-urlencoded *(;|$)/i.test(context.req.header('content-type') ?? '')
  return isForm ? parametersOf(await context.req.text()) : undefined
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** A page in HTML. */
export const page = (status: number, title: string, inner: string): Response =>
  new Response(
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>` +
      `<body><main><h1>${escaped(title)}</h1>${inner}</main></body></html>`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=UTF-8',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
      },
    },
  )

export const redirected = (address: string): Response =>
  new Response(null, { status: 303, headers: { location: address, 'cache-control': 'no-store' } })
