import { unknownPlaceholders } from './template.ts'
import type { Profile } from './schema.ts'

/** Redirect URIs at the target itself, such as that of a result screen: their address may be known to a run only. */

/** What `{baseUrl}` and `{origin}` in a redirect URI stand for: the base URL of the run, and its origin. */
const valuesAt = (baseUrl: string): Readonly<Record<string, string>> => ({
  baseUrl,
  origin: new URL(baseUrl).origin,
})

const ANY_BASE_URL = 'https://bank.example'

const redirectUriAt = (uri: string, baseUrl: string): string => {
  const values = valuesAt(baseUrl)
  return uri.replaceAll(/\{(\w+)\}/g, (text, name: string) => values[name] ?? text)
}

export type RegisteredUri = Profile['applications'][number]['redirectUris'][number]

/** Those of all applications, in all environments. */
export const registeredUris = ({ applications }: Pick<Profile, 'applications'>): readonly RegisteredUri[] =>
  applications.flatMap(({ redirectUris, environments = {} }) =>
    [redirectUris, ...Object.values(environments).map((part) => part?.redirectUris ?? [])].flat(),
  )

const settled = <Part extends { redirectUris?: RegisteredUri[] | undefined }>(
  part: Part,
  baseUrl: string,
): Part =>
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

/** An origin to which requests are sent must not be that of a client: a code would be sent there. */
export const clientOrigins = (profile: Profile): readonly string[] => {
  const { origins } = profile
  const ofClients = registeredUris(profile).filter(({ delivery }) => delivery === 'redirect')
  return origins.flatMap((address, at) => {
    const { origin } = new URL(address)
    const of = ofClients.find(({ uri }) => URL.canParse(uri) && new URL(uri).origin === origin)
    return of === undefined
      ? []
      : [
          `\`origins.${at}\` is ${origin}, the origin of the redirect URI ${of.uri} (\`applications\`), so that the run would request the client's own address with a code; remove it: the pages end where they lead to a redirect URI`,
        ]
  })
}
