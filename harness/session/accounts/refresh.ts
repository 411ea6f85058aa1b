import { addressOf } from '../../profile/operations.ts'
import { anywhere, jsonOf } from '../../evidence/record/answer.ts'
import { NotReached } from '../../evidence/signals.ts'
import { unchanged, encodeForm, type Change, type Fields } from '../http/request.ts'
import { chance, type Random } from '../random.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Http } from '../http/http.ts'

/** PUT /refresh: updates the data that other banks hold under a consent. */

/** The token of a refresh, and the consent if the request names one. */
interface RefreshAccess {
  readonly accessToken: string
  readonly consentId?: string
}

interface RefreshContext {
  readonly profile: Profile
  readonly baseUrl: string
  readonly http: Http
  readonly random?: Random
}

export type RequestRefresh = (access: RefreshAccess, change?: Change) => Promise<Exchange>

export const createRefresh = ({
  profile,
  baseUrl,
  http,
  random = chance,
}: RefreshContext): RequestRefresh => {
  const { requestIdHeader, headers, query, body } = profile.operations.refresh
  const address = baseUrl + addressOf(profile, 'operations.refresh')
  return async ({ accessToken, consentId }, change = unchanged) => {
    const fields: Fields = [
      [requestIdHeader, random.uuid()],
      ['Authorization', `Bearer ${accessToken}`],
      ...Object.entries(headers).map(([name, value]) => [name, filled(value, consentId)] as const),
    ]
    const parameters = Object.entries(query).map(([name, value]) => [name, filled(value, consentId)] as const)
    const url = `${address}${parameters.length === 0 ? '' : `?${encodeForm(parameters)}`}`
    const request = {
      ...({ operation: 'refresh', sender: 'scenario', method: 'PUT', url } as const),
      headers: body === undefined ? fields : [...fields, ['Content-Type', 'application/json'] as const],
      ...(body !== undefined && { text: JSON.stringify(naming(body, consentId)) }),
    }
    return http.send(change(request))
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
