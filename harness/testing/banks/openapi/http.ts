import { createHash, timingSafeEqual } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { type Context, type Handler, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { APPLICATIONS, type Application } from './seed.ts'

/** An answer other than the one that was asked for. */
export class Refusal extends Error {
  constructor(
    readonly status: ContentfulStatusCode,
    readonly contentType: string,
    readonly body: Record<string, unknown>,
    readonly headers: Record<string, string> = {},
  ) {
    super(JSON.stringify(body))
  }
}

/** A problem document (RFC 9457) with a code of the bank. */
export const problem = (
  status: ContentfulStatusCode,
  code: string,
  detail: string,
  headers: Record<string, string> = {},
): Refusal =>
  new Refusal(
    status,
    'application/problem+json',
    { title: STATUS_CODES[status], status, code, detail },
    headers,
  )

const realm = 'realm="Veranda Bank"'

/** The answer to a call whose application is unknown or whose secret is wrong. */
export const BASIC_CHALLENGE = { 'www-authenticate': `Basic ${realm}, charset="UTF-8"` }

export const bearerChallenge = (error?: string): Record<string, string> => ({
  'www-authenticate': `Bearer ${realm}${error === undefined ? '' : `, error="${error}"`}`,
})

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares in a time that does not depend on the texts. */
export const sameText = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

/** The application of an HTTP Basic header; undefined if it is unknown or its secret is wrong. */
export function basicApplication(c: Context): Application | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  const application = APPLICATIONS.find(({ id }) => id === pair.slice(0, Math.max(colon, 0)))
  return application !== undefined && sameText(pair.slice(colon + 1), application.secret)
    ? application
    : undefined
}

/** The parameters that have a value, and the names that came more than once. */
export function parametersOf(search: URLSearchParams): {
  values: Map<string, string>
  repeated: Set<string>
} {
  const given = [...search].filter(([, value]) => value !== '')
  const names = given.map(([name]) => name)
  return {
    values: new Map(given),
    repeated: new Set(names.filter((name, index) => names.indexOf(name) !== index)),
  }
}

export const queryOf = (c: Context): URLSearchParams => new URL(c.req.url).searchParams

/** The value in the form of the schema; refused with 400 if it has another form. */
export function conforming<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw problem(400, 'FORMAT_ERROR', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}

export async function jsonBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw problem(415, 'MEDIA_TYPE_UNSUPPORTED', 'The body must be application/json.')
  }
  const text = await c.req.text()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw problem(400, 'FORMAT_ERROR', 'The body is not JSON.')
  }
  return conforming(schema, value)
}

/** Serves a table of operations and refuses the other methods of their paths. */
export function operations(rows: [method: string, path: string, handler: Handler][]): Hono {
  const app = new Hono()
  for (const [method, path, handler] of rows) app.on(method, path, handler)
  for (const path of new Set(rows.map(([, path]) => path))) {
    const allow = rows.filter((row) => row[1] === path).map(([method]) => method)
    app.all(path, () => {
      throw problem(405, 'METHOD_NOT_ALLOWED', `Use ${allow.join(' or ')}.`, { allow: allow.join(', ') })
    })
  }
  return app
}
