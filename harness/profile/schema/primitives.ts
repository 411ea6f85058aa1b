import { compile } from 'css-select'
import { getCountrySpecifications } from 'ibantools'
import { IANAZone } from 'luxon'
import * as z from 'zod'

/** A part of the profile that can be left out as a whole, since each of its members has a default or is optional. */
export const part = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const whole = z.strictObject(shape)
  return whole.prefault({} as z.input<typeof whole>)
}

/** Names of `applications`: each scenario uses one of them. If it is left out, the first application that exists there is used. */
export const actingApplications = z.array(z.string().min(1)).min(1).optional()

/** A text that is not empty. */
export const textSuchAs = (example: string) =>
  z
    .string()
    .min(1)
    .meta({ examples: [example] })

/** Base paths by environment, with their defaults; `/` for none. */
export const basePathsLike = (sandbox: string, production: string) =>
  part({ sandbox: basePath.prefault(sandbox), production: basePath.prefault(production) })

export const path = z.string().regex(/^\/[^?#\s]*$/, 'a path begins with a slash and has no query')
/** Without its last slash, since paths are put behind it; `/` stands for no base path at all. */
export const basePath = path.transform((text) => text.replace(/\/+$/, ''))
/** The same, where it has no default: with an example. */
export const basePathSuchAs = (example: string) => path.meta({ examples: [example] }).pipe(basePath)
export const dotted = z
  .string()
  .regex(/^[^.\s]+(\.[^.\s]+)*$/, 'a field is named by its keys from the root of the JSON, joined by dots')
/** Where a value stands that has another place in some answers: the first place that an answer has is read. */
export const places = z.union([dotted, z.array(dotted).min(1)])
export const selector = z
  .string()
  .min(1)
  .refine((text) => {
    try {
      compile(text)
      return true
    } catch {
      return false
    }
  }, 'a CSS selector such as button[type=submit] or #code')
/** A regular expression, written without slashes. */
export const pattern = z
  .string()
  .min(1)
  .refine((text) => {
    try {
      new RegExp(text, 'u')
      return true
    } catch {
      return false
    }
  }, 'a regular expression such as code: ([A-Za-z0-9]+)')
const ibanFault = (text: string): string => {
  if (/\s/.test(text)) return 'it has blanks; write it without'
  if (/[a-z]/.test(text)) return 'it has small letters; write capitals'
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text))
    return 'it is not a country code, two check digits and 11 to 30 capitals and digits'
  return 'its check digits do not fit the rest'
}
/** How long the IBANs of the country are; undefined for a country that is not known. */
const lengthIn = (country: string): number | undefined =>
  getCountrySpecifications()[country]?.chars ?? undefined

/** An IBAN in its electronic form, with the length of its country and check digits that fit. */
export const iban = z
  .iban({
    abort: true,
    error: ({ input }) => `expected an IBAN (ISO 13616), and ${ibanFault(String(input))}`,
  })
  .refine((text) => [undefined, text.length].includes(lengthIn(text.slice(0, 2))), {
    error: ({ input }) =>
      `expected an IBAN (ISO 13616), and "${String(input)}" has ${String(input).length} characters; those of ${String(input).slice(0, 2)} have ${lengthIn(String(input).slice(0, 2))}`,
  })
export const statuses = z.array(z.int().min(200).max(399)).nonempty()
export const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
/** What HTTP itself sends, and what is said about the connection (RFC 9110 §7.6.1, §7.2, §8.6, §10.1.1). */
const OF_HTTP =
  /^(connection|content-length|expect|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i
export const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'the name of a header has letters, digits and hyphens')
  .refine((name) => !OF_HTTP.test(name), 'HTTP itself sets this header for each request; take it out')
const headerValue = z
  .string()
  // A header that holds one cannot be sent.
  .regex(
    /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/,
    'the value of a header has no line break or control character',
  )
export const headers = z.record(headerName, headerValue)
/** A time zone of the IANA database. */
export const timeZone = z.string().refine((name) => IANAZone.isValidZone(name), {
  error: ({ input }) =>
    `expected a time zone of the IANA database such as Europe/Bratislava, and got ${JSON.stringify(input)}`,
})
export const jsonObject = z.record(z.string(), z.unknown())
/** A timer of Node that is set to more rings at once. */
const LONGEST_TIMER_MS = 2_147_483_647
export const milliseconds = z.int().min(1).max(LONGEST_TIMER_MS)
/** The longest time that a bank takes, in ms. A number below 1,000 is a mistake: it was meant in seconds. */
export const bankTime = milliseconds.min(1_000)
