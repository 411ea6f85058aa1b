import { renderFault } from '../evidence/fault.ts'
import { openTargetHttp } from './target-http.ts'
import type { Exchange, Fault } from '../evidence/exchange.ts'
import type { Journal } from '../evidence/journal.ts'
import type { KnownSecret } from '../evidence/redaction.ts'
import type { Profile } from '../profile/schema.ts'

export interface ProbeOptions {
  /** Begins the ids of its exchanges: `probe`, if it is left out. */
  readonly scenario?: string
  readonly journal: Journal
  readonly secrets: readonly KnownSecret[]
  readonly signal: AbortSignal
  /** Where HTTPS_PROXY and its like are read: this process's, if it is left out. */
  readonly env?: NodeJS.ProcessEnv
}

/** `doubt`: why it may be the wrong place all the same. `exchanges` are the ids of what was tried. */
export type Reach =
  | { readonly reached: true; readonly doubt?: string; readonly exchange?: Exchange }
  | {
      readonly reached: false
      readonly because: string
      readonly exchanges: readonly string[]
      readonly fault: Fault
    }

/**
 * Whether anything answers at a base URL, before a run spends its time on it. Any HTTP response will do.
 * @throws the reason of the signal, once that is aborted.
 */
export const probe = async (
  profile: Profile,
  baseUrl: string,
  { scenario = 'probe', signal, ...options }: ProbeOptions,
): Promise<Reach> => {
  const exchanges: Exchange[] = []
  const { http, close } = openTargetHttp({
    profile,
    baseUrl,
    scenario,
    signal,
    origins: [new URL(baseUrl).origin],
    allowed: { sandbox: ['read'], production: ['read'] },
    onExchange: (exchange) => exchanges.push(exchange),
    ...options,
  })
  const url = baseUrl + profile.basePaths[profile.environment] + profile.operations.listAccounts.path
  try {
    const exchange = await http.send({
      operation: 'probe',
      sender: 'probe',
      method: 'GET',
      url,
      headers: [],
    })
    signal.throwIfAborted()
    const { fault, response } = exchange
    if (response?.status === 404) return { reached: true, doubt: doubtOf(url), exchange }
    if (fault === undefined || fault.status !== undefined) return { reached: true, exchange }
    return { reached: false, because: renderFault(fault), exchanges: exchanges.map(({ id }) => id), fault }
  } finally {
    await close()
  }
}

const doubtOf = (url: string): string =>
  `${url} answers 404: if much fails now, look at the base URL, and at \`basePaths\` and \`operations\` of the profile`
