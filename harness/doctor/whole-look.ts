import { createRedactor } from '../evidence/redaction.ts'
import { standingHeaders } from '../profile/connection.ts'
import { createHttp } from '../session/http.ts'
import { openConnections } from '../target/connections.ts'
import { examineBindings } from './bindings.ts'
import { examineClients } from './clients.ts'
import { leftOut } from './first-look.ts'
import { examineLevers } from './levers.ts'
import { examineOtherPlaces } from './other-places.ts'
import { examineClientCertificate } from './tls.ts'
import { examineTokens } from './tokens.ts'
import { examineWebhook } from './webhook.ts'
import type { Journal } from '../evidence/journal.ts'
import type { Http } from '../session/http.ts'
import type { Connections } from '../target/connections.ts'
import type { Chart } from './chart.ts'
import type { FirstLook } from './first-look.ts'
import type { Findings, Visit } from './patient.ts'

/** All that can be told of a target without a customer, once the short form has seen that it answers. */

interface Looking {
  readonly visit: Visit
  readonly chart: Chart
  readonly journal: Journal
  readonly first: FirstLook
  /** Begins the ids of the exchanges. */
  readonly scenario: string
}

/** One step; each has exchanges of its own. */
interface Step {
  readonly name: string
  readonly take: (visit: Visit, http: Http) => Promise<Findings>
}

const REQUESTS: readonly Step[] = [
  { name: 'base paths', take: examineOtherPlaces },
  { name: 'applications', take: examineClients },
  { name: 'tokens', take: examineTokens },
  { name: 'levers', take: examineLevers },
]

export const wholeLook = async (looking: Looking): Promise<void> => {
  const { visit, chart } = looking
  await lookAtTarget(looking)
  // What is known of the target comes first: it may have answered what is guessed, or be the wrong one.
  if (looking.first.reach.reached) await chart.step('bindings', async () => examineBindings(visit))
}

const lookAtTarget = async (looking: Looking): Promise<void> => {
  const { visit, chart, first } = looking
  const webhook = (): Promise<void> => chart.step('webhook', () => examineWebhook(visit))
  if (!first.reach.reached) {
    const names = [...REQUESTS.map(({ name }) => name), 'bindings'].join(', ')
    chart.note([leftOut(names, first.findings)])
    return webhook()
  }
  const connections = openConnections(visit.patient.profile, visit.env)
  try {
    await Promise.all([
      webhook(),
      chart.step('client certificate', async () => clientCertificate(visit, first)),
      ...REQUESTS.map(({ name, take }) =>
        chart.step(name, () => take(visit, openHttp(looking, connections, name))),
      ),
    ])
  } finally {
    await connections.close()
  }
}

const clientCertificate = async (visit: Visit, { line, findings }: FirstLook): Promise<Findings> => {
  const isRefused = findings.some(({ code }) => code === 'NET-TLS-9')
  if (line.open === undefined || isRefused || !visit.patient.baseUrl.startsWith('https:')) return []
  return examineClientCertificate(visit, line.open)
}

/** What a customer's authorization takes, and no more: nothing is paid, applied for or refreshed. */
const HARMLESS = ['read', 'consent'] as const

const openHttp = ({ visit, journal, scenario }: Looking, { dispatcher }: Connections, name: string): Http => {
  const { profile, baseUrl, secrets } = visit.patient
  const allowed = profile.allow[profile.environment]
  return createHttp({
    scenario: `${scenario}:${name.replaceAll(' ', '-')}`,
    dispatcher,
    origins: [baseUrl, ...profile.origins].map((address) => new URL(address).origin),
    allowed: HARMLESS.filter((effect) => allowed.includes(effect)),
    headers: standingHeaders(profile.headers),
    requestMs: visit.patience.ms,
    now: () => new Date(),
    redactor: createRedactor(secrets),
    journal,
    onExchange: () => undefined,
    ends: visit.patience.ends,
  })
}
