import { createHash, createHmac } from 'node:crypto'

/** What the suite hands over of a payment request, as docs/profiles.md describes it. */
interface PaymentRequest {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly application: { readonly name: string }
}

const LINE_FEED = '\n'

/** The signature of a payment request, by the key of the application that sends it. */
export default function sign({ method, url, body, application }: PaymentRequest): Record<string, string> {
  const variable = `${application.name.toUpperCase()}_SIGNING`
  const key = process.env[variable]
  if (key === undefined) throw new Error(`the environment variable ${variable} is not set`)
  // Cut from the text, since the path is taken as it is sent.
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  const digest = createHash('sha256').update(body).digest('hex')
  const signature = createHmac('sha256', key).update([method, path, digest].join(LINE_FEED)).digest('hex')
  return { 'Lock-Signature': signature }
}
