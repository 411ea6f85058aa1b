import { inPlace, type Place } from './schema/places.ts'
import type { Profile } from './schema.ts'

type Hooks = Profile['testHooks']

/** The test hooks that exist in a place, as they are there. @param place by default the environment that is judged. */
export const testHooksIn = (
  { testHooks, environment }: Pick<Profile, 'testHooks' | 'environment'>,
  place: Place = environment,
): Hooks =>
  Object.fromEntries(
    Object.entries(testHooks).flatMap(([name, hook]: [string, Hooks[keyof Hooks]]) => {
      const found = hook && inPlace(hook, place)
      return found === undefined ? [] : [[name, found]]
    }),
  )

/** The key of a test hook for messages, with the place if it differs there: `testHooks.readClock.environments.loans`. */
export const testHookKey = (
  { testHooks, environment }: Pick<Profile, 'testHooks' | 'environment'>,
  name: keyof Hooks,
  place: Place = environment,
): string => {
  const own = testHooks[name]?.environments?.[place]
  return `testHooks.${name}${own === undefined || Object.keys(own).length === 0 ? '' : `.environments.${place}`}`
}
