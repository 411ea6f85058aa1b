import { alter, defectsOf, when, type Defect, type FactsOf, type Past } from '../../shared/changes.ts'
import { REF } from '../requirements.ts'

/** Wrong reports of the begin and the end of a refresh. */

type Stage = FactsOf<'refreshStages'>

/** Reports another status in the place of FINISHED, or none for undefined. */
const endWith = (
  status: string | undefined,
  where: (facts: Stage, past: Past<'refreshStages'>) => boolean = () => true,
) =>
  alter({
    refreshStages: (usual, facts, past) =>
      where(facts, past)
        ? usual.map((stage) => (stage.status === 'FINISHED' ? { ...stage, status } : stage))
        : usual,
  })

const isRepeated = ({ consent, share }: Stage, { of }: Past<'refreshStages'>): boolean =>
  of('refreshStages').some(
    ({ facts }) => facts.consent.consentId === consent.consentId && facts.share.bankCode === share.bankCode,
  )

/** Reports a task under the first consent of the application. */
const underTheFirstConsent = alter(
  {
    accountEventBody: (_, { client, consent, ...facts }, { of, rules }) => {
      const first = of('newConsentId').find((call) => call.facts.client.clientId === client.clientId)
      const consentId = first?.answer ?? consent.consentId
      return rules.accountEventBody({ ...facts, client, consent: { ...consent, consentId } })
    },
  },
  'newConsentId',
)

export const reportDefects: readonly Defect[] = [
  ...defectsOf([REF.taskIsReportedAsFinished], {
    'A bank is reported as RUNNING, and never as FINISHED': endWith('RUNNING'),
    'The end of a refresh is not reported': endWith(undefined),
    'The last taskStatus of a refresh is DONE': endWith('DONE'),
    'Only the first bank of a refresh is reported as FINISHED': endWith(undefined, ({ place }) => place > 0),
    'The end is reported only for the first consent of an application': alter({
      recipients: (usual, { event, consent: { clientId, consentId } }, { of }) => {
        const [first] = of('recipients').filter(
          ({ facts }) => facts.event === 'accountEvent' && facts.consent.clientId === clientId,
        )
        const isOfAnother = first !== undefined && first.facts.consent.consentId !== consentId
        return event === 'accountEvent' && isOfAnother ? [] : usual
      },
    }),
    'The end is reported only for the first refresh of a consent': endWith(undefined, isRepeated),
    'A refresh while another one of its consent is under way has a taskId that is never reported': alter({
      bankShares: (usual, { now, consent: { consentId } }, { of }) =>
        of('bankShares').some(
          ({ facts, answer }) =>
            answer.length > 0 &&
            facts.consent.consentId === consentId &&
            now.getTime() - facts.now.getTime() < 10_000,
        )
          ? []
          : usual,
    }),
  }),
  ...defectsOf([REF.refreshReportsNoOtherConsent, 'WEB-32'], {
    'The events of every refresh have the first consent of the application': underTheFirstConsent,
    'Until a refresh is FINISHED, its events have the first consent of the application': when(
      ({ status }) => status !== 'FINISHED',
      underTheFirstConsent,
    ),
  }),
]
