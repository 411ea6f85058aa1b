import { problemIf, repeated, unknownReference } from './references.ts'
import { inPlace, PLACES, type Place } from './schema/places.ts'
import type { ApplicationProfile, Profile } from './schema.ts'

/** The applications that exist in a place, with their credentials there. @param place by default the environment that is judged. */
export const applicationsIn = (
  profile: Pick<Profile, 'applications' | 'environment'>,
  place: Place = profile.environment,
): readonly ApplicationProfile[] =>
  profile.applications.flatMap((application) => inPlace(application, place) ?? [])

export interface BasicCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** `Basic`, one space, base64 of the two values joined by a colon (interface, Authentication, 2). */
export const basicHeader = ({ clientId, clientSecret }: BasicCredentials): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

const inForm = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

/** The values as RFC 6749 §2.3.1 has them in a Basic header. */
export const formEncoded = ({ clientId, clientSecret }: BasicCredentials): BasicCredentials => ({
  clientId: inForm(clientId),
  clientSecret: inForm(clientSecret),
})

export interface Credentials extends BasicCredentials {
  /** The key of the secret, from that of the application: `environments.loans.clientSecret`. */
  readonly secretKey: string
}

/** Each different pair of credentials of an application. */
export const credentialsOf = (application: ApplicationProfile): readonly Credentials[] => {
  const pairs = PLACES.flatMap((place): readonly Credentials[] => {
    const found = inPlace(application, place)
    if (found === undefined) return []
    const isOwn = application.environments?.[place]?.clientSecret !== undefined
    const secretKey = isOwn ? `environments.${place}.clientSecret` : 'clientSecret'
    return [{ clientId: found.clientId, clientSecret: found.clientSecret, secretKey }]
  })
  return [
    ...new Map(pairs.map((pair) => [JSON.stringify([pair.clientId, pair.clientSecret]), pair])).values(),
  ]
}

/** A sentence for each client id that two applications have in one place. */
export const sharedClientIds = ({ applications }: Profile): readonly string[] => {
  const problems = PLACES.flatMap((place) =>
    repeated(
      applications.flatMap((application, at) => {
        const own = application.environments?.[place]?.clientId
        const key = `applications.${at}${own === undefined ? '' : `.environments.${place}`}.clientId`
        const found = inPlace(application, place)
        return found === undefined ? [] : [[key, found.clientId] as const]
      }),
    ),
  )
  return [...new Set(problems)]
}

/** What is wrong with the applications that the profile names for payments or loans. @param place where they act */
export const actingProblems = (
  profile: Profile,
  part: 'payments' | 'loans',
  place: Place,
): readonly string[] => {
  const { applications } = profile
  const names = applicationsIn(profile, place).map(({ name }) => name)
  const named = profile[part]?.applications
  if (named === undefined && names.length === 0)
    return [
      `\`${part}\` is described, and no application exists in ${place}; add \`${place}\` to the \`environments\` of one of \`applications\`, or leave \`${part}\` out`,
    ]
  return (named ?? []).flatMap((name, item) => {
    const key = `${part}.applications.${item}`
    const at = applications.findIndex((one) => one.name === name)
    if (at < 0) return unknownReference(key, name, 'applications', applications)
    return problemIf(
      !names.includes(name),
      `\`${key}\` names ${JSON.stringify(name)}, which does not exist in ${place}; add \`${place}\` to \`applications.${at}.environments\`, or name another application`,
    )
  })
}
