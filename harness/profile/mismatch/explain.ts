import { answerKeys } from './answers.ts'
import { bodyKeys } from './bodies.ts'
import { mismatchedCalculationResults, mismatchedPageSizes, mismatchedRefreshes } from './comparisons.ts'
import { byKey, mismatchOf, type KeyRow, type ProfileMismatch, type RunExchanges } from './mismatch.ts'
import { mismatchedPaths, unservedAuthorization } from './paths.ts'
import { requestKeys } from './requests.ts'

/**
 * Whether the profile may be the cause of a finding: a name or a path that has fitted no answer of the run, although
 * the value may be there under another name; or the content of requests, if none of them was ever accepted.
 */

export interface Violated {
  readonly exchange: string
  /** Whether its answer has data that it must not have: then an operation answered, at whichever path. */
  readonly isDisclosure?: boolean
}

/** What is read within something else, or extends it, by the ends of the keys: where both do not fit, the other is reported. */
const FOLLOWING: readonly (readonly [key: RegExp, followed: string])[] = [
  [/listAccounts\.(id|iban)$/, 'listAccounts.accounts'],
  [/listTransactions\.id$/, 'listTransactions.transactions'],
  [/readAccount\.amount$/, 'readAccount.balances'],
  [/^loans\.precalculation\.capacity$/, 'loans.precalculation.body'],
  [/\.redirectUris\..*/, '.kind'],
]

const withoutFollowing = (mismatches: readonly ProfileMismatch[]): readonly ProfileMismatch[] => {
  const keys = new Set(mismatches.map(({ key }) => key))
  return mismatches.filter(
    ({ key }) =>
      !FOLLOWING.some(([end, followed]) => key.search(end) >= 0 && keys.has(key.replace(end, followed))),
  )
}

/** A path explains nothing that was answered before the first request to it. */
const isBefore = (mismatch: ProfileMismatch, violated: Violated, { exchanges }: RunExchanges): boolean => {
  const at = exchanges.findIndex(({ id }) => id === violated.exchange)
  return at < 0 || exchanges.findIndex(({ id }) => id === mismatch.exchange) <= at
}

/**
 * The keys of the profile that may be the reason why a check did not pass.
 * @param violated where a violation was seen, if there is one: a key that does not affect that exchange does not
 * explain it.
 */
export const mismatchesExplaining = (
  violated: Violated | undefined,
  seen: RunExchanges,
): readonly ProfileMismatch[] => {
  const violating = seen.exchanges.find(({ id }) => id === violated?.exchange)
  const mayExplain = ({ isLeaf = false, isHint = false, uses }: KeyRow): boolean =>
    violated === undefined || (!isHint && (!isLeaf || (violating !== undefined && uses(violating))))
  const paths = mismatchedPaths(seen).filter(
    (mismatch) =>
      violated === undefined || (violated.isDisclosure !== true && isBefore(mismatch, violated, seen)),
  )
  const unserved = unservedAuthorization(seen)
  return withoutFollowing(
    byKey([
      ...[requestKeys, bodyKeys, answerKeys]
        .flatMap((keys) => keys(seen.profile))
        .filter(mayExplain)
        .flatMap((key) => mismatchOf(key, seen))
        // The same answer to each of them says nothing of one.
        .filter(({ key }) => unserved.length === 0 || !key.includes('.redirectUris.')),
      ...unserved,
      ...paths,
      ...mismatchedCalculationResults(seen),
      ...mismatchedPageSizes(seen),
      ...(violated === undefined ? mismatchedRefreshes(seen) : []),
    ]),
  )
}
