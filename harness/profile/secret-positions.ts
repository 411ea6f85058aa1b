/** Where a value stands in a profile: keys and indices from its root. */
export type Path = readonly PropertyKey[]

/**
 * What a text in such a place is. `secret`: always one. `identifier`: a name that is hidden from reports only if it was
 * read from the environment. `header` and `named`: judged by the name and the look of the value.
 */
export type Nature = 'secret' | 'identifier' | 'header' | 'named'

/** `*` is any key or index, `**` whatever follows. Nowhere else is `env:NAME` read. */
const POSITIONS: readonly (readonly [pattern: string, nature: Nature])[] = [
  ['applications.*.clientId', 'identifier'],
  ['applications.*.clientSecret', 'secret'],
  ['customers.*.username', 'identifier'],
  ['customers.*.password', 'secret'],
  ['customers.*.fields.*', 'secret'],
  ['authorization.tokens.*.accessToken', 'secret'],
  ['authorization.tokens.*.refreshToken', 'secret'],
  ['authorization.tokens.*.consentId', 'identifier'],
  ['authorization.keep.key', 'secret'],
  ['authorization.pages.*.fill.*', 'named'],
  ['operations.token.refreshForm.*', 'named'],
  ['loans.token.form.*', 'named'],
  ['webhooks.configured.*.securityHeader', 'secret'],
  ['connection.passphrase', 'secret'],
  ['connection.proxy', 'identifier'],
  ['headers.*', 'header'],
  ['testHooks.*.headers.*', 'header'],
  ['testHooks.*.body.**', 'named'],
]

const RULES = POSITIONS.map(([pattern, nature]) => ({ keys: pattern.split('.'), nature }))

/** What a text at this place is; undefined where no secret belongs. */
export const natureAt = (path: Path): Nature | undefined =>
  RULES.find(({ keys }) => matches(keys, path))?.nature

const matches = (keys: readonly string[], path: Path): boolean => {
  const open = keys.at(-1) === '**'
  if (open ? path.length < keys.length : path.length !== keys.length) return false
  return keys.every((key, at) => key === '**' || key === '*' || key === path[at])
}

const CREDENTIAL = /auth|cookie|credential|jwt|key|passw|\bpin\b|\botp\b|secret|session|signature|token/i
const HARMLESS =
  /^(accept|accept-.*|cache-control|connection|content-.*|date|host|origin|pragma|prefer|psu-.*|referer|(x-)?request-id|user-agent)$/i
const PLACEHOLDER = /\{[A-Za-z_]\w*\}/g
/** A shorter value is no credential, and hiding it everywhere would make reports unreadable. */
const SHORTEST_KEY = 8

/** Whether a text that stands in the profile itself is to be kept out of every report. */
export const isSecretText = (nature: Nature, name: string, text: string): boolean => {
  const own = credentialOf(text.replaceAll(PLACEHOLDER, '')).trim()
  if (own === '') return false
  switch (nature) {
    case 'secret':
      return true
    case 'identifier':
      return false
    case 'named':
      return CREDENTIAL.test(name)
    case 'header':
      return !HARMLESS.test(name) && (CREDENTIAL.test(name) || looksMade(own))
  }
}

/** A word such as "production" is no key of a gateway. */
const looksMade = (text: string): boolean => text.length >= SHORTEST_KEY && !/^[a-z]+$/i.test(text)

/** The secret part of a value of an Authorization header: it may turn up without its scheme. */
export const credentialOf = (text: string): string => text.replace(/^(basic|bearer|digest)(\s+|$)/i, '')
