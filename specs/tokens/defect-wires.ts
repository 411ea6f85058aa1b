import type { Wire } from '../../harness/bank/defect.ts'

/** How a bank can read code exchanges wrongly, and word its answers to them, without a rule of its own for it. */

/** A code exchange on its way to the bank. */
export interface CodeExchange {
  readonly form: URLSearchParams
  readonly headers: Headers
}

/** What has passed before. */
export interface Known {
  /** The codes that browsers were sent back with, in order. */
  readonly codes: readonly string[]
  /** The Basic headers that were good for tokens. */
  readonly authorizations: readonly string[]
}

/** The loan sandbox has a token endpoint of its own. */
export const isTokenEndpoint = ({ url }: Request): boolean =>
  /^(?!\/paylater\/).*\/auth\/oauth\/v2\/token$/.test(new URL(url).pathname)

const formIn = async (request: Request): Promise<URLSearchParams | undefined> =>
  request.method === 'POST' && isTokenEndpoint(request)
    ? new URLSearchParams(await request.clone().text())
    : undefined

const isRefresh = (form: URLSearchParams): boolean => form.get('grant_type') === 'refresh_token'

/** The form of a code exchange; nothing for any other request. A missing grant_type stands for this one. */
const exchangeIn = async (request: Request): Promise<URLSearchParams | undefined> => {
  const form = await formIn(request)
  return form === undefined || isRefresh(form) ? undefined : form
}

const refreshIn = async (request: Request): Promise<URLSearchParams | undefined> => {
  const form = await formIn(request)
  return form !== undefined && isRefresh(form) ? form : undefined
}

const codeIn = (response: Response): readonly string[] => {
  const location = response.headers.get('location') ?? ''
  const code = URL.canParse(location) ? new URL(location).searchParams.get('code') : null
  return code === null ? [] : [code]
}

const carriesToken = async (response: Response): Promise<boolean> =>
  (await response.clone().text()).includes('"access_token"')

/** Alters a code exchange before the bank sees it, in the light of what has passed. */
export const readingExchanges =
  (alter: (exchange: CodeExchange, known: Known) => void): Wire =>
  (next) => {
    const codes: string[] = []
    const authorizations: string[] = []
    return async (request) => {
      const form = await exchangeIn(request)
      if (form === undefined) {
        const response = await next(request)
        codes.push(...codeIn(response))
        return response
      }
      const headers = new Headers(request.headers)
      alter({ form, headers }, { codes, authorizations })
      headers.delete('content-length')
      const response = await next(
        new Request(request.url, { method: 'POST', headers, body: form.toString() }),
      )
      const authorization = headers.get('authorization')
      if (authorization !== null && (await carriesToken(response))) authorizations.push(authorization)
      return response
    }
  }

/** The two halves of a Basic header. */
export const pairOf = (authorization: string | null): readonly [clientId: string, secret: string] => {
  const pair = Buffer.from((authorization ?? '').replace(/^Basic /, ''), 'base64').toString()
  const colon = pair.indexOf(':')
  return [pair.slice(0, colon), pair.slice(colon + 1)]
}

const refused = (): Response =>
  Response.json(
    { error: 'invalid_request', error_description: 'The request cannot be read.' },
    { status: 400, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } },
  )

/** Refuses the code exchanges that are such, whatever else they are. */
export const refusingExchanges =
  (isRefused: (form: URLSearchParams, body: string, request: Request) => boolean): Wire =>
  (next) =>
  async (request) => {
    const form = await exchangeIn(request)
    if (form === undefined) return next(request)
    return isRefused(form, await request.clone().text(), request) ? refused() : next(request)
  }

/** An answer to a code exchange, on its way back. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** What was asked, and the how manieth such question of this bank it was. */
export interface Asked extends CodeExchange {
  readonly count: number
}

type Reword = (answer: Answer, asked: Asked) => Partial<Pick<Answer, 'status' | 'text'>>

type FormOf = (request: Request) => Promise<URLSearchParams | undefined>

const rewording =
  (applies: (response: Response) => boolean, formOf: FormOf = exchangeIn) =>
  (reword: Reword): Wire =>
  (next) => {
    let count = 0
    return async (request) => {
      const form = await formOf(request)
      const response = await next(request)
      if (form === undefined || !applies(response)) return response
      count += 1
      const headers = new Headers(response.headers)
      const answer = { status: response.status, text: await response.text(), headers }
      const { status, text } = { ...answer, ...reword(answer, { form, headers: request.headers, count }) }
      headers.delete('content-length')
      return new Response(text, { status, headers })
    }
  }

/** Rewords the answers that carry tokens. */
export const rewordingTokens = rewording(({ status }) => status === 200)

/** Rewords the answers to refreshes that carry tokens. */
export const rewordingRenewals = rewording(({ status }) => status === 200, refreshIn)

/** Rewords the answers that refuse. */
export const rewordingRefusals = rewording(({ status }) => status !== 200)

/** Whether a TPP asks. */
export const isOfATpp = (form: URLSearchParams): boolean => form.get('scope')?.includes(':') ?? false
