import { NotReached } from '../../evidence/signals.ts'
import { recipeOf } from '../../profile/schema/authorization.ts'
import { navigatePages } from './page-navigation.ts'
import { connectToPrompts } from './prompt-channel.ts'
import { openPersonDriver } from './person-driver.ts'
import type { AuthorizationProfile, BrowserProfile } from '../../profile/schema/authorization.ts'
import type { Profile } from '../../profile/schema.ts'
import type { DriverOptions, AuthorizationDriver } from './driver.ts'
import type { RunningBrowser } from './browser/browser.ts'
import type { Navigation } from './page-navigation.ts'
import type { Landing } from '../../evidence/record/landing.ts'
import type { HttpRequest } from '../http/request.ts'

type Follow = (walk: Navigation, start: HttpRequest) => Promise<Landing>

/** A driver that follows the recipe of the profile. */
const recipeDriver = (
  authorization: AuthorizationProfile,
  walk: Follow,
  close: AuthorizationDriver['close'],
): AuthorizationDriver => ({
  async authorize({ customer, ...errand }, start) {
    const recipe = recipeOf(authorization)
    if (recipe === undefined || customer === undefined)
      throw new NotReached('the profile does not say how a customer authorizes')
    return walk({ ...errand, customer, recipe }, start)
  },
  walk,
  close,
})

const nothingOpen = async (): Promise<void> => undefined

/** The browser is loaded and started when it is first needed. */
const openBrowserDriver = (
  authorization: BrowserProfile,
  profile: Profile,
  options: DriverOptions,
): AuthorizationDriver => {
  let opened: Promise<RunningBrowser> | undefined
  const open = async (): Promise<RunningBrowser> => {
    const { openBrowser } = await import('./browser/browser.ts')
    return openBrowser(authorization, profile, options)
  }
  return recipeDriver(
    authorization,
    async (walk, start) => (await (opened ??= open())).walk(walk, start),
    async () => (await opened)?.close(),
  )
}

/** @param channel its other end is at the terminal; undefined if the run asks nobody. */
const openPersonDriverAt = ({ applications }: Profile, channel: string | undefined): AuthorizationDriver => {
  if (channel === undefined) return { authorize: refuseToAsk, walk: navigatePages, close: nothingOpen }
  const ask = connectToPrompts(channel)
  const shownAt = applications
    .flatMap(({ redirectUris }) => redirectUris)
    .filter(({ delivery }) => delivery === 'result-screen')
    .map(({ uri }) => uri)
  return openPersonDriver({ ask, shownAt, close: () => ask.close() })
}

const refuseToAsk = async (): Promise<never> => {
  throw new NotReached('nobody is there to authorize')
}

/** Opens the driver for the kind of authorization in the profile. */
export const openAuthorizationDriver = (
  profile: Profile,
  options: DriverOptions = {},
): AuthorizationDriver => {
  const { authorization } = profile
  switch (authorization.kind) {
    case 'pages':
    case 'tokens':
      return recipeDriver(authorization, navigatePages, nothingOpen)
    case 'browser':
      return openBrowserDriver(authorization, profile, options)
    case 'person':
      return openPersonDriverAt(profile, options.promptChannel)
  }
}
