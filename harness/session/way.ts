import { NotReached } from '../evidence/signals.ts'
import { recipeOf } from '../profile/authorization.ts'
import { walkPages } from './customer.ts'
import { openAskingLine } from './person/line.ts'
import { openPersonWay } from './person/way-by-person.ts'
import type { AuthorizationProfile, CustomerProfile } from '../profile/schema.ts'
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

const nothingOpen = async (): Promise<void> => undefined

/** Without a browser: what a page says is read, and answered over HTTP. */
const openPages = (authorization: AuthorizationProfile): Way => ({
  async authorize({ customer, ...errand }, start) {
    const recipe = recipeOf(authorization)
    if (recipe === undefined || customer === undefined)
      throw new NotReached('the profile names no way for a customer to authorize')
    return walkPages({ ...errand, customer, recipe }, start)
  },
  walk: walkPages,
  close: nothingOpen,
})

/** What a person is asked with: how to reach them, and where a bank shows codes on pages of its own. */
export interface Desk {
  readonly line: string
  readonly shownAt: readonly string[]
}

/**
 * The one place that knows how each kind of authorization is done.
 * @param desk where questions to a person are answered; without one nobody is asked.
 */
export const openWay = (authorization: AuthorizationProfile, desk?: Desk): Way => {
  switch (authorization.kind) {
    case 'pages':
    case 'tokens':
      return openPages(authorization)
    case 'person':
      return desk === undefined ? openPages(authorization) : openPersonAt(desk)
  }
}

const openPersonAt = ({ line, shownAt }: Desk): Way => {
  const ask = openAskingLine(line)
  return openPersonWay({ ask, shownAt, close: ask.close })
}
