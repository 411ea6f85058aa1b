import { leavesOf } from '../profile/binding/shape.ts'
import { NotReached } from '../evidence/signals.ts'
import { fieldOf, jsonOf, responseOf } from '../evidence/record/answer.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { WebhookReading } from '../profile/schema/test-hooks.ts'
import type { SecretsOf } from '../session/http/http.ts'
import type { WebhookSettings } from '../session/test-hooks.ts'

/** The webhook settings that a target's test hook tells, so that they can be put back. */

/** Of an application that was never set up. */
const NOT_FOUND = 404

interface Told {
  readonly settings: unknown
  readonly enabled: boolean | undefined
  readonly url: unknown
  readonly header: unknown
}

const toldIn = (exchange: Exchange, { result, fields }: WebhookReading): Told => {
  const json = jsonOf(exchange)
  const settings = result === undefined ? json : fieldOf(json, result)
  return {
    settings,
    enabled: isOn(fieldOf(settings, fields.enabled)),
    url: fieldOf(settings, fields.url),
    header: fieldOf(settings, fields.securityHeader),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** All that a security header may consist of (Events, Configuration, Webhook Security Header). */
const SECURITY_HEADER = /^[ a-zA-Z0-9=+/]*$/

/** A target may well hide what is secret, or a part of it: what stands in its place would be put back as the header. */
const isHidden = (header: string): boolean => !SECURITY_HEADER.test(header)

/** Whether the application is notified, in the interface's words as well (Events, Configuration, Webhook Enabled). */
const isOn = (enabled: unknown): boolean | undefined => {
  const word = typeof enabled === 'boolean' ? String(enabled) : typeof enabled === 'string' ? enabled : ''
  if (/^(true|yes)$/i.test(word)) return true
  return /^(false|no)$/i.test(word) ? false : undefined
}

const textsIn = (exchange: Exchange): readonly string[] =>
  leavesOf(jsonOf(exchange))
    .map(({ value }) => value)
    .filter(isText)

/** Nobody has set anything: there is no such application, nothing is said of it, or no address. */
const isUnset = (exchange: Exchange, clientId: string, reading: WebhookReading): boolean => {
  const { status, body } = responseOf(exchange)
  if (status === NOT_FOUND || body.text.trim() === '') return true
  const { settings, enabled, url } = toldIn(exchange, reading)
  const isEmpty = typeof settings === 'object' && settings !== null && Object.keys(settings).length === 0
  if (settings === null || isEmpty || url === null || url === '') return true
  // Where there is any other text, the address may stand there under another name.
  const isNoAddress = (text: string): boolean => text === clientId || isOn(text) !== undefined
  return enabled === false && url === undefined && textsIn(exchange).every(isNoAddress)
}

const unreadable = (
  { id }: Exchange,
  { fields: { enabled, url, securityHeader } }: WebhookReading,
): NotReached =>
  new NotReached(
    `the webhook settings could not be put back, so that they are not changed: \`testHooks.readWebhook\` answered (${id}) something else than \`${enabled}\`, true or false, Yes or No, \`${url}\`, a text, and \`${securityHeader}\`, a text that is not hidden or nothing; name these members in \`testHooks.readWebhook.fields\`, or leave the test hook out`,
  )

/**
 * The settings of an application; undefined where it has none.
 * @throws NotReached where what is told could not be put back: then nothing may be written over it.
 */
export const foundSettings = (
  exchange: Exchange,
  clientId: string,
  reading: WebhookReading,
): WebhookSettings | undefined => {
  if (isUnset(exchange, clientId, reading)) return undefined
  const { enabled, url, header } = toldIn(exchange, reading)
  const securityHeader = header ?? ''
  if (enabled === undefined || typeof url !== 'string' || typeof securityHeader !== 'string')
    throw unreadable(exchange, reading)
  if (isHidden(securityHeader)) throw unreadable(exchange, reading)
  return { clientId, enabled, url, securityHeader }
}

const isUnreadable = (exchange: Exchange, clientId: string, reading: WebhookReading): boolean => {
  try {
    foundSettings(exchange, clientId, reading)
    return false
  } catch (error) {
    if (error instanceof NotReached) return true
    throw error
  }
}

/** The security header; where the settings cannot be read, any text of them may be it. */
export const secretsOfSettings =
  (clientId: string, reading: WebhookReading): SecretsOf =>
  (exchange) => {
    if (exchange.response === undefined || exchange.response.status >= 300) return []
    const texts = isUnreadable(exchange, clientId, reading)
      ? textsIn(exchange).filter((text) => text !== clientId)
      : [toldIn(exchange, reading).header].filter(isText)
    return texts.map((value) => ({ name: 'security_header', value }))
  }
