import type { IncomingHttpHeaders } from 'node:http'

export interface Call {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

export interface Reply {
  status: number
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The member at a path of names; undefined if it does not exist. */
export function at(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((inner, name) => (isFields(inner) ? inner[name] : undefined), value)
}

export const record = (status: number, value: unknown): Reply => ({
  status,
  headers: { 'content-type': 'application/vnd.quay.v3+json;charset=UTF-8' },
  body: JSON.stringify(value, null, 1),
})

export const plainText = (status: number, text: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
  body: text,
})

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

export const page = (status: number, title: string, inner: string): Reply => ({
  status,
  headers: { 'content-type': 'text/html;charset=UTF-8', 'cache-control': 'no-store' },
  body: `<!DOCTYPE html><html lang="en"><title>${escaped(title)}</title><main><h2>${escaped(title)}</h2>${inner}</main></html>`,
})

export const unknownPath = (): Reply => plainText(404, 'the path is unknown\n')
