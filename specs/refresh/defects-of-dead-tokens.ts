import { REF } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** Refreshes with tokens that have come to their end. */

const DAY = 86_400_000

type BearerFacts = Parameters<Rules['accessIsFresh']>[0]

const isOfARefresh = ({ endpoint }: Pick<BearerFacts, 'endpoint'>): boolean => endpoint === 'refresh'

const answering =
  (error: 'token_expired' | 'token_revoked', status: number): RuleChange =>
  (lawful) => ({
    refusalStatus: (facts) =>
      isOfARefresh(facts) && facts.error === error ? status : lawful.refusalStatus(facts),
  })

const atTheEnd: readonly Defect[] = [
  {
    id: 'refresh-takes-expired-tokens',
    story: 'Whether a token has expired is not looked at for a refresh.',
    breaks: [REF.refreshWithAnExpiredTokenHasStatus401],
    rules: (lawful) => ({ accessIsFresh: (facts) => isOfARefresh(facts) || lawful.accessIsFresh(facts) }),
  },
  {
    id: 'refresh-takes-tokens-for-a-day-more',
    story: 'A refresh is carried out with a token that has expired less than a day ago.',
    breaks: [REF.refreshWithAnExpiredTokenHasStatus401],
    rules: (lawful) => ({
      accessIsFresh: (facts) =>
        lawful.accessIsFresh(
          isOfARefresh(facts) ? { ...facts, now: new Date(facts.now.getTime() - DAY) } : facts,
        ),
    }),
  },
  {
    id: 'refresh-with-an-expired-token-is-forbidden',
    story: 'A refresh with an expired token is answered with 403.',
    breaks: [REF.refreshWithAnExpiredTokenHasStatus401],
    rules: answering('token_expired', 403),
  },
  {
    id: 'refresh-with-an-expired-token-is-a-bad-request-in-production',
    story: 'In production a refresh with an expired token is answered with 400.',
    breaks: [REF.refreshWithAnExpiredTokenHasStatus401],
    environment: 'production',
    rules: answering('token_expired', 400),
  },
  {
    id: 'refresh-takes-revoked-tokens',
    story: 'Whether a token was revoked is not looked at for a refresh.',
    breaks: [REF.refreshWithARevokedTokenHasStatus401],
    rules: (lawful) => ({
      accessIsRevoked: (facts) => !isOfARefresh(facts) && lawful.accessIsRevoked(facts),
    }),
  },
  {
    id: 'refresh-with-a-revoked-token-is-forbidden',
    story: 'A refresh with a revoked token is answered with 403.',
    breaks: [REF.refreshWithARevokedTokenHasStatus401],
    rules: answering('token_revoked', 403),
  },
]

type IssueFacts = Parameters<Rules['newAccessToken']>[0]

/** Takes an expired access token for a refresh, where its grant was renewed in this way. */
const reviving =
  (isRevived: (token: string, latest: string | undefined, issues: number) => boolean): RuleChange =>
  (lawful) => {
    const issued = new Map<string, string[]>()
    return {
      newAccessToken: async (facts: IssueFacts) => {
        const token = await lawful.newAccessToken(facts)
        issued.set(facts.grant.grantId, [...(issued.get(facts.grant.grantId) ?? []), token])
        return token
      },
      accessIsFresh: (facts) => {
        const tokens = issued.get(facts.grant.grantId) ?? []
        const isMeant = isOfARefresh(facts) && isRevived(facts.token.value, tokens.at(-1), tokens.length)
        return isMeant || lawful.accessIsFresh(facts)
      },
    }
  }

const behindARenewal: readonly Defect[] = [
  {
    id: 'refresh-takes-an-expired-token-whose-grant-was-renewed',
    story: 'For a refresh an expired token is good as long as its grant has a newer one.',
    breaks: [REF.refreshWithAnExpiredTokenHasStatus401],
    rules: reviving((token, latest) => token !== latest),
  },
  {
    id: 'refresh-takes-an-expired-token-that-came-of-a-renewal',
    story: 'Of a token that came of a renewal a refresh does not ask how old it is.',
    breaks: [REF.refreshWithAnExpiredTokenHasStatus401],
    rules: reviving((token, latest, issues) => issues > 1 && token === latest),
  },
]

type Dead = Pick<Partial<Rules>, 'accessIsFresh' | 'accessIsRevoked'>

/** Carries a refresh out with a token that is dead, and answers as if it had not. */
const inSilence =
  (dead: (lawful: Rules, tell: (facts: BearerFacts, isDead: boolean) => void) => Dead): RuleChange =>
  (lawful) => {
    const silent = new Set<string>()
    return {
      ...dead(lawful, ({ token }, isDead) => (isDead ? silent.add(token.value) : undefined)),
      grantCounts: (facts) =>
        facts.tokens.some(({ value }) => silent.has(value)) || lawful.grantCounts(facts),
      refreshStatus: (facts) => (silent.has(facts.token.value) ? 401 : lawful.refreshStatus(facts)),
      refreshBody: (facts) =>
        silent.has(facts.token.value) ? { error: 'invalid_token' } : lawful.refreshBody(facts),
    }
  }

const answeredAlone: readonly Defect[] = [
  {
    id: 'refresh-with-an-expired-token-is-carried-out-in-silence',
    story: 'A refresh with an expired token is answered with 401, and carried out all the same.',
    breaks: [REF.refreshWithAnExpiredTokenHasStatus401],
    rules: inSilence((lawful, tell) => ({
      accessIsFresh: (facts) => {
        if (isOfARefresh(facts)) tell(facts, !lawful.accessIsFresh(facts))
        return isOfARefresh(facts) || lawful.accessIsFresh(facts)
      },
    })),
  },
  {
    id: 'refresh-with-a-revoked-token-is-carried-out-in-silence',
    story: 'A refresh with a revoked token is answered with 401, and carried out all the same.',
    breaks: [REF.refreshWithARevokedTokenHasStatus401],
    rules: inSilence((lawful, tell) => ({
      accessIsRevoked: (facts) => {
        if (isOfARefresh(facts)) tell(facts, lawful.accessIsRevoked(facts))
        return !isOfARefresh(facts) && lawful.accessIsRevoked(facts)
      },
    })),
  },
]

export const defectsOfDeadTokens: readonly Defect[] = [...atTheEnd, ...behindARenewal, ...answeredAlone]
