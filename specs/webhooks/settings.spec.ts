import { constantFrom, nat, record, string } from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { check, isRefusedBetween, property, scenario } from '../../harness/check/index.ts'
import type { Session } from '../../harness/check/index.ts'
import { WEB } from './requirements.ts'

const settings = { effect: 'notify', as: 'any', needs: ['webhook-settings'] } as const

type Settings = Parameters<Session['webhook']['configure']>[0]

const configure = async ({ webhook }: Session, change: Settings) =>
  (await webhook.configure({ securityHeader: USUAL, ...change })).exchange

/** What no target takes exception to; that none is taken as well is judged on its own. */
const USUAL = 'Basic abc'

/** Behind the address of the sink; none has a query. */
const PLAIN = ['', '/', '/calls/of-the_bank.v1~2', '/%C5%BEilina'] as const

/** Parameters with a value, without one, of an empty path, several, and one that is a URL of its own. */
const QUERIES = [
  '?token=secret',
  '?token',
  '/?a=1',
  '?a=1&b=2',
  '?next=https%3A%2F%2Fbank.example%2F',
] as const

const urls = scenario('webhook URLs with and without parameters', settings, async (session) => {
  const { url } = session.webhook
  const plain = []
  for (const rest of PLAIN) plain.push(await configure(session, { url: url + rest }))
  const before = await configure(session, {})
  const changed = []
  for (const query of QUERIES) changed.push(await configure(session, { url: url + query }))
  return { plain, before, changed, after: await configure(session, {}) }
})

check(WEB.plainUrlIsAccepted, urls, ({ plain, before, after }) => {
  for (const attempt of [...plain, before, after]) attempt.isAccepted('its URL has no parameters')
})

check(WEB.urlWithParametersIsRefused, urls, (attempts) =>
  isRefusedBetween(attempts, 'its URL has parameters'),
)

const empty = scenario(
  'an empty security header, before and after one that is set',
  settings,
  async (session) => [
    await configure(session, { securityHeader: '' }),
    await configure(session, { securityHeader: USUAL }),
    await configure(session, { securityHeader: '' }),
  ],
)

check(WEB.emptySecurityHeaderIsAccepted, empty, (attempts) => {
  for (const attempt of attempts) attempt.isAccepted('it may be empty')
})

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Blanks and signs stand several times, so that each value has some of them. */
const ALLOWED = Array.from(`${LETTERS}${LETTERS.toUpperCase()}0123456789+/=+/=      `)

const allowed = string({ unit: constantFrom(...ALLOWED), minLength: 1, maxLength: 100, size: 'max' })

/** Each kind is as likely as any other: a target may mistake one for what is allowed. */
const FORBIDDEN = {
  'signs of a word': '-_.',
  'other signs': ':,;"\'@#$%&*()[]{}<>!?\\|~^`',
  'letters of other alphabets': 'éßČŁж中Ａ',
  'digits of other scripts': '٣५３',
  blanks: '\t\u00a0\u2003',
} as const

type Kind = keyof typeof FORBIDDEN

interface Spoiling {
  readonly kind: Kind
  readonly which: number
  readonly place: 'first' | 'last' | 'within'
}

const forbidden: Arbitrary<Spoiling> = record({
  kind: constantFrom(...(Object.keys(FORBIDDEN) as Kind[])),
  which: nat(29),
  place: constantFrom('first' as const, 'last' as const, 'within' as const),
})

/** A value in which one character is not allowed. What looks blank is within it: a form may trim its ends. */
const spoiled = (header: string, { kind, which, place }: Spoiling): string => {
  const signs = Array.from(FORBIDDEN[kind])
  const sign = signs[which % signs.length] ?? '-'
  if (place === 'within' || kind === 'blanks') return `a${sign}${header}z`
  return place === 'first' ? sign + header : header + sign
}

const headers = property(
  'a security header of allowed characters, and the same with another one in it',
  settings,
  record({ header: allowed, forbidden }),
  async (session, { header, forbidden: one }) => ({
    before: await configure(session, { securityHeader: header }),
    changed: await configure(session, { securityHeader: spoiled(header, one) }),
    after: await configure(session, { securityHeader: header }),
  }),
)

check(WEB.matchingSecurityHeaderIsAccepted, headers, ({ before, after }) => {
  for (const attempt of [before, after]) attempt.isAccepted('its security header matches [ a-zA-Z0-9=+/]*')
})

check(WEB.otherSecurityHeaderIsRefused, headers, (attempts) =>
  isRefusedBetween(attempts, 'its security header does not match [ a-zA-Z0-9=+/]*'),
)
