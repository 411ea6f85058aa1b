import { Agent, request } from 'undici'
import { sinkAddressOf } from '../../engine/sink-address.ts'
import { NotReached } from '../../evidence/signals.ts'
import { testHooksIn } from '../../profile/test-hooks.ts'
import { openSink, type RunningSink } from '../../session/webhooks/sink/server.ts'
import {
  codeOf,
  hostOf,
  within,
  type Address,
  type Examination,
  type ExaminedTarget,
} from '../../connection/first-contact/examination.ts'
import { findingOf, type Finding, type Findings } from '../../connection/first-contact/finding.ts'
import {
  isOnThisMachine,
  resolveName,
  scopeOf,
  SCOPES,
  type Scope,
} from '../../connection/first-contact/route.ts'

/** Examines whether the target can call this machine: the host of the webhook URL, the local port, and a call. */

export const examineWebhook = async (examination: Examination): Promise<Findings> => {
  const { target } = examination
  const { profile, baseUrl, webhookUrl } = target
  if (webhookUrl === undefined) return withoutUrl(target)
  const { addresses, findings } = await resolveName(examination, hostOf(new URL(webhookUrl)))
  const unresolved = findings.find(({ code }) => code === 'NET-DNS-1')
  if (unresolved !== undefined) return [findingOf('NET-HOOK-1', { cause: unresolved.cause })]
  const unreachable = await outOfReach(examination, webhookUrl, addresses)
  const sink = await openSink(sinkAddressOf({ profile, baseUrl, webhookUrl })).catch((error: unknown) => {
    if (error instanceof NotReached) return findingOf('NET-HOOK-3', { cause: `${error.message}.` })
    throw error
  })
  if ('code' in sink) return [...unreachable, sink]
  try {
    return [...unreachable, await callBack(examination, sink, webhookUrl)]
  } finally {
    await sink.close()
  }
}

/** A target on this machine can call the sink without a webhook URL. */
const withoutUrl = ({ profile, baseUrl }: ExaminedTarget): Findings => {
  const isBound =
    testHooksIn(profile).configureWebhook !== undefined || profile.webhooks.configured.length > 0
  if (!isBound || isOnThisMachine(baseUrl)) return []
  const cause = 'The profile configures webhooks, and the target is not on this machine.'
  return [findingOf('NET-HOOK-6', { cause })]
}

const narrowest = (addresses: readonly Address[]): Scope => {
  const scopes = addresses.map(({ address }) => scopeOf(address))
  return SCOPES.find((scope) => scopes.includes(scope)) ?? 'the internet'
}

/** A target on the internet cannot reach a private address. Other cases cannot be decided. */
const outOfReach = async (
  examination: Examination,
  webhookUrl: string,
  addresses: readonly Address[],
): Promise<Findings> => {
  const target = await resolveName(examination, hostOf(new URL(examination.target.baseUrl)))
  const [from, to] = [narrowest(target.addresses), narrowest(addresses)]
  if (SCOPES.indexOf(from) <= SCOPES.indexOf(to)) return []
  const cause = `${hostOf(new URL(webhookUrl))} is an address of ${to}, and the target is not there.`
  return [findingOf('NET-HOOK-2', { cause })]
}

/** Calls the webhook URL as the target would. The certificate is not verified, since only the target's trust matters. */
const callBack = async (
  { timeout }: Examination,
  { sink }: RunningSink,
  webhookUrl: string,
): Promise<Finding> => {
  const address = sink.open(() => undefined)
  const agent = new Agent({ connect: { rejectUnauthorized: false, timeout: timeout.ms } })
  try {
    const sent = request(address.url, { method: 'POST', dispatcher: agent, body: '{}' })
    const { statusCode, body } = await within(sent, timeout)
    await body.dump()
    if (sink.calls > 0)
      return findingOf('NET-HOOK-5', { cause: `A call to ${webhookUrl} arrived at the sink.` })
    const cause = `A call to ${webhookUrl} is answered with ${statusCode}, and not by the sink.`
    return findingOf('NET-HOOK-4', { cause })
  } catch (error) {
    timeout.signal.throwIfAborted()
    return findingOf('NET-HOOK-4', { cause: `A call to ${webhookUrl}: ${codeOf(error)}.` })
  } finally {
    address.close()
    await agent.destroy()
  }
}
