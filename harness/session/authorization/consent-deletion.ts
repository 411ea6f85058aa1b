import { NotReached } from '../../evidence/signals.ts'
import { responseOf } from '../../evidence/record/answer.ts'
import { basic } from '../http/request.ts'
import { idAndAuthorization, urlOf, type TargetContext } from '../target.ts'
import type { ApplicationProfile } from '../../profile/schema.ts'

/** An application deletes a consent that it created, if the profile binds `operations.deleteConsent`. */

/** @throws NotReached if the profile does not bind the operation, or the target refuses. */
export const deleteConsent = async (
  context: TargetContext,
  { clientId, clientSecret }: ApplicationProfile,
  consentId: string,
): Promise<void> => {
  const { profile, http } = context
  const { deleteConsent: bound } = profile.operations
  if (bound === undefined) throw new NotReached('the profile does not bind operations.deleteConsent')
  const answer = await http.send({
    operation: 'deleteConsent',
    sender: 'scenario',
    method: 'DELETE',
    url: urlOf(context, 'operations.deleteConsent', { values: { 'consent-id': consentId } }),
    headers: idAndAuthorization(context, bound.requestIdHeader, basic(clientId, clientSecret)),
  })
  const { status } = responseOf(answer)
  if (!bound.success.includes(status))
    throw new NotReached(`its DELETE was answered ${status} (${answer.id})`)
}
