import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { APPLICATIONS, type Application } from './seed-data.ts'

/** What all addresses of the bank share: reading a request, and the forms of its answers. */

export interface Served {
  Bindings: HttpBindings
  Variables: { application: Application }
}
export type Call = Context<Served>
export type Html = ReturnType<typeof html>

export const randomToken = (): string => randomBytes(32).toString('base64url')
export const randomId = (): string => randomBytes(16).toString('hex')

export const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())

/** The application that HTTP Basic names; undefined if it is unknown or its secret is wrong. */
export function basicApplication(call: Call): Application | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(call.req.header('authorization') ?? '')?.[1] ?? ''
  const pair = Buffer.from(encoded, 'base64')
  if (pair.toString('base64') !== encoded) return undefined
  return APPLICATIONS.find(({ id, secret }) => sameText(pair.toString('utf8'), `${id}:${secret}`))
}

export const BASIC = { 'WWW-Authenticate': 'Basic realm="lock", charset="UTF-8"' }

/** The bank as this request has reached it. */
export const originOf = (call: Call): string => `http://${call.req.header('host') ?? ''}`

export const bodyOf = async (call: Call): Promise<Buffer> => Buffer.from(await call.req.arrayBuffer())

/** The JSON value of a body; undefined if it is none, or not in UTF-8. */
export async function jsonOf(call: Call): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await bodyOf(call)))
  } catch {
    return undefined
  }
}

export const queryOf = (call: Call): URLSearchParams => new URL(call.req.url).searchParams

export const isForm = (call: Call): boolean =>
  /^application\/x-www-form-urlencoded *(?:;|$)/i.test(call.req.header('content-type') ?? '')

export const formOf = async (call: Call): Promise<URLSearchParams> =>
  new URLSearchParams((await bodyOf(call)).toString('utf8'))

/** The names that occur more than once. */
export const repeated = (values: URLSearchParams, names: string[]): string[] =>
  names.filter((name) => values.getAll(name).length > 1)

export const fault = (
  call: Call,
  status: ContentfulStatusCode,
  code: string,
  text: string,
  headers: Record<string, string> = {},
): Response => call.json({ fault: { code, text } }, status, headers)

/** The answer for the methods that an address does not have. */
export const only =
  (methods: string) =>
  (call: Call): Response =>
    fault(call, 405, 'method', `Only ${methods} is possible here.`, { Allow: methods })

export const page = async (
  call: Call,
  status: ContentfulStatusCode,
  title: string,
  inner: Html,
  headers: Record<string, string> = {},
): Promise<Response> =>
  call.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>${title}</title>
        </head>
        <body>
          <main>
            <h1>${title}</h1>
            ${inner}
          </main>
        </body>
      </html>`,
    status,
    headers,
  )

/** Sends the browser on; what an address has in its query already stays as it is. */
export function leave(call: Call, address: string, more: Record<string, string | undefined> = {}): Response {
  const added = Object.entries(more).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const query = new URLSearchParams(added).toString()
  return call.redirect(query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`, 303)
}
