import { anywhere, jsonOf } from '../../evidence/record/answer.ts'
import { NotReached } from '../../evidence/signals.ts'
import { encodeForm, JSON_HEADER, unchanged, type Change, type Fields } from '../http/request.ts'
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
  const named = (fields: Readonly<Record<string, string>>, consentId: string | undefined): Fields =>
    Object.entries(fields).map(([name, value]) => [name, filled(value, consentId)])
  return async ({ accessToken, consentId }, change = unchanged) => {
    const parameters = encodeForm(named(query, consentId))
    return sendingTo(http)(
      {
        operation: 'refresh',
        method: 'PUT',
        url: urlOf(context, 'operations.refresh') + (parameters && `?${parameters}`),
        headers: [
          ...idAndAuthorization(context, requestIdHeader, `Bearer ${accessToken}`),
          ...named(headers, consentId),
          ...(body === undefined ? [] : [JSON_HEADER]),
        ],
        ...(body !== undefined && { text: JSON.stringify(naming(body, consentId)) }),
      },
      change,
    )
  }
}

/** The first taskId, at any depth; a number is read as its digits. */
export const taskIdIn = (refresh: Exchange): string | undefined => {
  const [taskId] = anywhere(jsonOf(refresh), 'taskId')
  return (typeof taskId === 'string' && taskId !== '') || typeof taskId === 'number'
    ? String(taskId)
    : undefined
}

/** The template of the body with the consent inserted, at any depth. */
const naming = (template: unknown, consentId: string | undefined): unknown => {
  if (typeof template === 'string') return filled(template, consentId)
  if (Array.isArray(template)) return template.map((item) => naming(item, consentId))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, naming(item, consentId)]))
}

const filled = (template: string, consentId: string | undefined): string =>
  template.replaceAll('{consentId}', () => known(consentId))

const known = (consentId: string | undefined): string => {
  if (consentId !== undefined) return consentId
  throw new NotReached('the refresh request names a consent (operations.refresh), and none is known')
}
