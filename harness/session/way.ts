import { NotReached } from '../evidence/signals.ts'
import { recipeOf } from '../profile/authorization.ts'
import { walkPages } from './customer.ts'
import { openAskingLine } from './person/line.ts'
import { openPersonWay } from './person/way-by-person.ts'
import type { AuthorizationProfile, CustomerProfile, Profile } from '../profile/schema.ts'
import type { BrowserProfile } from '../profile/authorization-browser.ts'
import type { RunningBrowser } from './browser/browser-way.ts'
import type { Decision, Walk } from './customer.ts'
import type { Http } from './http.ts'
import type { Landing } from './landing.ts'
import type { HttpRequest } from './request.ts'

/** One authorization: who is asked, and what the answer is to be. */
export interface Errand {
  readonly http: Http
  /** Nobody, where the profile names no customer. */
  readonly customer: CustomerProfile | undefined
  readonly decision: Decision
  /** The address that the application asked to be called back at. */
  readonly redirectUri: string
}

/** How customers come from a link to where it ends. A run has one, whatever scenarios ask of it. */
export interface Way {
  /**
   * From an authorization request to its landing.
   * @throws NotReached where nobody can authorize, or did not.
   * @throws Inconclusive where the authorization has no end.
   */
  authorize(errand: Errand, start: HttpRequest): Promise<Landing>
  /** Pages that have a recipe of their own, such as those on which the scenario of a loan is selected. */
  walk(walk: Walk, start: HttpRequest): Promise<Landing>
  /** Gives back what the way has opened for the run. */
  close(): Promise<void>
}

/** What a run gives to whoever authorizes in it. */
export interface Means {
  /** Aborted when the run is over. */
  readonly ends?: AbortSignal
  /** Where it is kept what a browser showed when it led nowhere. */
  readonly folder?: string
  /** The line on which a person is asked; without one nobody is. */
  readonly desk?: string
}

type Follow = (walk: Walk, start: HttpRequest) => Promise<Landing>

/** A program that follows a recipe, by whatever means. */
const followed = (authorization: AuthorizationProfile, walk: Follow, close: Way['close']): Way => ({
  async authorize({ customer, ...errand }, start) {
    const recipe = recipeOf(authorization)
    if (recipe === undefined || customer === undefined)
      throw new NotReached('the profile names no way for a customer to authorize')
    return walk({ ...errand, customer, recipe }, start)
  },
  walk,
  close,
})

const nothingOpen = async (): Promise<void> => undefined

/** The browser is not even loaded before somebody needs it. */
const openBrowserWay = (authorization: BrowserProfile, profile: Profile, means: Means): Way => {
  let opened: Promise<RunningBrowser> | undefined
  const open = async (): Promise<RunningBrowser> => {
    const { openBrowser } = await import('./browser/browser-way.ts')
    return openBrowser(authorization, profile, means)
  }
  return followed(
    authorization,
    async (walk, start) => (await (opened ??= open())).walk(walk, start),
    async () => (await opened)?.close(),
  )
}

/** @param line at whose other end somebody sits; none where a run asks nobody. */
const openPersonAt = ({ applications }: Profile, line: string | undefined): Way => {
  if (line === undefined) return { authorize: nobodyAsked, walk: walkPages, close: nothingOpen }
  const ask = openAskingLine(line)
  const shownAt = applications
    .flatMap(({ redirectUris }) => redirectUris)
    .filter(({ delivery }) => delivery === 'result-screen')
    .map(({ uri }) => uri)
  return openPersonWay({ ask, shownAt, close: () => ask.close() })
}

const nobodyAsked = async (): Promise<never> => {
  throw new NotReached('nobody is there to authorize')
}

/** The one place that knows how each kind of authorization is done. */
export const openWay = (profile: Profile, means: Means = {}): Way => {
  const { authorization } = profile
  switch (authorization.kind) {
    case 'pages':
    case 'tokens':
      return followed(authorization, walkPages, nothingOpen)
    case 'browser':
      return openBrowserWay(authorization, profile, means)
    case 'person':
      return openPersonAt(profile, means.desk)
  }
}
