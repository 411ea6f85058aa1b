import { exchangesOf } from './evidence-lines.ts'
import type { Exchange } from '../evidence/exchange.ts'

/** Every change of webhook settings that a run has made, with what became of it: read from the evidence. */

export interface ReportedSettings {
  /** The name of the application. */
  readonly application: string
  /** The exchange that changed them first, by its id. */
  readonly change: string
  /** Whether they were put back when the scenario had ended. */
  readonly restored: boolean
}

/** An application by its name, and its id as the evidence has it. */
export interface NamedApplication {
  readonly name: string
  readonly shownId: string
}

/** What is put back has ids of its own. */
const BACK = ':end/'

const actOf = (id: string): string => id.replace(/(:end)?\/\d+$/, '')

const nameIn = ({ request }: Exchange, applications: readonly NamedApplication[]): string => {
  const text = `${request.url} ${request.body?.text ?? ''}`
  const named = applications.find(
    ({ shownId }) => text.includes(shownId) || text.includes(encodeURIComponent(shownId)),
  )
  return named?.name ?? 'unknown'
}

/** @param file the evidence of the run. */
export const readSettings = (
  file: string,
  applications: readonly NamedApplication[],
): readonly ReportedSettings[] => {
  const changes = new Map<string, ReportedSettings>()
  for (const exchange of exchangesOf(file, ['configureWebhook'])) {
    const isBack = exchange.id.includes(BACK)
    // Of what was never answered nobody knows whether it was done: the worse is taken for true.
    const status = exchange.response?.status ?? (isBack ? 500 : 200)
    if (status >= 300) continue
    const application = nameIn(exchange, applications)
    const key = `${actOf(exchange.id)} ${application}`
    const known = changes.get(key) ?? { application, change: exchange.id, restored: false }
    changes.set(key, { ...known, restored: isBack })
  }
  return [...changes.values()]
}
