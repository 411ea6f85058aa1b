import { compact } from './dialects/compact.ts'
import { nested } from './dialects/nested.ts'
import { referenceProfile } from './reference-profile.ts'
import type { ProfileInput } from '../profile/schema.ts'

/** The profiles of the reference bank in each of its dialects: what differs from its own, by the dialect's id. */
const DIFFERENCES: Readonly<Record<string, Partial<ProfileInput>>> = { compact, nested }

/** @throws for a dialect that nobody has written a profile for. */
export const dialectProfile = (
  id: string,
  environment: 'sandbox' | 'production' = 'sandbox',
): ProfileInput => {
  const differences = DIFFERENCES[id]
  if (differences === undefined) throw new Error(`harness/target/dialects has no profile for ${id}`)
  return { ...referenceProfile(environment), ...differences }
}
