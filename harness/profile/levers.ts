import * as z from 'zod'
import { dotted, headers, method } from './primitives.ts'

/** What a target may offer beyond the interface. */

/** A lever bound to an HTTP request. `{name}` in url, body and headers stands for the lever's argument. */
const leverRequest = z.strictObject({
  method: method.default('POST'),
  /** Relative to the base URL, or absolute. */
  url: z
    .string()
    .min(1)
    .meta({ examples: ['/_levers/clock'] }),
  headers: headers.default({}),
  /** Sent as JSON; a string that is exactly `{milliseconds}`, or another number, becomes one, and `{enabled}` true or false. */
  body: z.record(z.string(), z.unknown()).optional(),
  /** The field of the answer that carries the lever's result. */
  result: dotted.optional(),
})

export type LeverRequest = z.output<typeof leverRequest>

const webhookReading = leverRequest.extend({
  /** How the members of the settings are called, from the root of the JSON, or from `result`. */
  fields: z
    .strictObject({
      /** True or false. */
      enabled: dotted.default('enabled'),
      url: dotted.default('url'),
      /** A text; left out, or null, where there is none. */
      securityHeader: dotted.default('securityHeader'),
    })
    .prefault({}),
})

export type WebhookReading = z.output<typeof webhookReading>

export const levers = z.strictObject({
  /** Answers the target's time (`result` names the field, ISO 8601). */
  readClock: leverRequest.optional(),
  /**
   * Moves the target's clock: by `{milliseconds}`, `{seconds}`, `{minutes}` or the `{duration}` (ISO 8601), or to the
   * `{instant}` (ISO 8601), which is `{epochSeconds}` or `{epochMilliseconds}` since 1970. What is no whole number of its
   * unit has decimals.
   */
  advanceClock: leverRequest.optional(),
  /** The customer revokes the grant of `{token}`, be it of accounts or of a payment. Where it cannot, it answers no success. */
  revokeToken: leverRequest.optional(),
  /** The customer revokes the consent `{consentId}`. */
  revokeConsent: leverRequest.optional(),
  /** Books a new transaction of `{amount}` (a number, in the account's currency) on the account `{iban}`. */
  bookTransaction: leverRequest.optional(),
  /**
   * Sets the webhook settings of the application with the id `{clientId}`: `{enabled}`, `{url}`, `{securityHeader}`.
   * An answer from 400 to 499 says that the settings were not taken.
   */
  configureWebhook: leverRequest.optional(),
  /**
   * Answers the webhook settings of the application with the id `{clientId}`, so that they are put back as they were
   * found (`result` names the object that has them, `fields` its members; 404, or nothing, where there are none). What
   * it answers otherwise is not written over. Left out, what was switched on is switched off in the end.
   */
  readWebhook: webhookReading.optional(),
})
