import { environmentsBelow, otherThan } from '../profile/environments.ts'
import type { Effect } from '../evidence/effect.ts'
import type { Environment } from '../profile/environments.ts'
import type { Profile } from '../profile/schema.ts'
import type { Http, HttpOptions } from './http.ts'
import type { HttpRequest } from './request.ts'

/** Acting in the environment that is not the one that is judged: what may be sent there is what is allowed there. */

/** Every request is meant for this environment, unless its base path says otherwise. */
export const actingIn = (http: Http, environment: Environment): Http => ({
  ...http,
  send: (request, ...rest) => http.send({ ...request, environment }, ...rest),
})

/** Where an authorization begins; the pages behind it are wherever the bank has them. */
const isBeginning = ({ operations, payments }: Profile, url: string): boolean => {
  const { pathname } = new URL(url)
  return [operations.authorize.path, payments?.authorize.path].some(
    (path) => path !== undefined && pathname.endsWith(path),
  )
}

/**
 * What is allowed where a request goes, as the HTTP layer asks it: the base path of its address tells where that is,
 * whoever has put it there.
 * @param allowed what is allowed in the other environment.
 */
export const guardElsewhere = (
  profile: Profile,
  baseUrl: string,
  allowed: readonly Effect[],
): NonNullable<HttpOptions['allowedElsewhere']> => {
  const environmentOf = environmentsBelow(profile, baseUrl)
  const whereabouts = ({ url, sender, environment }: HttpRequest): Environment | undefined => {
    const isLed = sender === 'customer' && !isBeginning(profile, url)
    return (isLed ? undefined : environmentOf(url)) ?? environment
  }
  return (request) => (whereabouts(request) === otherThan(profile.environment) ? allowed : undefined)
}
