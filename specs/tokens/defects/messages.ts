/** Token requests and their answers, by what they ask for. */
import {
  answer,
  basicIn,
  read,
  refusal,
  when,
  type Incoming,
  type MessagePast,
} from '../../shared/changes.ts'
import type { Search } from './comparisons.ts'

type OfAForm = Pick<Incoming, 'form'>

/** A request without a grant_type is read as a code exchange. */
export const isRefresh = ({ form }: OfAForm): boolean => form.get('grant_type') === 'refresh_token'
export const isExchange = (asked: OfAForm): boolean => !isRefresh(asked)

type Change = Parameters<typeof answer>[1]
type Reading = Parameters<typeof read>[1]

/** Other answers to code exchanges that carry tokens. */
export const exchangeAnswer = (change: Change) => when(isExchange, answer('token', change))

/** Other answers to refreshes that carry tokens. */
export const renewalAnswer = (change: Change) => when(isRefresh, answer('token', change))

/** Other refusals of code exchanges. */
export const exchangeRefusal = (change: Change) => when(isExchange, refusal('token', change))

/** Another reading of code exchanges; the past has the codes that browsers were sent back with. */
export const readExchange = (change: Reading) => when(isExchange, read('token', change, 'login', 'authorize'))

/** Another reading of refreshes. */
export const readRefresh = (change: Reading) => when(isRefresh, read('token', change))

/** The codes that browsers were sent back with. */
export const sentCodes = ({ earlier }: MessagePast): readonly string[] =>
  earlier.flatMap(({ answer: { headers } }) => {
    const location = headers.get('location') ?? ''
    return URL.canParse(location) ? (new URL(location).searchParams.get('code') ?? []) : []
  })

/** The tokens that were issued before, with the credentials that they were issued for. */
export const sentTokens = ({ earlier }: MessagePast) =>
  earlier.flatMap(({ asked: { headers }, answer: { members } }) => {
    const [clientId, secret] = basicIn(headers)
    const { access_token: accessToken, refresh_token: refreshToken } = members
    return accessToken === undefined || clientId === ''
      ? []
      : [{ clientId, secret, accessToken: accessToken as string, refreshToken: refreshToken as string }]
  })

/** Which of the known values is read in the place of the given one; undefined if the given one is. */
type Meant = (given: string | null, known: readonly string[]) => string | undefined

/** Reads a value that is not known as a known one. */
export const unknown =
  (search: Search): Meant =>
  (given, known) =>
    given && !known.includes(given) ? search(given, known) : undefined

/** Reads the last known value where the parameter is missing (null) or empty. */
export const lastFor =
  (lacking: null | ''): Meant =>
  (given, known) =>
    given === lacking ? known.at(-1) : undefined

/** Another reading of a parameter, of which the bank knows these values. */
export const readParameter = (
  name: string,
  known: (past: MessagePast) => readonly string[],
  meant: Meant,
): ReturnType<typeof read> =>
  read(
    'token',
    ({ form }, past) => {
      const value = meant(form.get(name), known(past))
      if (value !== undefined) form.set(name, value)
    },
    'login',
    'authorize',
  )
