import { ACC } from './requirements.ts'
import { isDetail, isList, isOfATpp } from './defect-rules.ts'
import type { Defect } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import type { Change } from './defect-rules.ts'

/** What a bank can get wrong when a token has ended, or there is none. */

type AccessFacts = Parameters<Rules['accessIsFresh']>[0]
type BearerFacts = Parameters<Rules['bearerToken']>[0]
type RefusalFacts = Parameters<Rules['refusalStatus']>[0]

const expiring =
  (isForgotten: (facts: AccessFacts) => boolean): Change =>
  (lawful) => ({
    accessIsFresh: (facts) => isForgotten(facts) || lawful.accessIsFresh(facts),
  })

const revoking =
  (isForgotten: (facts: AccessFacts) => boolean): Change =>
  (lawful) => ({
    accessIsRevoked: (facts) => !isForgotten(facts) && lawful.accessIsRevoked(facts),
  })

const answering =
  (error: RefusalFacts['error'], status: number, applies: (facts: RefusalFacts) => boolean): Change =>
  (lawful) => ({
    refusalStatus: (facts) =>
      facts.error === error && applies(facts) ? status : lawful.refusalStatus(facts),
  })

/** Serves such a call as the last one that had a token that the bank has issued. */
const servingTheLastCaller =
  (applies: (facts: BearerFacts, isIssued: (value: string | undefined) => boolean) => boolean): Change =>
  (lawful) => {
    const issued = new Set<string | undefined>()
    let last: string | undefined
    return {
      newAccessToken: async (facts) => {
        const token = await lawful.newAccessToken(facts)
        issued.add(token)
        return token
      },
      bearerToken: (facts) => {
        const value = lawful.bearerToken(facts)
        if (issued.has(value)) last = value
        return applies(facts, (token) => issued.has(token)) ? last : value
      },
    }
  }

const isBare = ({ header }: BearerFacts): boolean => header === undefined

export const defectsOfTokens: readonly Defect[] = [
  {
    id: 'expired-token-reads-a-detail',
    story: 'The age of a token is looked at by the list, and not by the detail.',
    breaks: [ACC.detailWithAnExpiredTokenHasStatus401],
    rules: expiring(isDetail('first')),
  },
  {
    id: 'expired-token-of-a-tpp-reads-a-detail',
    story: 'The age of a token is looked at by the detail for a FAC alone.',
    breaks: [ACC.detailWithAnExpiredTokenHasStatus401],
    rules: expiring((facts) => isDetail('first')(facts) && isOfATpp(facts)),
  },
  {
    id: 'expired-detail-has-status-404',
    story: 'To an expired token the account is one that does not exist.',
    breaks: [ACC.detailWithAnExpiredTokenHasStatus401],
    rules: answering('token_expired', 404, isDetail('first')),
  },
  {
    id: 'expired-token-has-status-401-once',
    story:
      'A detail is answered with 401 the first time that a token has expired, and with 403 from then on.',
    breaks: [ACC.detailWithAnExpiredTokenHasStatus401],
    rules: (lawful) => {
      let refused = 0
      const change = answering('token_expired', 403, (facts) => isDetail('first')(facts) && ++refused > 1)
      return change(lawful)
    },
  },
  {
    id: 'expired-token-lists-in-the-second-variant',
    story: 'The age of a token is not looked at by the list of the second variant.',
    breaks: [ACC.secondVariantWithAnExpiredTokenHasStatus401],
    rules: expiring(isList('second')),
  },
  {
    id: 'expired-token-reads-information',
    story: 'The age of a token is not looked at by the information of the second variant.',
    breaks: [ACC.secondVariantWithAnExpiredTokenHasStatus401],
    rules: expiring(isDetail('second')),
  },
  {
    id: 'expired-information-has-status-400',
    story: 'The second variant calls a request with an expired token a bad one.',
    breaks: [ACC.secondVariantWithAnExpiredTokenHasStatus401],
    rules: answering('token_expired', 400, isDetail('second')),
  },
  {
    id: 'revoked-token-reads-a-detail',
    story: 'A revocation is looked at by the list, and not by the detail.',
    breaks: [ACC.detailWithARevokedTokenHasStatus401],
    rules: revoking(isDetail('first')),
  },
  {
    id: 'revoked-detail-has-status-403',
    story: 'A detail is forbidden to a revoked token.',
    breaks: [ACC.detailWithARevokedTokenHasStatus401],
    rules: answering('token_revoked', 403, isDetail('first')),
  },
  {
    id: 'revoked-token-opens-the-second-variant',
    story: 'A revocation is not looked at by the second variant.',
    breaks: [ACC.secondVariantWithARevokedTokenHasStatus401],
    rules: revoking((facts) => isList('second')(facts) || isDetail('second')(facts)),
  },
  {
    id: 'revoked-list-of-the-second-variant-has-status-403',
    story: 'The list of the second variant is forbidden to a revoked token.',
    breaks: [ACC.secondVariantWithARevokedTokenHasStatus401],
    rules: answering('token_revoked', 403, isList('second')),
  },
  {
    id: 'detail-without-a-token-serves-the-last-caller',
    story: 'A detail that is asked for without a token is answered to whom the last one was.',
    breaks: [ACC.detailWithoutTokenIsRefused],
    rules: servingTheLastCaller((facts) => isDetail('first')(facts) && isBare(facts)),
  },
  {
    id: 'detail-is-answered-to-any-token',
    story: 'The detail takes a token that it does not know for the last one that it knew.',
    breaks: [ACC.detailWithoutTokenIsRefused, { id: 'ENV-11' }, { id: 'ENV-24' }],
    rules: servingTheLastCaller(
      (facts, isIssued) =>
        isDetail('first')(facts) &&
        !isBare(facts) &&
        facts.header !== 'Bearer' &&
        !isIssued(facts.header?.slice('Bearer '.length)),
    ),
  },
  {
    id: 'second-variant-lists-without-a-token',
    story: 'The list of the second variant needs no token.',
    breaks: [ACC.secondVariantWithoutTokenIsRefused],
    rules: servingTheLastCaller((facts) => isList('second')(facts) && isBare(facts)),
  },
  {
    id: 'information-is-answered-to-an-empty-token',
    story: 'The word Bearer alone opens the information of the second variant.',
    breaks: [ACC.secondVariantWithoutTokenIsRefused],
    rules: servingTheLastCaller((facts) => isDetail('second')(facts) && facts.header === 'Bearer'),
  },
]
