import { Inconclusive, NotReached } from '../evidence/signals.ts'
import type { Subject } from './subject.ts'

interface Attempt {
  readonly accepted: boolean
  /** Of its exchange, where it is one. */
  readonly id?: string
  readonly status?: Subject
  isAccepted(because: string): void
}

/**
 * Judges that a changed request is accepted like the plain one.
 * @param because why a conforming bank takes both alike.
 * @throws NotReached where the plain request was not accepted either: then the change is not to blame.
 * @throws Inconclusive where the changed request was accepted the second time: then it may not be to blame.
 */
export const isAcceptedToo = (
  {
    changed,
    valid,
    again,
  }: { readonly changed: Attempt; readonly valid?: Attempt; readonly again?: Attempt },
  because: string,
): void => {
  if (!changed.accepted && valid?.accepted === false)
    throw new NotReached('the request without the change was not accepted either')
  if (again?.accepted === true)
    throw new Inconclusive(
      `the changed request was not accepted once${endOf(changed)}, and was the second time`,
    )
  changed.isAccepted(because)
}

const endOf = ({ id, status }: Attempt): string =>
  id === undefined ? '' : ` (${id}: ${String(status?.value)})`
