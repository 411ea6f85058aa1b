import { inPlace, type Place } from './schema/places.ts'
import type { Profile } from './schema.ts'

type Hooks = Profile['testHooks']

/** Each check of a plan asks for them. */
const known = new WeakMap<Hooks, Map<Place, Hooks>>()

/** The test hooks that exist in a place, as they are there. @param place by default the environment that is judged. */
export const testHooksIn = (
  { testHooks, environment }: Pick<Profile, 'testHooks' | 'environment'>,
  place: Place = environment,
): Hooks => {
  const places = known.get(testHooks) ?? new Map<Place, Hooks>()
  known.set(testHooks, places)
  const hooks =
    places.get(place) ??
    Object.fromEntries(
      Object.entries(testHooks).flatMap(([name, hook]: [string, Hooks[keyof Hooks]]) => {
        const found = hook && inPlace(hook, place)
        return found === undefined ? [] : [[name, found]]
      }),
    )
  places.set(place, hooks)
  return hooks
}

/** The key of a test hook for messages, with the place if it differs there: `testHooks.readClock.environments.loans`. */
export const testHookKey = (
  { testHooks, environment }: Pick<Profile, 'testHooks' | 'environment'>,
  name: keyof Hooks,
  place: Place = environment,
): string => {
  const own = testHooks[name]?.environments?.[place]
  return `testHooks.${name}${own === undefined || Object.keys(own).length === 0 ? '' : `.environments.${place}`}`
}
