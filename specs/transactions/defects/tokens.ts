import { acceptingExpiredTokens, acceptingRevokedTokens, refusingWith } from '../../shared/account-defects.ts'
import { breaking, isOfATpp, servingTheLastCaller, where } from '../../shared/defects.ts'
import { LINKED_PAGES, NUMBERED_PAGES, onLaterLinkedPages } from './paging.ts'
import { TRX } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Transactions with an expired or revoked token, or without one. */

export const tokenDefects: readonly Defect[] = [
  ...breaking(TRX.transactionsWithoutTokenAreRefused, {
    'transactions-without-a-token': {
      story: 'Transactions without a token are answered as for the last caller.',
      rules: servingTheLastCaller((facts) => LINKED_PAGES(facts) && facts.header === undefined),
    },
    'transactions-with-any-token': {
      story: 'An unknown token is taken for the last known one.',
      alsoBreaks: ['ENV-11', 'ENV-24'],
      rules: servingTheLastCaller(
        (facts, isIssued) =>
          LINKED_PAGES(facts) &&
          (facts.header ?? '').length > 'Bearer '.length &&
          !isIssued(facts.header?.slice('Bearer '.length)),
      ),
    },
    'later-pages-need-no-token': {
      story: 'Later pages need no token, just their link.',
      rules: (lawful) => {
        let last: string | undefined
        return {
          bearerToken: (facts) => {
            const token = lawful.bearerToken(facts)
            last = token ?? last
            return token ?? (facts.query.has('entryReferenceFrom') ? last : undefined)
          },
        }
      },
    },
  }),
  ...breaking(TRX.secondVariantWithoutTokenIsRefused, {
    'transactions-with-an-empty-token': {
      story: 'The transactions of the second variant accept a Bearer header without a token.',
      rules: servingTheLastCaller((facts) => NUMBERED_PAGES(facts) && facts.header === 'Bearer'),
    },
  }),
  ...breaking(TRX.transactionsWithAnExpiredTokenHaveStatus401, {
    'expired-token-shows-transactions': {
      story: 'Lists and details check the age of a token, and transactions do not.',
      rules: acceptingExpiredTokens(LINKED_PAGES),
    },
    'expired-token-of-a-tpp-shows-transactions': {
      story: 'Transactions check the age of a token for a FAC only.',
      rules: where((facts) => LINKED_PAGES(facts) && isOfATpp(facts), { accessIsFresh: () => true }),
    },
    'expired-token-shows-later-pages': {
      story: 'Only the first page checks the age of a token: later pages need just their link.',
      rules: onLaterLinkedPages(acceptingExpiredTokens),
    },
    'expired-transactions-have-status-403': {
      story: 'Transactions are answered with 403 when the token has expired.',
      rules: refusingWith(LINKED_PAGES, 'token_expired', 403),
    },
  }),
  ...breaking(TRX.secondVariantWithAnExpiredTokenHasStatus401, {
    'expired-token-shows-transactions-in-the-second-variant': {
      story: 'The transactions of the second variant do not check the age of a token.',
      rules: acceptingExpiredTokens(NUMBERED_PAGES),
    },
    'expired-transactions-have-status-400-in-the-second-variant': {
      story: 'Transactions of the second variant are answered with 400 when the token has expired.',
      rules: refusingWith(NUMBERED_PAGES, 'token_expired', 400),
    },
  }),
  ...breaking(TRX.transactionsWithARevokedTokenHaveStatus401, {
    'revoked-token-shows-transactions': {
      story: 'Lists and details check whether a token was revoked, and transactions do not.',
      rules: acceptingRevokedTokens(LINKED_PAGES),
    },
    'revoked-token-shows-later-pages': {
      story: 'Only the first page checks whether a token was revoked: later pages need just their link.',
      rules: onLaterLinkedPages(acceptingRevokedTokens),
    },
    'revoked-transactions-have-status-403': {
      story: 'Transactions are answered with 403 when the token was revoked.',
      rules: refusingWith(LINKED_PAGES, 'token_revoked', 403),
    },
  }),
  ...breaking(TRX.secondVariantWithARevokedTokenHasStatus401, {
    'revoked-token-shows-transactions-in-the-second-variant': {
      story: 'The transactions of the second variant do not check whether a token was revoked.',
      rules: acceptingRevokedTokens(NUMBERED_PAGES),
    },
    'revoked-transactions-have-status-400-in-the-second-variant': {
      story: 'Transactions of the second variant are answered with 400 when the token was revoked.',
      rules: refusingWith(NUMBERED_PAGES, 'token_revoked', 400),
    },
  }),
]
