import { Agent, request } from 'undici'
import { NotReached } from '../evidence/signals.ts'
import { listeningOf } from '../run/listening.ts'
import { openSink } from '../sink/server.ts'
import { find } from './finding.ts'
import { resolveName } from './line.ts'
import { codeOf, within } from './network.ts'
import { hostOf } from './patient.ts'
import { isOnThisMachine, placeOf } from './places.ts'
import type { RunningSink } from '../sink/server.ts'
import type { Findings, Visit } from './patient.ts'
import type { Place } from './places.ts'

/** Whether the target can call back: the name, the port behind it, and the way from the one to the other. */

export const examineWebhook = async (visit: Visit): Promise<Findings> => {
  const { profile, baseUrl, webhookUrl } = visit.patient
  if (webhookUrl === undefined) return withoutUrl(visit)
  const { addresses, findings } = await resolveName(visit, hostOf(new URL(webhookUrl)))
  const unresolved = findings.find(({ code }) => code === 'NET-DNS-1')
  if (unresolved !== undefined) return [find('NET-HOOK-1', { cause: unresolved.cause })]
  const narrow = narrowest(addresses.map(({ address }) => placeOf(address)))
  const shut = await isShutOff(visit, narrow)
  const opened = await open(() => openSink(listeningOf({ profile, baseUrl, webhookUrl })))
  if ('because' in opened) return [...shut, find('NET-HOOK-3', { cause: `${opened.because}.` })]
  try {
    return [...shut, ...(await callBack(visit, opened.running, webhookUrl))]
  } finally {
    await opened.running.close()
  }
}

/** Where both are on this machine, the sink has an address of its own. */
const withoutUrl = ({ patient: { profile, baseUrl } }: Visit): Findings => {
  const isSet = profile.levers.configureWebhook !== undefined || profile.webhooks.configured.length > 0
  if (!isSet || isOnThisMachine(baseUrl)) return []
  return [
    find('NET-HOOK-6', {
      cause: 'The profile says how webhooks are set, and the target is not on this machine.',
    }),
  ]
}

const PLACES: readonly Place[] = ['this machine', 'a private network', 'everywhere']

const narrowest = (places: readonly Place[]): Place =>
  PLACES.find((place) => places.includes(place)) ?? 'everywhere'

/** A target cannot be asked whether it reaches an address; that it does not, the kind of the address tells. */
const isShutOff = async (visit: Visit, narrow: Place): Promise<Findings> => {
  const { baseUrl, webhookUrl = '' } = visit.patient
  const target = await resolveName(visit, hostOf(new URL(baseUrl)))
  const place = narrowest(target.addresses.map(({ address }) => placeOf(address)))
  if (PLACES.indexOf(place) <= PLACES.indexOf(narrow)) return []
  const host = hostOf(new URL(webhookUrl))
  return [
    find('NET-HOOK-2', { cause: `${host} is an address of ${narrow}, and the target stands elsewhere.` }),
  ]
}

type Opened = { readonly running: RunningSink } | { readonly because: string }

const open = async (start: () => Promise<RunningSink>): Promise<Opened> => {
  try {
    return { running: await start() }
  } catch (error) {
    if (error instanceof NotReached) return { because: error.message }
    throw error
  }
}

/** Calls the user's own address, as the target would. Whatever certificate it has is the target's to judge. */
const callBack = async (
  { patience }: Visit,
  { sink }: RunningSink,
  webhookUrl: string,
): Promise<Findings> => {
  const address = sink.open(() => undefined)
  const agent = new Agent({ connect: { rejectUnauthorized: false, timeout: patience.ms } })
  try {
    const calling = request(address.url, { method: 'POST', dispatcher: agent, body: '{}' })
    const { statusCode, body } = await within(calling, patience)
    await body.dump()
    return sink.calls > 0
      ? [find('NET-HOOK-5', { cause: `A call to ${webhookUrl} came to the sink.` })]
      : [
          find('NET-HOOK-4', {
            cause: `A call to ${webhookUrl} is answered with ${statusCode}, and not by the sink.`,
          }),
        ]
  } catch (error) {
    patience.ends.throwIfAborted()
    return [find('NET-HOOK-4', { cause: `A call to ${webhookUrl}: ${codeOf(error)}.` })]
  } finally {
    address.close()
    await agent.destroy()
  }
}
