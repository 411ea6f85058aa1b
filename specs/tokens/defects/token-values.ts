import { alter, defectsOf, isOfAFac, isOfATpp, when, type Call, type FactsOf } from '../../shared/changes.ts'
import { TOK } from '../requirements.ts'

/** Tokens that repeat, that can be guessed from each other, or that are too short. */

type Issue = FactsOf<'newAccessToken'>
const isOfAnExchange = ({ grantType }: Issue): boolean => grantType !== 'refresh_token'

/** Makes the token of a code exchange by its number, from 1, and the earlier ones; undefined for the conforming one. */
type Shape = (count: number, facts: Issue, earlier: readonly string[]) => string | undefined

const given = (
  calls: readonly Call<'newAccessToken' | 'newRefreshToken'>[],
  facts: Issue,
): readonly string[] =>
  calls
    .filter((call) => isOfAnExchange(call.facts) && call.facts.client.kind === facts.client.kind)
    .map(({ answer }) => answer)

/** Other tokens of code exchanges; those of refreshes stay as they are. */
const accessToken = (shape: Shape) =>
  when(
    isOfAnExchange,
    alter({
      newAccessToken: (usual, facts, { calls, of }) =>
        shape(calls, facts, given(of('newAccessToken'), facts)) ?? usual,
    }),
  )
const refreshToken = (shape: Shape) =>
  when(
    isOfAnExchange,
    alter({
      newRefreshToken: (usual, facts, { calls, of }) =>
        shape(calls, facts, given(of('newRefreshToken'), facts)) ?? usual,
    }),
  )

const random = (alphabet: string, length: number): string =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(length)),
    (byte) => alphabet[byte % alphabet.length] ?? '',
  ).join('')

const DIGITS = '0123456789'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const [START, STEP] = [48, 40].map((digits) => BigInt(`0x${random('123456789abcdef', digits)}`)) as [
  bigint,
  bigint,
]

const numbered = (count: number): string => String(count).padStart(40, '0')

/** Every third token is the first one. */
const recurring: Shape = (count, _, earlier) => (count % 3 === 1 ? earlier[0] : undefined)

export const tokenValueDefects = [
  ...defectsOf([TOK.accessTokensAreDistinct], {
    'Every third grant gives an access token that was given before': accessToken(recurring),
    'The grants of a TPP give two access tokens in turn': when(
      isOfATpp,
      accessToken((_, __, earlier) => earlier.at(-2)),
    ),
  }),
  ...defectsOf([TOK.refreshTokensAreDistinct], {
    'Every third grant gives a refresh token that was given before': refreshToken(recurring),
  }),
  ...defectsOf([TOK.tokensDoNotFollowFromEachOther], {
    'Access tokens are numbers that grow by one, with leading zeros': accessToken(numbered),
    'The refresh tokens of a FAC are numbers that grow by one, in base64': when(
      isOfAFac,
      refreshToken((count) => Buffer.from(`refresh:${numbered(count)}`).toString('base64url')),
    ),
    'The access tokens of a FAC are the time of their issue, between two constants': when(
      isOfAFac,
      accessToken((count, { now }) => `AT${now.getTime()}${String(count).padStart(6, '0')}${'x'.repeat(24)}`),
    ),
    'Each access token of a TPP is the one before plus a secret constant': when(
      isOfATpp,
      accessToken((count) => (START + BigInt(count) * STEP).toString(16)),
    ),
  }),
  ...defectsOf([TOK.tokensHaveRoomFor128Bits], {
    'The access tokens of a TPP have 22 decimal digits': when(
      isOfATpp,
      accessToken(() => `1${random(DIGITS, 21)}`),
    ),
    'The refresh token of a TPP has 20 letters': when(
      isOfATpp,
      refreshToken(() => random(LETTERS, 20)),
    ),
    'The refresh tokens of a FAC have 31 hexadecimal digits': when(
      isOfAFac,
      refreshToken(() => random('0123456789abcdef', 31)),
    ),
  }),
]
