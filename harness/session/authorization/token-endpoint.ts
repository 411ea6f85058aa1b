import { fieldOf, jsonOf, need } from '../../evidence/record/answer.ts'
import { NotReached } from '../../evidence/signals.ts'
import { days, waitForAge, type TargetClock } from '../clock.ts'
import { unchanged, type Change, type Fields } from '../http/request.ts'
import { urlOf } from '../target.ts'
import { codeForm, tokenRequest } from './code-request.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Grant, GrantingContext } from './grant-request.ts'

/** The requests of an application at the token endpoint, and the tokens in their answers. */

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** The tokens of a grant, with the answer of the token endpoint that issued them. */
export interface TokenSet extends Tokens {
  readonly scope: string
  readonly exchange: Exchange
  readonly consentId?: string
}

export interface TokenEndpoint {
  /** The code exchange at the token endpoint. */
  readonly exchangeCode: (grant: Omit<Grant, 'redirectResult'>, change?: Change) => Promise<Exchange>
  readonly refresh: (tokens: Pick<Tokens, 'refreshToken'>, change?: Change) => Promise<Exchange>
  /** The tokens that an answer of the token endpoint carries. */
  readonly tokensOf: (exchange: Exchange, previous?: Pick<Grant, 'scope' | 'consentId'>) => TokenSet
  /** The tokens that an answer has; those that are missing are left out. For a claim about what an answer carries. */
  readonly tokensIn: (exchange: Exchange) => Partial<Tokens>
}

/** Days of the calendar may have an hour more, and the clocks of two machines differ. */
const EXPIRED_MS = days(90) + 62 * 60_000

type Issues = Map<string, Exchange>

/** The answers that issued refresh tokens, by these, for all sessions of a scenario, which have one clock. */
const issuesByClock = new WeakMap<TargetClock, Issues>()

const issuesBy = (clock: TargetClock): Issues => {
  const issues = issuesByClock.get(clock) ?? new Map<string, Exchange>()
  issuesByClock.set(clock, issues)
  return issues
}

export const openTokenEndpoint = (context: GrantingContext): TokenEndpoint => {
  const { profile, application, oauth, owners, http } = context
  const { token: bound } = profile.operations

  /** @param secret the tokens of the answer open the accounts of the same customer as what is exchanged for them. */
  const ask = async (form: Fields, secret: string, change = unchanged): Promise<Exchange> => {
    const request = tokenRequest({ operation: 'token', url: urlOf(context, oauth.token), form, application })
    const exchange = await http.send(change(request), (answer) => issuedTokens(answer, profile))
    if (exchange.response !== undefined) {
      const { accessToken, refreshToken } = tokensIn(exchange, profile)
      if (refreshToken !== undefined && !issues.has(refreshToken)) issues.set(refreshToken, exchange)
      owners?.follow(secret, [accessToken, refreshToken])
    }
    return exchange
  }

  const issues = issuesBy(context.clock)

  /** Waits until what came with a refresh token has expired, where the bank renews nothing else. */
  const waitForExpiry = async (refreshToken: string): Promise<void> => {
    const issue = issues.get(refreshToken)
    if (!bound.refreshesOnlyExpired || issue === undefined) return
    const age = context.clock.now().getTime() - Date.parse(issue.sentAt)
    if (age < EXPIRED_MS && context.clock.kind === 'wall')
      throw new NotReached(
        'the bank renews only expired access tokens (operations.token.refreshesOnlyExpired), and the clock cannot be moved (testHooks.advanceClock)',
      )
    await waitForAge(context, issue, EXPIRED_MS)
  }

  return {
    exchangeCode: (grant, change) => ask(codeForm(grant.code, grant), grant.code, change),

    async refresh({ refreshToken }, change) {
      await waitForExpiry(refreshToken)
      const form = Object.entries(bound.refreshForm).map(
        ([name, value]) => [name, value.replaceAll('{refresh_token}', () => refreshToken)] as const,
      )
      return ask(form, refreshToken, change)
    },

    tokensIn: (exchange) => tokensIn(exchange, profile),

    tokensOf(exchange, { scope = oauth.scope, consentId }: Partial<Grant> = {}) {
      const json = jsonOf(exchange)
      return {
        accessToken: need(exchange, fieldOf(json, 'access_token'), 'an access_token'),
        refreshToken: need(
          exchange,
          fieldOf(json, bound.refreshToken),
          `a refresh token (${bound.refreshToken})`,
        ),
        scope,
        exchange,
        ...(consentId !== undefined && { consentId }),
      }
    },
  }
}

/** The profile names the field of the refresh token, so that the list of known secret names may lack it. */
const issuedTokens = (exchange: Exchange, { operations }: Profile): readonly KnownSecret[] => {
  const value = exchange.response && fieldOf(jsonOf(exchange), operations.token.refreshToken)
  return typeof value === 'string' ? [{ name: 'refresh_token', value }] : []
}

const isToken = (value: unknown): value is string => typeof value === 'string' && value !== ''

const tokensIn = (exchange: Exchange, { operations }: Profile): Partial<Tokens> => {
  const json = jsonOf(exchange)
  const accessToken = fieldOf(json, 'access_token')
  const refreshToken = fieldOf(json, operations.token.refreshToken)
  return { ...(isToken(accessToken) && { accessToken }), ...(isToken(refreshToken) && { refreshToken }) }
}
