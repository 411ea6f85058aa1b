import { ConfigurationError } from '../profile/configuration-error.ts'
import { loadProfile, resolveProfile } from '../profile/load.ts'
import { settleTarget } from '../plan/settled-target.ts'
import { referenceProfile } from '../target/reference-profile.ts'
import type { KnownSecret } from '../evidence/redaction.ts'
import type { Options } from '../plan/options.ts'
import type { LoadedProfile } from '../profile/load.ts'
import type { Profile } from '../profile/schema.ts'
import type { Report } from '../report/schema.ts'

/** Whom a run judges: the embedded reference bank, or the target that options and profile name. */
export interface RunSubject {
  readonly profile: Profile
  readonly digest: string
  readonly warnings: readonly string[]
  readonly secrets: readonly KnownSecret[]
  /** Absent for the embedded reference bank. */
  readonly baseUrl?: string
  readonly clock: Report['target']['clock']
}

/** Each secret, and the Basic credentials that are made of it. */
const knownSecrets = ({ secrets, profile }: LoadedProfile): readonly KnownSecret[] => [
  ...profile.applications.flatMap(({ clientId, clientSecret }) => [
    { name: 'client_secret', value: clientSecret },
    { name: 'credential', value: Buffer.from(`${clientId}:${clientSecret}`).toString('base64') },
  ]),
  ...profile.customers.map(({ password }) => ({ name: 'password', value: password })),
  ...profile.webhooks.configured.map(({ securityHeader }) => ({
    name: 'security_header',
    value: securityHeader,
  })),
  ...proxyPassword(profile.connection),
  ...secrets.map((value) => ({ name: 'secret', value })),
]

/** The rest of its address is no secret. */
const proxyPassword = ({ proxy = '' }: Profile['connection']): readonly KnownSecret[] => {
  const { username, password } = URL.canParse(proxy) ? new URL(proxy) : { username: '', password: '' }
  if (password === '') return []
  const credential = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return [
    { name: 'proxy_password', value: decodeURIComponent(password) },
    { name: 'credential', value: credential.toString('base64') },
  ]
}

const inEnvironment = (profile: Profile, options: Options): Profile => ({
  ...profile,
  environment: options.environment ?? profile.environment,
})

/** @throws ConfigurationError for a profile or a combination of options that names no target. */
export const settleSubject = async (options: Options, env: NodeJS.ProcessEnv): Promise<RunSubject> => {
  const isEmbedded = options.profile === undefined
  const loaded = isEmbedded
    ? resolveProfile(referenceProfile(), env, 'the reference bank')
    : await loadProfile(options.profile, env)
  const profile = inEnvironment(loaded.profile, options)
  const canMoveTime = options.time === 'auto' && profile.levers.advanceClock !== undefined
  if (isEmbedded && options.time === 'wall')
    throw new ConfigurationError(
      '--time wall: the embedded reference bank has a virtual clock alone; start it with npm run bank and name its address',
    )
  return {
    profile,
    digest: loaded.digest,
    warnings: loaded.warnings,
    secrets: knownSecrets(loaded),
    clock: isEmbedded ? 'virtual' : canMoveTime ? 'lever' : 'wall',
    ...(!isEmbedded && { baseUrl: settleTarget(options, profile).baseUrl }),
  }
}
