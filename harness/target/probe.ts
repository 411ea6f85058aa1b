import { Agent } from 'undici'
import { renderFault } from '../evidence/fault.ts'
import { createHttp } from '../session/http.ts'
import { recorder } from '../evidence/recorder.ts'
import type { Journal } from '../evidence/journal.ts'
import type { Redactor } from '../evidence/redaction.ts'
import type { Profile } from '../profile/schema.ts'

/** Whether anything answers at a base URL, before a run spends its time on it. Any HTTP response will do. */
export const probe = async (
  profile: Profile,
  baseUrl: string,
  { journal, redactor }: { readonly journal: Journal; readonly redactor: Redactor },
): Promise<{ readonly reached: true } | { readonly reached: false; readonly because: string }> => {
  const agent = new Agent({ connect: { timeout: profile.deadlines.requestMs } })
  const http = createHttp({
    scenario: 'probe',
    dispatcher: agent.compose(recorder),
    origins: [new URL(baseUrl).origin],
    allowed: ['read'],
    headers: profile.headers,
    requestMs: profile.deadlines.requestMs,
    now: () => new Date(),
    redactor,
    journal,
    onExchange: () => undefined,
  })
  const url = baseUrl + profile.basePaths[profile.environment] + profile.operations.listAccounts.path
  const { fault } = await http.send({ operation: 'probe', sender: 'probe', method: 'GET', url, headers: [] })
  await agent.destroy()
  if (fault === undefined || fault.status !== undefined) return { reached: true }
  return { reached: false, because: renderFault(fault) }
}
