/** Calls of the loan operations, and loan applications by their status, scenario and age. */
import { alter, isFor, type AnswerOf, type FactsOf } from '../../shared/changes.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const CREATION = 'CUSTOMER_CREATION_IN_PROGRESS'
export const IN_PROGRESS = 'LOAN_APPLICATION_IN_PROGRESS'
export const FINISHED = 'LOAN_APPLICATION_FINISHED'
export const DISBURSED = 'LOAN_DISBURSED'

export const isPrecalculation = isFor('loan-precalculation')
export const isSubmission = isFor('loan-submission')
export const isStatusCall = isFor('loan-status')
export const isDelete = isFor('loan-cancellation')

export type Status = AnswerOf<'firstLoanStatus'>
export type Scenario = FactsOf<'loanPath'>['scenario']
export type Facts = Pick<FactsOf<'applicationIsKept'>, 'application' | 'now'>
type OfAnApplication = Pick<Facts, 'application'>

export const isIn =
  (...statuses: readonly Status[]) =>
  ({ application }: OfAnApplication): boolean =>
    statuses.includes(application.status)

export const isOn =
  (scenario: Scenario | undefined) =>
  ({ application }: OfAnApplication): boolean =>
    application.scenario === scenario

/** NEW, and no scenario is selected. */
export const isUntouched = (facts: OfAnApplication): boolean => isIn('NEW')(facts) && isOn(undefined)(facts)

/** The time since its submission, in ms. */
export const ageOf = ({ application, now }: Facts): number =>
  now.getTime() - application.submittedAt.getTime()

export const isOlderThan =
  (ms: number) =>
  (facts: Facts): boolean =>
    ageOf(facts) > ms

/** Such applications are not found. */
export const hide = (where: (facts: OfAnApplication) => boolean) =>
  alter({ applicationNamed: (usual) => (usual && where({ application: usual }) ? undefined : usual) })

/** Other members of the answers to a GET of the status; undefined leaves one out. */
export const statusHas = (members: Readonly<Record<string, unknown>>) =>
  alter({ statusAnswer: (usual) => ({ ...usual, body: { ...usual.body, ...members } }) })
