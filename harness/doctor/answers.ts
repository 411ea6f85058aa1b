import { headerOf } from '../evidence/exchange.ts'
import { renderFault } from '../evidence/fault.ts'
import { clockOffsetOf } from '../report/clock-offset.ts'
import { find } from './finding.ts'
import type { Exchange, Fault, ReceivedResponse } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Code, Finding } from './finding.ts'
import type { Findings } from './patient.ts'

/** What an answer says of the place that it comes from. */

/** Why nothing came at all, where the line itself is sound. */
export const judgeFault = (fault: Fault): Finding =>
  find(CODE_OF_FAULT[fault.kind], { cause: `${renderFault(fault)}.` })

const CODE_OF_FAULT: Readonly<Record<Fault['kind'], Code>> = {
  unresolved: 'NET-DNS-1',
  refused: 'NET-TCP-1',
  tls: 'NET-TLS-10',
  timeout: 'TGT-HTTP-1',
  reset: 'TGT-HTTP-2',
  protocol: 'TGT-HTTP-3',
  'too-large': 'TGT-HTTP-3',
}

/** Whether a page for people came, as a gateway or a web site has them. */
const isPage = ({ headers }: ReceivedResponse): boolean =>
  /\b(text\/html|application\/xhtml)/i.test(headerOf(headers, 'content-type') ?? '')

/**
 * Whether an interface answers there: a request without a token is refused in any way, but not by a page, not by a
 * redirect, and not because nothing is there.
 * @param key the key of the profile that the address comes from.
 */
export const judgePlace = ({ request, response, fault }: Exchange, key: string): Finding => {
  const place = `GET ${request.url} (${key})`
  if (response === undefined) {
    const why = fault === undefined ? 'no answer' : renderFault(fault)
    return find('TGT-HTTP-5', { cause: `${place}: ${why}.` })
  }
  const { status } = response
  const cause = `${place} answers ${status}.`
  if (status === 404) return find('TGT-PATH-2', { cause })
  if (status >= 300 && status < 400) {
    const location = headerOf(response.headers, 'location') ?? 'nowhere'
    return find('TGT-PATH-4', {
      cause: `${place} answers ${status} and leads to ${location.replace(/\?.*$/s, '?…')}.`,
    })
  }
  if (isPage(response)) {
    // How a refusal looks is not shown: a bank may say it with a page.
    const mayBeRefusal = status >= 400 && status < 500
    const said = `${place} answers ${status} with a page (HTML).`
    return find('TGT-PATH-3', { cause: said, ...(mayBeRefusal && { level: 'notice' as const }) })
  }
  if (status >= 500) return find('TGT-HTTP-4', { cause })
  return find('TGT-PATH-1', { cause })
}

/** A header is cut to the second, and nobody is to blame for a few of them. */
const FAR_MS = 30_000

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** How far the target's clock is from that of this machine, by the Date header of its answer. */
export const judgeClock = (exchange: Exchange): Findings => {
  if (exchange.response === undefined) return []
  const offset = clockOffsetOf([exchange])
  if (offset === undefined) {
    const cause = 'Its answer has no Date header, or none that can be read.'
    return [find('NET-TIME-3', { cause })]
  }
  const { least, most } = offset
  const cause = `The target is ahead by ${seconds(least)} to ${seconds(most)} (a Date header is cut to the second).`
  const isFar = least > FAR_MS || most < -FAR_MS
  return [find(isFar ? 'NET-TIME-2' : 'NET-TIME-1', { cause })]
}

/** Whether the time of the target is not that of the world: then its Date header tells nothing. */
export const hasOwnTime = ({ levers, clock }: Profile): boolean =>
  levers.advanceClock !== undefined || clock.speed !== 1
