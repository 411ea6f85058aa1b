import { addressOf } from '../../profile/operations.ts'
import { NotReached } from '../../evidence/signals.ts'
import { responseOf } from '../../evidence/record/answer.ts'
import { chance } from '../random.ts'
import { basic } from '../http/request.ts'
import type { ApplicationProfile, Profile } from '../../profile/schema.ts'
import type { Http } from '../http/http.ts'
import type { Random } from '../random.ts'

/** An application deletes a consent that it created, if the profile binds `operations.deleteConsent`. */

interface ConsentDeletion {
  readonly profile: Profile
  readonly baseUrl: string
  readonly http: Http
  readonly random?: Random
}

/** @throws NotReached if the profile does not bind the operation, or the target refuses. */
export const deleteConsent = async (
  { profile, baseUrl, http, random = chance }: ConsentDeletion,
  { clientId, clientSecret }: ApplicationProfile,
  consentId: string,
): Promise<void> => {
  const { deleteConsent: bound } = profile.operations
  if (bound === undefined) throw new NotReached('the profile does not bind operations.deleteConsent')
  const path = addressOf(profile, 'operations.deleteConsent').replaceAll('{consent-id}', () =>
    encodeURIComponent(consentId),
  )
  const answer = await http.send({
    operation: 'deleteConsent',
    sender: 'scenario',
    method: 'DELETE',
    url: baseUrl + path,
    headers: [
      [bound.requestIdHeader, random.uuid()],
      ['Authorization', basic(clientId, clientSecret)],
    ],
  })
  const { status } = responseOf(answer)
  if (!bound.success.includes(status))
    throw new NotReached(`its DELETE was answered ${status} (${answer.id})`)
}
