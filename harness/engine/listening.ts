import type { Listening } from '../session/webhooks/sink/server.ts'
import type { Certification } from './certification.ts'

/** Where the webhook sink listens, and what the target is told of it. */

interface Given extends Pick<Certification, 'profile' | 'baseUrl'> {
  readonly webhookUrl?: string | undefined
}

/** The embedded bank stands beside it, whatever the options say of the way from elsewhere. */
const BESIDE: Listening = { host: '127.0.0.1', port: 0 }

/** A free port is of no use behind an address that names one: then that one is taken. */
const portBehind = (webhookUrl: string): number => Number(new URL(webhookUrl).port)

export const listeningOf = ({ profile, baseUrl, webhookUrl }: Given): Listening => {
  if (baseUrl === undefined) return BESIDE
  const { listen, tls, selfSigned } = profile.webhooks
  const port = listen.port === 0 && webhookUrl !== undefined ? portBehind(webhookUrl) : listen.port
  return {
    host: listen.host,
    port,
    tls: tls ?? (selfSigned ? 'self-made' : undefined),
    publicUrl: webhookUrl,
  }
}

/** As the plan says it, before anything listens. */
export const describeListening = ({ host, port, tls, publicUrl }: Listening): string => {
  const place = port === 0 ? `a free port of ${host}` : `${host}:${port}`
  const how = tls === undefined ? 'HTTP' : 'HTTPS'
  return publicUrl === undefined
    ? `a sink listens on ${place} (${how})`
    : `a sink listens on ${place} (${how}); the target is told ${publicUrl}`
}
