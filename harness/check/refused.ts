import { NotReached } from '../evidence/signals.ts'

interface Attempt {
  readonly accepted: boolean
  isRefused(because: string): void
}

/**
 * Judges a refusal between two positive controls: the valid request is accepted, the same request with one change
 * is refused, the valid request is accepted again.
 * @param because why a conforming bank refuses the changed request.
 * @throws NotReached where a control was not accepted: then the refusal shows nothing.
 */
export const isRefusedBetween = (
  {
    before,
    changed,
    after,
  }: { readonly before: Attempt; readonly changed: Attempt; readonly after: Attempt },
  because: string,
): void => {
  if (!before.accepted) throw new NotReached('the valid request before the changed one was not accepted')
  changed.isRefused(because)
  if (!after.accepted) throw new NotReached('the valid request after the changed one was not accepted')
}
