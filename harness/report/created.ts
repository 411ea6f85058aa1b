import { readApplications } from './applications.ts'
import { readConsents } from './consents.ts'
import { readPayments } from './payments.ts'
import { readSettings } from './webhook-settings.ts'
import type { Profile } from '../profile/schema.ts'
import type { Report } from './schema.ts'
import type { NamedApplication } from './webhook-settings.ts'

/** What a run has left at its target: all that it has created, and what became of that. */

export type Created = NonNullable<Report['created']>[number]

/** The scenario that begins the id of an exchange, whichever try it was of. */
export const scenarioIn = (exchange: string): string =>
  /^[a-z0-9-]+\/[a-z0-9-]+(@\w+)?/.exec(exchange)?.[0] ?? exchange

/** Statuses in which an application rests: nothing deletes it, and it needs no deleting. */
const RESTING: ReadonlySet<string> = new Set(['CANCELED', 'EXPIRED', 'LOAN_DISBURSED'])

const NOT_TAKEN_BACK = 'the interface has no operation that takes a payment back'

interface Origin {
  readonly kind: Created['kind']
  readonly id: string
  /** The exchange that created it. */
  readonly exchange: string
}

const cleaned = ({ kind, id, exchange }: Origin): Created => ({
  ...{ kind, id, scenario: scenarioIn(exchange), exchange, cleaned: true },
})

const left = (origin: Origin, because: string): Created => ({ ...cleaned(origin), cleaned: false, because })

const paymentsIn = (file: string): readonly Created[] =>
  readPayments(file).map(({ orderId, initiation }) =>
    left({ kind: 'payment', id: orderId, exchange: initiation }, NOT_TAKEN_BACK),
  )

const applicationsIn = (file: string, loans: Profile['loans']): readonly Created[] =>
  readApplications(file, loans).map(({ applicationId, submission, canceled, status = '' }) => {
    const origin = { kind: 'application', id: applicationId, exchange: submission } as const
    if (canceled) return cleaned(origin)
    return RESTING.has(status) ? left(origin, `it has ended as ${status}`) : left(origin, UNTRIED)
  })

const consentsIn = (file: string): readonly Created[] =>
  readConsents(file).map(({ consentId, creation, revoked }) => {
    const origin = { kind: 'consent', id: consentId, exchange: creation } as const
    return revoked ? cleaned(origin) : left(origin, UNTRIED)
  })

const settingsIn = (file: string, applications: readonly NamedApplication[]): readonly Created[] =>
  readSettings(file, applications).map(({ application, change, restored }) => {
    const origin = { kind: 'webhook settings', id: application, exchange: change } as const
    return restored ? cleaned(origin) : left(origin, 'the run could not put them back')
  })

/** What nobody has tried to clean up yet. */
export const UNTRIED = 'the run ended before it was tried'

/** @param file the evidence of the run. */
export const readCreated = (
  file: string,
  { loans }: Pick<Profile, 'loans'>,
  applications: readonly NamedApplication[],
): readonly Created[] => [
  ...paymentsIn(file),
  ...applicationsIn(file, loans),
  ...consentsIn(file),
  ...settingsIn(file, applications),
]
