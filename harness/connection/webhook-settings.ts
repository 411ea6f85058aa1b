import { jsonOf, fieldOf, responseOf } from '../evidence/record/answer.ts'
import { NotReached } from '../evidence/signals.ts'
import { leavesOf } from '../profile/mismatch/kinds.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { WebhookReading } from '../profile/schema/test-hooks.ts'
import type { WebhookSettings } from '../session/clock.ts'
import type { SecretsOf } from '../session/http/http.ts'

/** The webhook settings that a test hook of the target returns, so that they can be restored. */

/** The answer for an application without settings. */
const NOT_FOUND = 404

const settingsIn = (exchange: Exchange, { result, fields }: WebhookReading) => {
  const json = jsonOf(exchange)
  const settings = result === undefined ? json : fieldOf(json, result)
  return {
    settings,
    enabled: parseSwitch(fieldOf(settings, fields.enabled)),
    url: fieldOf(settings, fields.url),
    header: fieldOf(settings, fields.securityHeader),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The characters of a security header (Events, Configuration, Webhook Security Header). */
const SECURITY_HEADER = /^[ a-zA-Z0-9=+/]*$/

/** Whether the application is notified; also in the words of the interface (Events, Configuration, Webhook Enabled). */
const parseSwitch = (enabled: unknown): boolean | undefined => {
  const word = typeof enabled === 'boolean' ? String(enabled) : typeof enabled === 'string' ? enabled : ''
  if (/^(true|yes)$/i.test(word)) return true
  return /^(false|no)$/i.test(word) ? false : undefined
}

const textsIn = (exchange: Exchange): readonly string[] =>
  leavesOf(jsonOf(exchange))
    .map(({ value }) => value)
    .filter(isText)

/** The application has no settings: it is unknown, the answer is empty, or it has no address. */
const isUnset = (exchange: Exchange, clientId: string, reading: WebhookReading): boolean => {
  const { status, body } = responseOf(exchange)
  if (status === NOT_FOUND || body.text.trim() === '') return true
  const { settings, enabled, url } = settingsIn(exchange, reading)
  const isEmpty = typeof settings === 'object' && settings !== null && Object.keys(settings).length === 0
  if (settings === null || isEmpty || url === null || url === '') return true
  // Any other string may be the address under another name.
  const isNoAddress = (text: string): boolean => text === clientId || parseSwitch(text) !== undefined
  return enabled === false && url === undefined && textsIn(exchange).every(isNoAddress)
}

const unreadable = (
  { id }: Exchange,
  { fields: { enabled, url, securityHeader } }: WebhookReading,
): NotReached =>
  new NotReached(
    `the webhook settings could not be restored, so that they are not changed: \`testHooks.readWebhook\` answered (${id}) something other than \`${enabled}\`, true or false, Yes or No, \`${url}\`, a text, and \`${securityHeader}\`, a text that is not hidden or nothing; name these members in \`testHooks.readWebhook.fields\`, or leave the test hook out`,
  )

/** The settings of an application; undefined if it has none. */
const readSettings = (
  exchange: Exchange,
  clientId: string,
  reading: WebhookReading,
): WebhookSettings | 'unreadable' | undefined => {
  if (isUnset(exchange, clientId, reading)) return undefined
  const { enabled, url, header } = settingsIn(exchange, reading)
  const securityHeader = header ?? ''
  if (enabled === undefined || typeof url !== 'string' || typeof securityHeader !== 'string')
    return 'unreadable'
  // A target may mask the secret, or a part of it: the mask must not be written back as the header.
  return SECURITY_HEADER.test(securityHeader) ? { clientId, enabled, url, securityHeader } : 'unreadable'
}

/**
 * The settings of an application; undefined if it has none.
 * @throws NotReached if the settings could not be restored: then they must not be changed.
 */
export const parseWebhookSettings = (
  exchange: Exchange,
  clientId: string,
  reading: WebhookReading,
): WebhookSettings | undefined => {
  const settings = readSettings(exchange, clientId, reading)
  if (settings === 'unreadable') throw unreadable(exchange, reading)
  return settings
}

/** The security header; if the settings cannot be read, any string of them may be it. */
export const secretsOfSettings =
  (clientId: string, reading: WebhookReading): SecretsOf =>
  (exchange) => {
    if (exchange.response === undefined || exchange.response.status >= 300) return []
    const isUnreadable = readSettings(exchange, clientId, reading) === 'unreadable'
    const texts = isUnreadable
      ? textsIn(exchange).filter((text) => text !== clientId)
      : [settingsIn(exchange, reading).header].filter(isText)
    return texts.map((value) => ({ name: 'security_header', value }))
  }
