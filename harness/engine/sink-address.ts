import type { Listening } from '../session/webhooks/sink/server.ts'
import type { RunInput } from './run-input.ts'

/** Where the webhook sink listens, and which address the target is given. */

interface SinkOptions extends Pick<RunInput, 'profile' | 'baseUrl'> {
  readonly webhookUrl?: string | undefined
}

/** The embedded bank is on this machine, whatever the profile says. */
const LOCAL: Listening = { host: '127.0.0.1', port: 0 }

/** If the public address has a port, the sink listens there by default. */
const portOf = (webhookUrl: string): number => Number(new URL(webhookUrl).port)

export const sinkAddressOf = ({ profile, baseUrl, webhookUrl }: SinkOptions): Listening => {
  if (baseUrl === undefined) return LOCAL
  const { listen, tls, selfSigned } = profile.webhooks
  const port = listen.port === 0 && webhookUrl !== undefined ? portOf(webhookUrl) : listen.port
  return {
    host: listen.host,
    port,
    tls: tls ?? (selfSigned ? 'self-made' : undefined),
    publicUrl: webhookUrl,
  }
}

export const describeSinkAddress = ({ host, port, tls, publicUrl }: Listening): string => {
  const place = port === 0 ? `a free port of ${host}` : `${host}:${port}`
  const how = tls === undefined ? 'HTTP' : 'HTTPS'
  return publicUrl === undefined
    ? `a sink listens on ${place} (${how})`
    : `a sink listens on ${place} (${how}); the target is given ${publicUrl}`
}
