/** Parses requests and writes answers. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

export interface Call {
  readonly method: string
  /** Without the base path. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

export const json = (status: number, value: unknown, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'CONTENT-TYPE': 'application/json;charset=UTF-8', ...headers },
  body: `${JSON.stringify(value, undefined, 1)}\n`,
})

/** A refusal of the data operations. */
export const fault = (status: number, kind: string, text: string, headers: Answer['headers'] = {}): Answer =>
  json(status, { fault: { kind, text, severity: 4 } }, headers)

export const page = (
  status: number,
  title: string,
  inner: string,
  headers: Answer['headers'] = {},
): Answer => ({
  status,
  headers: { 'CONTENT-TYPE': 'text/html; charset=utf-8', 'CACHE-CONTROL': 'no-store', ...headers },
  body: `<!DOCTYPE html>\n<HTML lang=en><HEAD><TITLE>${title}</TITLE></HEAD><BODY class=saltmarsh>\n<H1>${title}</H1>\n${inner}\n</BODY></HTML>\n`,
})

export const redirect = (location: string, headers: Answer['headers'] = {}): Answer => ({
  status: 303,
  headers: { LOCATION: location, 'CACHE-CONTROL': 'no-store', ...headers },
  body: '',
})

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0) ?? 0};`)

/** The fields of a form or query. An empty value counts as absent; `twice` says whether a name is repeated. */
export const fieldsOf = (parameters: URLSearchParams): { fields: Map<string, string>; twice: boolean } => {
  const fields = new Map<string, string>()
  let twice = false
  for (const [name, value] of parameters) {
    twice ||= fields.has(name)
    if (value !== '') fields.set(name, value)
  }
  return { fields, twice }
}

/** The JSON object of a text; undefined for anything else. */
export const objectOf = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

export const send = (response: ServerResponse, answer: Answer): void => {
  response.writeHead(answer.status, { ...answer.headers, SERVER: 'saltmarsh' })
  response.end(answer.body)
}
