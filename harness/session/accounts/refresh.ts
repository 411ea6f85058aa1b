import { anywhere, idOf, jsonOf } from '../../evidence/record/answer.ts'
import { NotReached } from '../../evidence/signals.ts'
import { encodeForm, JSON_HEADER, unchanged, type Change, type Fields } from '../http/request.ts'
import { fill, type Values } from '../../profile/template.ts'
import { idAndAuthorization, sendingTo, urlOf, type TargetContext } from '../target.ts'
import type { Exchange } from '../../evidence/exchange.ts'

/** PUT /refresh: updates the data that other banks hold under a consent. */

/** The token of a refresh, and the consent if the request names one. */
interface RefreshAccess {
  readonly accessToken: string
  readonly consentId?: string
}

export type RequestRefresh = (access: RefreshAccess, change?: Change) => Promise<Exchange>

export const createRefresh = (context: TargetContext): RequestRefresh => {
  const { profile, http } = context
  const { requestIdHeader, headers, query, body } = profile.operations.refresh
  return async ({ accessToken, consentId }, change = unchanged) => {
    const values = valuesOf(consentId)
    const named = (fields: Readonly<Record<string, string>>): Fields =>
      Object.entries(fields).map(([name, value]) => [name, String(fill(value, values))])
    const parameters = encodeForm(named(query))
    return sendingTo(http)(
      {
        operation: 'refresh',
        method: 'PUT',
        url: urlOf(context, 'operations.refresh') + (parameters && `?${parameters}`),
        headers: [
          ...idAndAuthorization(context, requestIdHeader, `Bearer ${accessToken}`),
          ...named(headers),
          ...(body === undefined ? [] : [JSON_HEADER]),
        ],
        ...(body !== undefined && { text: JSON.stringify(fill(body, values)) }),
      },
      change,
    )
  }
}

/** The first taskId, at any depth. */
export const taskIdIn = (refresh: Exchange): string | undefined =>
  idOf(anywhere(jsonOf(refresh), 'taskId')[0])

/** The consent is needed only where the request names one. */
const valuesOf = (consentId: string | undefined): Values => ({
  get consentId() {
    if (consentId !== undefined) return consentId
    throw new NotReached('the refresh request names a consent (operations.refresh), and none is known')
  },
})
