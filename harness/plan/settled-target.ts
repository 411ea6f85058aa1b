import { EFFECTS } from '../evidence/effect.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import type { Effect } from '../evidence/effect.ts'
import type { Profile } from '../profile/schema.ts'
import type { Environment, Options } from './options.ts'

/** Where a run goes, and what it may do there. */
export interface SettledTarget {
  /** Without its last slash. */
  readonly baseUrl: string
  readonly environment: Environment
  readonly allowed: readonly Effect[]
}

/** Puts the options over the profile of a target. @throws ConfigurationError if neither has a base URL. */
export const settleTarget = (options: Options, profile: Profile): SettledTarget => {
  const environment = options.environment ?? profile.environment
  const baseUrl = options.baseUrl ?? profile.baseUrl
  if (baseUrl === undefined) {
    throw new ConfigurationError(
      `the profile "${profile.name}" has no baseUrl, and --base-url is not given; pass --base-url URL, or write \`baseUrl\` into the profile`,
    )
  }
  const basePath = profile.basePaths[environment]
  // Put behind it once more, the base path would be doubled, and every request would miss.
  if (basePath !== '' && new URL(baseUrl).pathname.endsWith(basePath)) {
    throw new ConfigurationError(
      `the base URL "${baseUrl}" ends with the base path ${basePath}, which the profile puts behind it (\`basePaths.${environment}\`); take it away there`,
    )
  }
  return { baseUrl, environment, allowed: effectsIn(profile.allow[environment], options.allow) }
}

const effectsIn = (...lists: readonly (readonly Effect[])[]): readonly Effect[] =>
  EFFECTS.filter((effect) => lists.some((list) => list.includes(effect)))
