import { TRX } from './requirements.ts'
import { behindTheFirstPage, isOf, refusing } from './defect-rules.ts'
import type { Defect } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import type { Change } from './defect-rules.ts'

/** What a bank can get wrong so that a token shows transactions that its user has revoked. */

type RevocationFacts = Parameters<Rules['accessIsRevoked']>[0]

const revoking =
  (isForgotten: (facts: RevocationFacts) => boolean): Change =>
  (lawful) => ({ accessIsRevoked: (facts) => !isForgotten(facts) && lawful.accessIsRevoked(facts) })

export const defectsOfRevocation: readonly Defect[] = [
  {
    id: 'revoked-token-shows-transactions',
    story: 'A revocation is looked at by lists and details, and not by transactions.',
    breaks: [TRX.transactionsWithARevokedTokenHaveStatus401],
    rules: revoking(isOf('first')),
  },
  {
    id: 'revoked-token-shows-later-pages',
    story: 'Behind the first page a revocation is not looked at any more: the link is enough.',
    breaks: [TRX.transactionsWithARevokedTokenHaveStatus401],
    rules: behindTheFirstPage(revoking),
  },
  {
    id: 'revoked-transactions-have-status-403',
    story: 'Transactions are forbidden to a revoked token.',
    breaks: [TRX.transactionsWithARevokedTokenHaveStatus401],
    rules: refusing('first', 'token_revoked', 403),
  },
  {
    id: 'revoked-token-shows-transactions-in-the-second-variant',
    story: 'A revocation is not looked at by the transactions of the second variant.',
    breaks: [TRX.secondVariantWithARevokedTokenHasStatus401],
    rules: revoking(isOf('second')),
  },
  {
    id: 'revoked-transactions-have-status-400-in-the-second-variant',
    story: 'The second variant calls a request for transactions with a revoked token a bad one.',
    breaks: [TRX.secondVariantWithARevokedTokenHasStatus401],
    rules: refusing('second', 'token_revoked', 400),
  },
]
