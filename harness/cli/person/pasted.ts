import type { Handover } from '../../evidence/exchange.ts'
import type { Question } from '../../session/authorization/thread-channel.ts'

export type Pasted =
  | { readonly handover: Handover }
  /** The person wants no further prompts. */
  | { readonly isStop: true }
  /** Why the text cannot be used, without its secrets. */
  | { readonly problem: string }

type Asked = Pick<Question, 'link' | 'redirectUri' | 'isShown'>

/** Terminals break long lines, and mail programs put an address into brackets. */
const trimmed = (text: string): string =>
  text
    .trim()
    .replace(/^[<"'](.*)[>"']$/s, '$1')
    .trim()

export const readPasted = (text: string, asked: Asked): Pasted => {
  const given = trimmed(text)
  if (/^(skip)?$/i.test(given)) return { handover: { by: 'skipped' } }
  if (/^stop$/i.test(given)) return { isStop: true }
  if (/^https?:\/\//i.test(given)) return readAddress(given.replaceAll(/\s+/g, ''), asked)
  if (/^\?|(^|[?&])(code|error|state)=/.test(given)) return readQuery(given.replaceAll(/\s+/g, ''), asked)
  return readCode(given)
}

const readQuery = (query: string, asked: Asked): Pasted => {
  const address = new URL(asked.redirectUri)
  // The redirect URI's own query comes first, as in the bank's redirect.
  const own = address.search.replace(/^\?/, '')
  const given = query.replace(/^[^?]*\?/, '')
  address.search = own !== '' && !given.startsWith(own) ? `${own}&${given}` : given
  return readAddress(address.href, asked)
}

const withoutQuery = (url: URL): string => url.origin + url.pathname

/** The handover of a redirect URL, with the code if it contains one. */
export const handoverOf = (by: 'listener' | 'address', address: string): Handover => {
  const code = new URL(address).searchParams.get('code')
  return { by, address, ...(code !== null && code !== '' && { code }) }
}

const readAddress = (text: string, { link, redirectUri }: Asked): Pasted => {
  if (!URL.canParse(text)) return { problem: `${quoted(text)} is not a URL; paste the whole URL` }
  const address = new URL(text)
  const fragment = new URLSearchParams(address.hash.slice(1))
  const has = (name: string): boolean => address.searchParams.has(name) || fragment.has(name)
  if (has('code') || has('error') || has('access_token'))
    return { handover: handoverOf('address', address.href) }
  const isLink = withoutQuery(address) === withoutQuery(new URL(link))
  return {
    problem: isLink
      ? 'this is the link to open; paste the URL of the last page, after the bank has redirected'
      : `${quoted(text)} has neither a code nor an error; paste the URL that begins with ${redirectUri}`,
  }
}

/** A code is a single word of visible characters. */
const CODE = /^[\x21-\x7e]{6,}$/

const readCode = (text: string): Pasted =>
  CODE.test(text)
    ? { handover: { by: 'code', code: text } }
    : {
        problem: `${quoted(text)} is neither a URL nor a code; paste the whole URL of the last page, or the code that the bank shows (Enter skips this authorization)`,
      }

const LONGEST = 40

/** The text without values that may be secret, and with long words cut to three characters. */
const quoted = (text: string): string => {
  const shown = text
    .replaceAll(/([?&#;][^=&#\s]+=)[^&#\s]+/g, '$1…')
    .replaceAll(/[^\s:/?&#=.…-]{12,}/g, (word) => `${word.slice(0, 3)}…`)
  return JSON.stringify(shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown)
}
