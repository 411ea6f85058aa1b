import { NotReached } from '../evidence/signals.ts'
import { responseOf } from './answer.ts'
import { chance } from './random.ts'
import { basic } from './request.ts'
import type { ApplicationProfile, Profile } from '../profile/schema.ts'
import type { Http } from './http.ts'
import type { Random } from './random.ts'

/** An application ends a consent that it has created, where the profile binds that (`operations.deleteConsent`). */

export interface ConsentDeletion {
  readonly profile: Profile
  readonly baseUrl: string
  readonly http: Http
  readonly random?: Random
}

/** @throws NotReached where the profile binds no such operation, or the target does not do it. */
export const deleteConsent = async (
  { profile, baseUrl, http, random = chance }: ConsentDeletion,
  { clientId, clientSecret }: ApplicationProfile,
  consentId: string,
): Promise<void> => {
  const { deleteConsent: bound } = profile.operations
  if (bound === undefined) throw new NotReached('the profile binds no operations.deleteConsent')
  const path = bound.path.replaceAll('{consent-id}', () => encodeURIComponent(consentId))
  const answer = await http.send({
    ...{ operation: 'deleteConsent', sender: 'scenario', method: 'DELETE' },
    url: baseUrl + profile.basePaths[profile.environment] + path,
    headers: [
      [bound.requestIdHeader, random.uuid()],
      ['Authorization', basic(clientId, clientSecret)],
    ],
  })
  const { status } = responseOf(answer)
  if (!bound.success.includes(status))
    throw new NotReached(`its DELETE was answered ${status} (${answer.id})`)
}
