import * as z from 'zod'
import { dotted, headers, method, milliseconds, textSuchAs } from './primitives.ts'
import { placesOf } from './places.ts'

/** What a target may offer for testing, beyond the interface. */

/** How far and whereto a clock is moved, in the units that a test hook may want: the names of its placeholders. */
export type ClockArguments = Readonly<Record<(typeof CLOCK_ARGUMENTS)[number], string | number>>

export const CLOCK_ARGUMENTS = [
  'milliseconds',
  'seconds',
  'minutes',
  'duration',
  'instant',
  'epochSeconds',
  'epochMilliseconds',
] as const

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/**
 * The same move in every unit. What is no whole number of its unit has decimals: a clock that was moved a second too far
 * or too short would make a conforming target look wrong.
 * @param ms by how much.
 * @param now the target's time, ms since 1970.
 */
export const clockArguments = (ms: number, now: number): ClockArguments => {
  const whole = Math.round(ms)
  const then = Math.round(now) + whole
  return {
    milliseconds: ms,
    seconds: whole / SECOND_MS,
    minutes: whole / MINUTE_MS,
    // ISO 8601; seconds alone, since days and months are not of the same length everywhere.
    duration: `PT${whole / SECOND_MS}S`,
    instant: new Date(then).toISOString(),
    epochSeconds: then / SECOND_MS,
    epochMilliseconds: then,
  }
}

/** The parts of the request, before their defaults. */
const REQUEST = {
  method,
  /** Relative to the base URL, or absolute. */
  url: textSuchAs('/_test-hooks/clock'),
  headers,
  /** Sent as JSON; a string that is exactly `{milliseconds}`, or another number, becomes one, and `{enabled}` true or false. */
  body: z.record(z.string(), z.unknown()).optional(),
  /** The field of the answer that carries the test hook's result. */
  result: dotted.optional(),
  /**
   * How long the target may take to show what the test hook has changed, in ms of the wall: what is answered as before is
   * asked again until then. Left out, it shows it at once, but a revocation within 30 s: a revoked token is polled until it is
   * refused.
   */
  settleMs: milliseconds.optional(),
}

const DEFAULTS = { method: method.default('POST'), headers: headers.default({}) }

/** What a test hook has of its own in one place; what is left out is that of the test hook. */
const ownRequest = z.strictObject(REQUEST).partial()

/**
 * A test hook bound to an HTTP request. `{name}` in url, body and headers stands for the test hook's argument;
 * `{environment}`, sandbox or production, may be used in each.
 */
const testHookRequest = z.strictObject({
  ...REQUEST,
  ...DEFAULTS,
  /** Where the bank has it, with what differs there. Left out, everywhere with the same request. */
  environments: placesOf(ownRequest, 'a test hook'),
})

export type TestHookRequest = z.output<typeof testHookRequest>

const settingsFields = z.strictObject({
  /** True or false. */
  enabled: dotted.default('enabled'),
  url: dotted.default('url'),
  /** A text; left out, or null, where there is none. */
  securityHeader: dotted.default('securityHeader'),
})

const webhookReading = testHookRequest.extend({
  /** How the members of the settings are called, from the root of the JSON, or from `result`. */
  fields: settingsFields.prefault({}),
  environments: placesOf(ownRequest.extend({ fields: settingsFields.optional() }), 'a test hook'),
})

export type WebhookReading = z.output<typeof webhookReading>

export const testHooks = z.strictObject({
  /** Answers the target's time (`result` names the field): ISO 8601, or seconds or milliseconds since 1970. */
  readClock: testHookRequest.optional(),
  /**
   * Moves the target's clock: by `{milliseconds}`, `{seconds}`, `{minutes}` or the `{duration}` (ISO 8601), or to the
   * `{instant}` (ISO 8601), which is `{epochSeconds}` or `{epochMilliseconds}` since 1970. What is no whole number of its
   * unit has decimals.
   */
  advanceClock: testHookRequest.optional(),
  /** The customer revokes the grant of `{token}`, be it of accounts or of a payment. Where it cannot, it answers no success. */
  revokeToken: testHookRequest.optional(),
  /** The customer revokes the consent `{consentId}`. */
  revokeConsent: testHookRequest.optional(),
  /**
   * Books a new transaction on the account `{iban}`, in its currency: of `{amount}`, a number, or `{amountText}`, with two
   * decimals, or `{amountMinor}` hundredths, which `{amountMinorText}` is as a text.
   */
  bookTransaction: testHookRequest.optional(),
  /**
   * Sets the webhook settings of the application with the id `{clientId}`: `{enabled}`, `{url}`, `{securityHeader}`.
   * An answer from 400 to 499 says that the settings were not taken.
   */
  configureWebhook: testHookRequest.optional(),
  /**
   * Answers the webhook settings of the application with the id `{clientId}`, so that they are put back as they were
   * found (`result` names the object that has them, `fields` its members; 404, or nothing, where there are none). What
   * it answers otherwise is not written over. Left out, what was switched on is switched off in the end.
   */
  readWebhook: webhookReading.optional(),
})
