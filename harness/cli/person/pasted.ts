import type { Handover } from '../../evidence/exchange.ts'
import type { Question } from '../../session/authorization/open-driver.ts'

/** What a person types or pastes, read kindly. */

export type Pasted =
  | { readonly handover: Handover }
  /** Nobody is to be asked any more. */
  | { readonly stops: true }
  /** Why it cannot be used, in a sentence that repeats no secret. */
  | { readonly problem: string }

type Asked = Pick<Question, 'link' | 'redirectUri' | 'isShown'>

/** Terminals break long lines, and mail programs put an address into brackets. */
const tidied = (text: string): string =>
  text
    .trim()
    .replace(/^[<"'](.*)[>"']$/s, '$1')
    .trim()

export const readPasted = (text: string, asked: Asked): Pasted => {
  const given = tidied(text)
  if (/^(skip)?$/i.test(given)) return { handover: { by: 'nobody' } }
  if (/^stop$/i.test(given)) return { stops: true }
  if (/^https?:\/\//i.test(given)) return readAddress(given.replaceAll(/\s+/g, ''), asked)
  if (/^\?|(^|[?&])(code|error|state)=/.test(given)) return readQuery(given.replaceAll(/\s+/g, ''), asked)
  return readCode(given)
}

const readQuery = (query: string, asked: Asked): Pasted => {
  const address = new URL(asked.redirectUri)
  // What the redirect URI has of its own stands in front, as the bank would leave it there.
  const own = address.search.replace(/^\?/, '')
  const given = query.replace(/^[^?]*\?/, '')
  address.search = own !== '' && !given.startsWith(own) ? `${own}&${given}` : given
  return readAddress(address.href, asked)
}

const withoutQuery = (url: URL): string => url.origin + url.pathname

/** The address of a landing, as what is brought back; nothing of its own is read into it. */
export const handoverOf = (by: 'listener' | 'address', address: string): Handover => {
  const code = new URL(address).searchParams.get('code')
  return { by, address, ...(code !== null && code !== '' && { code }) }
}

const readAddress = (text: string, { link, redirectUri }: Asked): Pasted => {
  if (!URL.canParse(text)) return { problem: `${quoted(text)} is not an address; paste all of it` }
  const address = new URL(text)
  const fragment = new URLSearchParams(address.hash.slice(1))
  const says = (name: string): boolean => address.searchParams.has(name) || fragment.has(name)
  if (says('code') || says('error') || says('access_token'))
    return { handover: handoverOf('address', address.href) }
  const isLink = withoutQuery(address) === withoutQuery(new URL(link))
  return {
    problem: isLink
      ? 'this is the link to open; paste the address of the page at the end, once the bank is through'
      : `${quoted(text)} has neither a code nor an error; paste the address that begins with ${redirectUri}`,
  }
}

/** A code is one word of visible characters, and no sentence. */
const CODE = /^[\x21-\x7e]{6,}$/

const readCode = (text: string): Pasted =>
  CODE.test(text)
    ? { handover: { by: 'code', code: text } }
    : {
        problem: `${quoted(text)} is neither an address nor a code; paste the whole address at the end, or the code that the bank shows (Enter leaves it out)`,
      }

const LONGEST = 40

/** Of an address nothing that may be secret; of other words no more than tells them apart. */
const quoted = (text: string): string => {
  const shown = text
    .replaceAll(/([?&#;][^=&#\s]+=)[^&#\s]+/g, '$1…')
    .replaceAll(/[^\s:/?&#=.…-]{12,}/g, (word) => `${word.slice(0, 3)}…`)
  return JSON.stringify(shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown)
}
