import {
  accept,
  alter,
  defectsOf,
  isFor,
  when,
  refusal,
  refuseWith,
  type Call,
  type Defect,
  type FactsOf,
} from '../../shared/changes.ts'
import { REF } from '../requirements.ts'

/** Refreshes of consents that the token was not granted for. */

type Asked = FactsOf<'mayRefreshConsent'>

/** Accepts refreshes of such consents; `created` are all consents, in their order. */
const acceptConsents = (isMeant: (asked: Asked, created: readonly Call<'newConsentId'>[]) => boolean) =>
  alter(
    { mayRefreshConsent: (usual, asked, { of }) => usual || isMeant(asked, of('newConsentId')) },
    'newConsentId',
  )

/** Whether the application of the token has created the consent. */
const isOwn = ({ consentId, grant }: Asked, created: readonly Call<'newConsentId'>[]): boolean =>
  created.some(({ answer, facts }) => answer === consentId && facts.client.clientId === grant.clientId)

export const consentDefects: readonly Defect[] = [
  ...defectsOf([REF.anotherConsentIsNotRefreshed], {
    'Every token may refresh every consent': accept('mayRefreshConsent'),
    'A token may refresh every consent of its application': acceptConsents(isOwn),
    'A token is not checked for consents of other applications: they are refreshed': acceptConsents(
      (asked, created) => !isOwn(asked, created),
    ),
    'Every token may refresh the consent that was created last, granted or not': acceptConsents(
      ({ consentId }, created) => created.at(-1)?.answer === consentId,
    ),
    'A refresh updates the consent of the token, and also the one of the request': alter(
      {
        consentToRefresh: (usual, { named, grant }, { of }) =>
          of('newConsentId').some(({ answer }) => answer === named) ? grant.consentId : usual,
        consentsRefreshed: (usual, { consents }, { of }) => {
          const named = of('consentToRefresh').at(-1)?.facts.named
          return [...new Set([...usual, ...consents.filter(({ consentId }) => consentId === named)])]
        },
      },
      'newConsentId',
    ),
  }),
  ...defectsOf([REF.anotherConsentIsNotRefreshed, REF.unknownConsentIsNotRefreshed], {
    'A refresh of a consent that the token is not for is answered with the status 500': when(
      isFor('refresh'),
      refuseWith('consent_unknown', 500),
    ),
  }),
  ...defectsOf([REF.unknownConsentIsNotRefreshed], {
    'A refresh of a consent that does not exist is answered with a taskId': refusal(
      'refresh',
      (_, { members: { consentId } }, { earlier }) =>
        consentId === undefined || earlier.some(({ answer }) => answer.members['consentId'] === consentId)
          ? undefined
          : { status: 202, json: { taskId: crypto.randomUUID() } },
      'createConsent',
    ),
  }),
]
