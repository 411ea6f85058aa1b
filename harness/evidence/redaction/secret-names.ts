import { isIban } from './iban.ts'
import { remembered } from './spellings.ts'
import type { Place } from './structure.ts'

/** Which values are secret because of the name of their place. */

const SECRETS =
  /^(?:codeverifier|(?:\w*[a-z])?(?:secret|password|passwd|csrf|xsrf|assertion|jwt)|csrf\w*|xsrf\w*|securityheader|apikey|otp|pin|token|\w+token)$/
/** Names of paging, and of the kind of a token. */
const NO_SECRETS = /^(?:(?:next|page|nextpage|continuation|cursor)token|issecret)$/

/** A name without its case, and without what separates its words. */
export const bareName = remembered((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))

const isSecretName = remembered((name) => SECRETS.test(bareName(name)) && !NO_SECRETS.test(bareName(name)))

/** What a client sends in clear in the address of the authorization (RFC 6749 §4.1.1, RFC 7636 §4.3). */
const PUBLIC: ReadonlySet<string> = new Set([
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'grant_type',
  'redirect_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
])

/** Whether a value is public because of the name of its place. */
export const isPublicName = (name: string): boolean => PUBLIC.has(name)

const SHORTEST_MADE = 16

/** Whether a part of a value looks random: a word with a number, such as `step2`, does not. */
const looksRandom = (part: string): boolean =>
  /\d[a-z]+\d|[a-z]\d+[a-z]/i.test(part) ||
  /^\d{6,}$/.test(part) ||
  (part.length >= 8 && /\d/.test(part) && /[a-z]/i.test(part))

/** Whether a value looks as if a program had made it: no word, no address, no list of words, no account number. */
const seemsGenerated = (value: string): boolean =>
  value.length >= SHORTEST_MADE &&
  /^[\w+/=.~-]+$/.test(value) &&
  /[a-z]/i.test(value) &&
  !isIban(value) &&
  value.split(/[^a-z\d]+/i).some(looksRandom)

/** Whether a value at this place is a secret. In JSON, `code` is the code of an error. */
export const isSecretAt = (name: string, value: string, place: Place): boolean => {
  if (place === 'password') return true
  if (place === 'text' || isPublicName(name)) return false
  if (bareName(name) === 'code') return place !== 'member' && place !== 'number'
  return isSecretName(name) || (place === 'hidden' && seemsGenerated(value))
}
