import { breaking } from '../../shared/defects.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { TOK } from '../requirements.ts'

/** Tokens that repeat, that can be guessed from each other, or that are too short. */

type Facts = Parameters<Rules['newAccessToken']>[0]
/** Makes the token of the grant with that number; `lawful` makes one as a bank should. */
type Shape = (count: number, facts: Facts, lawful: () => string | Promise<string>) => string | Promise<string>

/** Replaces the tokens of code exchanges; those of refreshes stay as they are. A shape is made for each bank. */
const shaping =
  (shapes: { readonly access?: () => Shape; readonly refresh?: () => Shape }): RuleChange =>
  (lawful) => {
    const [access, refresh] = [shapes.access?.(), shapes.refresh?.()]
    const counts = { access: 0, refresh: 0 }
    return {
      newAccessToken: (facts) =>
        access === undefined || facts.grantType === 'refresh_token'
          ? lawful.newAccessToken(facts)
          : access((counts.access += 1), facts, () => lawful.newAccessToken(facts)),
      newRefreshToken: (facts) =>
        refresh === undefined || facts.grantType === 'refresh_token'
          ? lawful.newRefreshToken(facts)
          : refresh((counts.refresh += 1), facts, () => lawful.newRefreshToken(facts)),
    }
  }

/** Replaces the tokens of one kind of client only. */
const forA = (kind: Facts['client']['kind'], shape: () => Shape) => (): Shape => {
  const make = shape()
  return (count, facts, lawful) => (facts.client.kind === kind ? make(count, facts, lawful) : lawful())
}

const random = (alphabet: string, length: number): string =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(length)),
    (byte) => alphabet[byte % alphabet.length] ?? '',
  ).join('')

const DIGITS = '0123456789'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const numbered = (count: number): string => String(count).padStart(40, '0')

/** Every third token is the first one. */
const recurring = (): Shape => {
  let first: string | undefined
  return async (count, _, lawful) => {
    if (count % 3 === 1 && first !== undefined) return first
    const token = await lawful()
    first ??= token
    return token
  }
}

/** Two tokens in turn. */
const alternating = (): Shape => {
  const given: string[] = []
  return async (_, __, lawful) => {
    const token = given.at(-2) ?? (await lawful())
    given.push(token)
    return token
  }
}

const steps = (): Shape => {
  const start = BigInt(`0x${random('123456789abcdef', 48)}`)
  const step = BigInt(`0x${random('123456789abcdef', 40)}`)
  return (count) => (start + BigInt(count) * step).toString(16)
}

export const tokenValueDefects: readonly Defect[] = [
  ...breaking(TOK.accessTokensAreDistinct, {
    'access-token-recurs': {
      story: 'Every third grant gives an access token that was given before.',
      rules: shaping({ access: recurring }),
    },
    'access-token-of-a-tpp-recurs': {
      story: 'The grants of a TPP give two access tokens in turn.',
      rules: shaping({ access: forA('TPP', alternating) }),
    },
  }),
  ...breaking(TOK.refreshTokensAreDistinct, {
    'refresh-token-recurs': {
      story: 'Every third grant gives a refresh token that was given before.',
      rules: shaping({ refresh: recurring }),
    },
  }),
  ...breaking(TOK.tokensDoNotFollowFromEachOther, {
    'access-tokens-are-numbered': {
      story: 'Access tokens are numbers that grow by one, with leading zeros.',
      rules: shaping({ access: () => numbered }),
    },
    'refresh-tokens-are-numbered-in-base64': {
      story: 'The refresh tokens of a FAC are numbers that grow by one, in base64.',
      rules: shaping({
        refresh: forA(
          'FAC',
          () => (count) => Buffer.from(`refresh:${numbered(count)}`).toString('base64url'),
        ),
      }),
    },
    'access-tokens-tell-the-time': {
      story: 'The access tokens of a FAC are the time of their issue in nanoseconds, between two constants.',
      rules: shaping({
        access: forA(
          'FAC',
          () =>
            (count, { now }) =>
              `AT${now.getTime()}${String(count).padStart(6, '0')}${'x'.repeat(24)}`,
        ),
      }),
    },
    'access-tokens-keep-a-distance': {
      story: 'Each access token of a TPP is the one before plus a secret constant.',
      rules: shaping({ access: forA('TPP', steps) }),
    },
  }),
  ...breaking(TOK.tokensHaveRoomFor128Bits, {
    'tokens-of-22-digits': {
      story: 'The access tokens of a TPP have 22 decimal digits.',
      rules: shaping({ access: forA('TPP', () => () => `1${random(DIGITS, 21)}`) }),
    },
    'refresh-token-of-a-tpp-is-short': {
      story: 'The refresh token of a TPP has 20 letters.',
      rules: shaping({ refresh: forA('TPP', () => () => random(LETTERS, 20)) }),
    },
    'refresh-token-has-124-bits': {
      story: 'The refresh tokens of a FAC have 31 hexadecimal digits.',
      rules: shaping({ refresh: forA('FAC', () => () => random('0123456789abcdef', 31)) }),
    },
  }),
]
