import { unknownPlaceholders } from './template.ts'
import type { Profile } from './schema.ts'

/** Redirect URIs at the target itself, such as that of a result screen: their address may be known to a run only. */

/** What `{baseUrl}` and `{origin}` in a redirect URI stand for: the base URL of the run, and its origin. */
const valuesAt = (baseUrl: string): Readonly<Record<string, string>> => ({
  baseUrl,
  origin: new URL(baseUrl).origin,
})

const ANY_BASE_URL = 'https://bank.example'

/** A redirect URI as it is registered. */
export const redirectUriAt = (uri: string, baseUrl: string): string => {
  const values = valuesAt(baseUrl)
  return uri.replaceAll(/\{(\w+)\}/g, (text, name: string) => values[name] ?? text)
}

interface Registering {
  readonly redirectUris?: Profile['applications'][number]['redirectUris'] | undefined
}

const settled = <Part extends Registering>(part: Part, baseUrl: string): Part =>
  part.redirectUris === undefined
    ? part
    : {
        ...part,
        redirectUris: part.redirectUris.map((one) => ({ ...one, uri: redirectUriAt(one.uri, baseUrl) })),
      }

/** The same profile with the redirect URIs of a target at this base URL. */
export const withRedirectUris = (profile: Profile, baseUrl: string): Profile => {
  const [first, ...others] = profile.applications.map((application) => {
    const { environments } = application
    if (environments === undefined) return settled(application, baseUrl)
    const own = Object.entries(environments).map(([place, part = {}]) => [place, settled(part, baseUrl)])
    return { ...settled(application, baseUrl), environments: Object.fromEntries(own) as typeof environments }
  })
  return first === undefined ? profile : { ...profile, applications: [first, ...others] }
}

/** A problem for each unknown placeholder in a redirect URI. */
export const redirectUriProblems = ({ applications }: Profile): readonly string[] =>
  applications.flatMap(({ redirectUris, environments = {} }, at) => {
    const own = Object.entries(environments).map(([place, part]) => [
      place,
      { redirectUris: part?.redirectUris },
    ])
    return unknownPlaceholders(
      `applications.${at}`,
      { redirectUris, environments: Object.fromEntries(own) as unknown },
      Object.keys(valuesAt(ANY_BASE_URL)),
    )
  })
