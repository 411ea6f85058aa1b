import { NotReached } from '../evidence/signals.ts'

interface Attempt {
  readonly accepted: boolean
  isAccepted(because: string): void
}

/**
 * Judges that a changed request is accepted like the plain one.
 * @param because why a conforming bank takes both alike.
 * @throws NotReached where the plain request was not accepted either: then the change is not to blame.
 */
export const isAcceptedToo = (
  { changed, valid }: { readonly changed: Attempt; readonly valid?: Attempt },
  because: string,
): void => {
  if (!changed.accepted && valid?.accepted === false)
    throw new NotReached('the request without the change was not accepted either')
  changed.isAccepted(because)
}
