import {
  answering,
  on,
  parsedMembers,
  perBank,
  readingRequests,
  rewordingAnswers,
} from '../../shared/defect-wires.ts'
import type { Answer, Asked, Incoming, Reworded } from '../../shared/defect-wires.ts'
import type { Wire } from '../../../harness/bank/defect.ts'

/** Defects in how token requests are read, and in how they are answered, for which there is no rule. */

/** The loan sandbox has a token endpoint of its own. */
export const isTokenRequest = on('POST', /^(?!\/paylater\/).*\/auth\/oauth\/v2\/token$/)

/** A missing grant_type stands for a code exchange. */
const isRefresh = (form: URLSearchParams): boolean => form.get('grant_type') === 'refresh_token'

export interface IssuedTokens {
  readonly accessToken: unknown
  readonly refreshToken: string
  /** The Basic header of the request. */
  readonly authorization: string
}

/** What the bank has sent before. */
export interface Known {
  /** The codes that browsers were sent back with, in order. */
  readonly codes: readonly string[]
  readonly issued: readonly IssuedTokens[]
}

const codesIn = (response: Response): readonly string[] => {
  const location = response.headers.get('location') ?? ''
  const code = URL.canParse(location) ? new URL(location).searchParams.get('code') : null
  return code === null ? [] : [code]
}

const tokensIn = async (request: Request, response: Response): Promise<readonly IssuedTokens[]> => {
  const { access_token: accessToken, refresh_token: refreshToken } =
    parsedMembers(await response.clone().text()) ?? {}
  const authorization = request.headers.get('authorization')
  return accessToken === undefined || authorization === null
    ? []
    : [{ accessToken, refreshToken: String(refreshToken), authorization }]
}

const readingTokenRequests =
  (applies: (form: URLSearchParams) => boolean) =>
  (change: (request: Incoming, known: Known) => void): Wire =>
  (next) => {
    const codes: string[] = []
    const issued: IssuedTokens[] = []
    const read = readingRequests(isTokenRequest, (request) => {
      if (applies(request.form)) change(request, { codes, issued })
    })
    return read(async (request) => {
      const response = await next(request)
      if (isTokenRequest(request)) issued.push(...(await tokensIn(request, response)))
      else codes.push(...codesIn(response))
      return response
    })
  }

/** Changes what the bank reads of code exchanges. */
export const readingExchanges = readingTokenRequests((form) => !isRefresh(form))

/** Changes what the bank reads of refreshes. */
export const readingRefreshes = readingTokenRequests(isRefresh)

const refused = (): Response =>
  Response.json(
    { error: 'invalid_request', error_description: 'The request cannot be read.' },
    { status: 400, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } },
  )

/** Refuses some code exchanges, whatever else they say. */
export const refusingExchanges = (isRefused: (request: Incoming) => boolean): Wire =>
  answering(isTokenRequest, (request) =>
    !isRefresh(request.form) && isRefused(request) ? refused() : undefined,
  )

/** @param count how many such answers this bank has given, this one included. */
type Reword = (answer: Answer, asked: Asked, count: number) => Reworded | undefined

const rewording =
  (applies: (answer: Answer, form: URLSearchParams) => boolean) =>
  (reword: Reword): Wire =>
    perBank(() => {
      let count = 0
      return rewordingAnswers(isTokenRequest, (answer, asked) =>
        applies(answer, asked.form) ? reword(answer, asked, (count += 1)) : undefined,
      )
    })

/** Changes the answers to code exchanges that carry tokens. */
export const rewordingTokens = rewording(({ status }, form) => status === 200 && !isRefresh(form))

/** Changes the answers to refreshes that carry tokens. */
export const rewordingRenewals = rewording(({ status }, form) => status === 200 && isRefresh(form))

/** Changes the refusals of code exchanges. */
export const rewordingRefusals = rewording(({ status }, form) => status !== 200 && !isRefresh(form))
