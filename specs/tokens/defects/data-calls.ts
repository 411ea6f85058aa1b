import { alter, from, isFor, refuseWith, when, type FactsOf } from '../../shared/changes.ts'

/** Changes of the answers to data calls that the chapter has in several files. */

type Reason = FactsOf<'refusalStatus'>['error']

/** Whether a call is refused for this reason. */
export const isRefusedFor =
  (reason: Reason) =>
  ({ error }: { readonly error: Reason }): boolean =>
    error === reason

/** Answers with 200 and no accounts. Loans have no list of accounts: theirs stay as they are. */
export const withAnEmptyList = (reason: Reason) =>
  when(
    ({ error, endpoint }: FactsOf<'refusalStatus'>) => error === reason && !endpoint.startsWith('loan-'),
    alter({ refusalStatus: 200, refusalBody: () => ({ accounts: [] }) }),
  )

/** From the second refusal for this reason on, calls for the first list are answered with 403. */
export const laterWith403 = (reason: Reason) =>
  when(from(2), when(isFor('accounts', 'first'), refuseWith(reason, 403)))
