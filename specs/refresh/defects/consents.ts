import { breaking, knowingConsents, where } from '../../shared/defects.ts'
import {
  bearerIn,
  on,
  parsedMembers,
  pathOf,
  perBank,
  rewordingAnswers,
  wired,
} from '../../shared/defect-wires.ts'
import { IS_REFRESH, withToken } from './tokens.ts'
import { REF } from '../requirements.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'

/** Refreshes of consents that the token was not granted for. */

/** Accepts every refresh of a consent that was never created, and starts no task. */
const acceptingUnknownConsents: Wire = perBank(() => {
  const created = new Set<unknown>()
  return wired(
    rewordingAnswers(on('POST', /\/v1\/consents$/), ({ members }) => {
      created.add(members['consentId'])
      return undefined
    }),
    rewordingAnswers(IS_REFRESH, ({ status }, { body }) =>
      status === 404 && !created.has(parsedMembers(body)?.['consentId'])
        ? { status: 202, json: { taskId: `task-${created.size}` } }
        : undefined,
    ),
  )
})

/** Refreshes the consent that a request names, with a token that was granted for it, in addition to the correct answer. */
const refreshingTheNamed =
  ({ isAnswered }: { readonly isAnswered: boolean }): Wire =>
  (next) => {
    const tokens = new Map<unknown, string>()
    return async (request) => {
      const body = await request.clone().text()
      if (IS_REFRESH(request)) {
        const token = tokens.get(parsedMembers(body)?.['consentId'])
        const own = bearerIn(request.headers) ?? ''
        const isForeign = token !== undefined && token !== own && [...tokens.values()].includes(own)
        if (isForeign) await next(withToken(request, token))
        return next(isForeign && isAnswered ? withToken(request, own) : request)
      }
      const response = await next(request)
      const [, consentId] = new URLSearchParams(body).get('scope')?.split(':') ?? []
      if (!pathOf(request).endsWith('/token') || consentId === undefined || !response.ok) return response
      const token = parsedMembers(await response.clone().text())?.['access_token']
      if (typeof token === 'string') tokens.set(consentId, token)
      return response
    }
  }

/** Accepts refreshes of the consents that such a client has created. */
const acceptingConsentsOf = (
  isMeant: (creator: string | undefined, clientId: string) => boolean,
): RuleChange =>
  knowingConsents((created) =>
    where(
      ({ grant, consentId }) =>
        isMeant(created.find((one) => one.consentId === consentId)?.clientId, grant.clientId),
      { mayRefreshConsent: () => true },
    ),
  )

export const consentDefects: readonly Defect[] = [
  ...breaking(REF.anotherConsentIsNotRefreshed, {
    'refresh-takes-any-consent': {
      story: 'Every token may refresh every consent.',
      rules: { mayRefreshConsent: () => true },
    },
    'refresh-takes-consents-of-the-application': {
      story: 'A token may refresh every consent of its application.',
      rules: acceptingConsentsOf((creator, clientId) => creator === clientId),
    },
    'refresh-takes-consents-of-other-applications': {
      story: 'A token is checked only for consents of its own application: those of others are refreshed.',
      rules: acceptingConsentsOf((creator, clientId) => creator !== clientId),
    },
    'refresh-takes-the-newest-consent': {
      story: 'Every token may refresh the consent that was created last, whether or not it was granted.',
      rules: knowingConsents((created) =>
        where(({ consentId }) => created.at(-1)?.consentId === consentId, { mayRefreshConsent: () => true }),
      ),
    },
    'refused-refresh-of-another-consent-is-carried-out': {
      story: 'A refresh of another consent is refused, and its task is started all the same.',
      wire: refreshingTheNamed({ isAnswered: false }),
    },
    'refresh-of-the-own-consent-refreshes-the-named-one-too': {
      story: 'A refresh updates the consent of the token, and also the one that the request names.',
      wire: refreshingTheNamed({ isAnswered: true }),
    },
  }),
  ...breaking(REF.unknownConsentIsNotRefreshed, {
    'refresh-takes-unknown-consents': {
      story: 'A refresh of a consent that does not exist is answered with a taskId.',
      wire: acceptingUnknownConsents,
    },
  }),
]
