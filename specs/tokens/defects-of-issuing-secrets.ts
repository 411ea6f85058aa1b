import { TOK } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** How the tokens of a bank can be told, or too few. */

type Facts = Parameters<Rules['newAccessToken']>[0]
/** Makes the token of the grant with that number, of this bank; `lawful` makes one as a bank should. */
type Shape = (count: number, facts: Facts, lawful: () => string | Promise<string>) => string | Promise<string>

/** Makes the tokens of code exchanges in this shape, made anew for each bank; those of refreshes stay as they are. */
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

/** Makes the tokens of one kind of client in this shape, and those of the other as a bank should. */
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

/** The first token, and each third behind it, is the same one. */
const recurring = (): Shape => {
  let first: string | undefined
  return async (count, _, lawful) => {
    if (count % 3 === 1 && first !== undefined) return first
    const token = await lawful()
    first ??= token
    return token
  }
}

/** Two tokens, in turn. */
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

export const defectsOfIssuingSecrets: readonly Defect[] = [
  {
    id: 'access-token-recurs',
    story: 'Each third grant gives an access token that was given before.',
    breaks: [TOK.accessTokensAreDistinct],
    rules: shaping({ access: recurring }),
  },
  {
    id: 'refresh-token-recurs',
    story: 'Each third grant gives a refresh token that was given before.',
    breaks: [TOK.refreshTokensAreDistinct],
    rules: shaping({ refresh: recurring }),
  },
  {
    id: 'access-token-of-a-tpp-recurs',
    story: 'The grants of a TPP give two access tokens in turn.',
    breaks: [TOK.accessTokensAreDistinct],
    rules: shaping({ access: forA('TPP', alternating) }),
  },
  {
    id: 'access-tokens-are-numbered',
    story: 'Access tokens are a number that grows by one, with zeros before it.',
    breaks: [TOK.tokensDoNotFollowFromEachOther],
    rules: shaping({ access: () => numbered }),
  },
  {
    id: 'refresh-tokens-are-numbered-in-base64',
    story: 'The refresh tokens of a FAC are a number that grows by one, in base64.',
    breaks: [TOK.tokensDoNotFollowFromEachOther],
    rules: shaping({
      refresh: forA('FAC', () => (count) => Buffer.from(`refresh:${numbered(count)}`).toString('base64url')),
    }),
  },
  {
    id: 'access-tokens-tell-the-time',
    story: 'The access tokens of a FAC are the time of their issue in nanoseconds, between two constants.',
    breaks: [TOK.tokensDoNotFollowFromEachOther],
    rules: shaping({
      access: forA(
        'FAC',
        () =>
          (count, { now }) =>
            `AT${now.getTime()}${String(count).padStart(6, '0')}${'x'.repeat(24)}`,
      ),
    }),
  },
  {
    id: 'access-tokens-keep-a-distance',
    story: 'Each access token of a TPP is the one before plus a constant that nobody was told.',
    breaks: [TOK.tokensDoNotFollowFromEachOther],
    rules: shaping({ access: forA('TPP', steps) }),
  },
  {
    id: 'tokens-of-22-digits',
    story: 'The access tokens of a TPP have 22 decimal digits.',
    breaks: [TOK.tokensHaveRoomFor128Bits],
    rules: shaping({ access: forA('TPP', () => () => `1${random(DIGITS, 21)}`) }),
  },
  {
    id: 'refresh-token-of-a-tpp-is-short',
    story: 'The refresh token of a TPP has 20 letters.',
    breaks: [TOK.tokensHaveRoomFor128Bits],
    rules: shaping({ refresh: forA('TPP', () => () => random(LETTERS, 20)) }),
  },
  {
    id: 'refresh-token-has-124-bits',
    story: 'The refresh tokens of a FAC have 31 hexadecimal digits.',
    breaks: [TOK.tokensHaveRoomFor128Bits],
    rules: shaping({ refresh: forA('FAC', () => () => random('0123456789abcdef', 31)) }),
  },
]
