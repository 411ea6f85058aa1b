import { REF } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** Tasks whose course is reported wrongly. */

type Stage = ReturnType<Rules['refreshStages']>[number]
type StageFacts = Parameters<Rules['refreshStages']>[0]
type EventFacts = Parameters<Rules['accountEventBody']>[0]

/** Reports something else at the end of a task, where that is the case. */
const endingWith =
  (
    status: Stage['status'],
    isWrong: (facts: StageFacts, count: number) => boolean = () => true,
  ): RuleChange =>
  (lawful) => {
    const counts = new Map<string, number>()
    return {
      refreshStages: (facts) => {
        const key = `${facts.consent.consentId} ${facts.share.bankCode}`
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        return lawful
          .refreshStages(facts)
          .map((stage) =>
            stage.status === 'FINISHED' && isWrong(facts, count) ? { ...stage, status } : stage,
          )
      },
    }
  }

const NAMES_ITS_CONSENT = { id: 'WEB-32' }

/** Reports a task under the first consent of the application, where that is the case. */
const underTheFirstConsent =
  (isWrong: (facts: EventFacts) => boolean): RuleChange =>
  (lawful) => {
    const first = new Map<string, string>()
    return {
      newConsentId: (facts) => {
        const consentId = lawful.newConsentId(facts)
        const { clientId } = facts.client
        if (!first.has(clientId)) first.set(clientId, consentId)
        return consentId
      },
      accountEventBody: (facts) => {
        const consentId = first.get(facts.client.clientId) ?? facts.consent.consentId
        return lawful.accountEventBody(
          isWrong(facts) ? { ...facts, consent: { ...facts.consent, consentId } } : facts,
        )
      },
    }
  }

export const defectsOfReporting: readonly Defect[] = [
  {
    id: 'refresh-is-never-finished',
    story: 'A bank that is updated is reported as RUNNING, and then no more.',
    breaks: [REF.taskIsReportedAsFinished],
    rules: endingWith('RUNNING'),
  },
  {
    id: 'end-of-a-refresh-is-not-reported',
    story: 'Nothing is reported when a bank is updated.',
    breaks: [REF.taskIsReportedAsFinished],
    rules: endingWith(undefined),
  },
  {
    id: 'refresh-is-done',
    story: 'The last taskStatus of a refresh is DONE.',
    breaks: [REF.taskIsReportedAsFinished],
    rules: endingWith('DONE'),
  },
  {
    id: 'refresh-is-finished-in-small-letters',
    story: 'The last taskStatus of a refresh is finished, in small letters.',
    breaks: [REF.taskIsReportedAsFinished],
    rules: endingWith('finished'),
  },
  {
    id: 'second-bank-is-never-finished',
    story: 'A task is taken for FINISHED when its first bank is.',
    breaks: [REF.taskIsReportedAsFinished],
    rules: endingWith(undefined, ({ place }) => place > 0),
  },
  {
    id: 'second-refresh-is-never-finished',
    story: 'The end of a refresh is reported once for a consent.',
    breaks: [REF.taskIsReportedAsFinished],
    rules: endingWith(undefined, (_, count) => count > 1),
  },
  {
    id: 'refresh-is-reported-under-the-first-consent',
    story: 'The events of every refresh name the first consent of the application.',
    breaks: [REF.refreshReportsNoOtherConsent, NAMES_ITS_CONSENT],
    rules: underTheFirstConsent(() => true),
  },
  {
    id: 'begin-of-a-refresh-is-reported-under-the-first-consent',
    story: 'The event with which a refresh begins names the first consent of the application.',
    breaks: [REF.refreshReportsNoOtherConsent, NAMES_ITS_CONSENT],
    rules: underTheFirstConsent(({ status }) => status === 'RUNNING'),
  },
]
