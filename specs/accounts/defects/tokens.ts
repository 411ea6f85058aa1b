import { acceptingExpiredTokens, acceptingRevokedTokens, refusingWith } from '../../shared/account-defects.ts'
import { breaking, isFor, isOfATpp, servingTheLastCaller, where } from '../../shared/defects.ts'
import { ACC } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Calls with an expired or revoked token, or without one. */

const DETAIL = isFor('account', 'first')
const LIST_OF_THE_SECOND = isFor('accounts', 'second')
const INFORMATION = isFor('account', 'second')

export const tokenDefects: readonly Defect[] = [
  ...breaking(ACC.detailWithAnExpiredTokenHasStatus401, {
    'expired-token-reads-a-detail': {
      story: 'The list checks the age of a token, and the detail does not.',
      rules: acceptingExpiredTokens(DETAIL),
    },
    'expired-token-of-a-tpp-reads-a-detail': {
      story: 'The detail checks the age of a token for a FAC only.',
      rules: where((facts) => DETAIL(facts) && isOfATpp(facts), { accessIsFresh: () => true }),
    },
    'expired-detail-has-status-404': {
      story: 'A detail is answered with 404 when the token has expired.',
      rules: refusingWith(DETAIL, 'token_expired', 404),
    },
    'expired-token-has-status-401-once': {
      story:
        'A detail is answered with 401 the first time that a token has expired, and with 403 from then on.',
      rules: (lawful) => {
        let refused = 0
        return {
          refusalStatus: (facts) => {
            if (DETAIL(facts) && facts.error === 'token_expired') refused += 1
            return refused > 1 && DETAIL(facts) && facts.error === 'token_expired'
              ? 403
              : lawful.refusalStatus(facts)
          },
        }
      },
    },
  }),
  ...breaking(ACC.secondVariantWithAnExpiredTokenHasStatus401, {
    'expired-token-lists-in-the-second-variant': {
      story: 'The list of the second variant does not check the age of a token.',
      rules: acceptingExpiredTokens(LIST_OF_THE_SECOND),
    },
    'expired-token-reads-information': {
      story: 'The information of the second variant does not check the age of a token.',
      rules: acceptingExpiredTokens(INFORMATION),
    },
    'expired-information-has-status-400': {
      story: 'The information of the second variant is answered with 400 when the token has expired.',
      rules: refusingWith(INFORMATION, 'token_expired', 400),
    },
  }),
  ...breaking(ACC.detailWithARevokedTokenHasStatus401, {
    'revoked-token-reads-a-detail': {
      story: 'The list checks whether a token was revoked, and the detail does not.',
      rules: acceptingRevokedTokens(DETAIL),
    },
    'revoked-detail-has-status-403': {
      story: 'A detail is answered with 403 when the token was revoked.',
      rules: refusingWith(DETAIL, 'token_revoked', 403),
    },
  }),
  ...breaking(ACC.secondVariantWithARevokedTokenHasStatus401, {
    'revoked-token-opens-the-second-variant': {
      story: 'The second variant does not check whether a token was revoked.',
      rules: acceptingRevokedTokens((facts) => LIST_OF_THE_SECOND(facts) || INFORMATION(facts)),
    },
    'revoked-list-of-the-second-variant-has-status-403': {
      story: 'The list of the second variant is answered with 403 when the token was revoked.',
      rules: refusingWith(LIST_OF_THE_SECOND, 'token_revoked', 403),
    },
  }),
  ...breaking(ACC.detailWithoutTokenIsRefused, {
    'detail-without-a-token-serves-the-last-caller': {
      story: 'A detail without a token is answered as for the last caller.',
      rules: servingTheLastCaller((facts) => DETAIL(facts) && facts.header === undefined),
    },
    'detail-is-answered-to-any-token': {
      story: 'The detail takes an unknown token for the last known one.',
      alsoBreaks: ['ENV-11', 'ENV-24'],
      rules: servingTheLastCaller(
        (facts, isIssued) =>
          DETAIL(facts) &&
          facts.header !== undefined &&
          facts.header !== 'Bearer' &&
          !isIssued(facts.header.slice('Bearer '.length)),
      ),
    },
  }),
  ...breaking(ACC.secondVariantWithoutTokenIsRefused, {
    'second-variant-lists-without-a-token': {
      story: 'The list of the second variant needs no token.',
      rules: servingTheLastCaller((facts) => LIST_OF_THE_SECOND(facts) && facts.header === undefined),
    },
    'information-is-answered-to-an-empty-token': {
      story: 'The information of the second variant accepts a Bearer header without a token.',
      rules: servingTheLastCaller((facts) => INFORMATION(facts) && facts.header === 'Bearer'),
    },
  }),
]
