import { constantFrom } from 'fast-check'
import { check, isRefusedBetween } from '../../harness/check/index.ts'
import { property } from '../../harness/session/index.ts'
import { AUT } from './requirements.ts'

const RESEMBLANCES = ['longer', 'cut', 'recased', 'slash', 'query'] as const

type Resemblance = (typeof RESEMBLANCES)[number]

const recased = (path: string): string =>
  path === path.toUpperCase() ? path.toLowerCase() : path.toUpperCase()

/** A URI that differs from the registered one in its path or query alone. */
const resembling = (registered: string, how: Resemblance): string => {
  const [, base = '', path = '', query = ''] = /^([^:]*:\/*[^/?]*)([^?]*)(.*)$/.exec(registered) ?? []
  const other: Readonly<Record<Resemblance, string>> = {
    longer: `${path}${path.endsWith('/') ? '' : '/'}next${query}`,
    cut: `${path.slice(0, -1)}${query}`,
    recased: `${recased(path)}${query}`,
    slash: `${path}/${query}`,
    query: `${path}${query}${query === '' ? '?' : '&'}next=1`,
  }
  const changed = base + other[how]
  // A path without letters has no other case, an empty one cannot be cut.
  return new URL(changed).href === new URL(registered).href ? base + other.longer : changed
}

const similar = property(
  'an authorization request with a redirect URI that resembles the registered one',
  { effect: 'consent', as: 'any', authorizations: 3, needs: ['customer', 'seen-pages'] },
  constantFrom(...RESEMBLANCES),
  async (session, how) => {
    const { app } = session
    const registered = app.redirectUri(() => true)
    return session.between(
      () => app.authorize({ redirectUri: registered }),
      () => app.authorize({ redirectUri: resembling(registered, how) }),
    )
  },
)

check(AUT.redirectUriIsComparedToTheLetter, similar, (attempts) => {
  isRefusedBetween(attempts, 'it is registered otherwise')
})
