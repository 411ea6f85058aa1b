import { applicationsIn, credentialsOf } from '../../profile/applications.ts'
import { typed } from '../../evidence/command-names.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { type Environment } from '../../profile/environment.ts'
import { ordersIn } from '../../profile/schema/payments.ts'
import { ambiguousAddresses } from '../../profile/address-environment.ts'
import { loadProfile, resolveProfile, type LoadedProfile } from '../../profile/load.ts'
import { testHooksIn } from '../../profile/test-hooks.ts'
import { withRedirectUris } from '../../profile/redirect-uris.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { EFFECTS } from '../../evidence/exchange.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Report } from '../../report/schema.ts'
import type { RunOptions, TargetOptions } from './options.ts'

/** The target of a run: the embedded reference bank, or that of the options and the profile. */
export interface RunSubject {
  readonly profile: Profile
  readonly digest: string
  readonly warnings: readonly string[]
  readonly secrets: readonly KnownSecret[]
  /** The environment variable of each key that is read from one. */
  readonly variables: ReadonlyMap<string, string>
  /** Absent for the embedded reference bank. */
  readonly baseUrl?: string
  readonly clock: Report['target']['clock']
}

/** Those of each environment too. */
const clientIdsOf = ({ applications }: Profile): readonly string[] =>
  applications.flatMap((one) => [one, ...credentialsOf(one)]).map(({ clientId }) => clientId)

/** Each secret. A client id is none, unless the profile says so. */
const knownSecrets = ({ secrets, profile }: LoadedProfile): readonly KnownSecret[] => [
  ...profile.applications
    .flatMap(credentialsOf)
    .map(({ clientSecret }) => ({ name: 'client_secret', value: clientSecret })),
  ...profile.customers.map(({ password }) => ({ name: 'password', value: password })),
  ...profile.webhooks.configured.map(({ securityHeader }) => ({
    name: 'security_header',
    value: securityHeader,
  })),
  ...proxyPassword(profile.connection),
  ...profile.applications
    .filter(({ confidentialId }) => confidentialId)
    .flatMap(credentialsOf)
    .map(({ clientId }) => ({ name: 'client_id', value: clientId })),
  ...secrets
    .filter((value) => clientIdsOf(profile).every((clientId) => clientId !== value))
    .map((value) => ({ name: 'secret', value })),
]

/** The rest of the proxy's address is not a secret. */
const proxyPassword = ({ proxy = '' }: Profile['connection']): readonly KnownSecret[] => {
  const { password } = URL.canParse(proxy) ? new URL(proxy) : { password: '' }
  return [{ name: 'proxy_password', value: decodeURIComponent(password) }]
}

/** @throws ConfigurationError if neither the options nor the profile have a base URL. */
const baseUrlOf = (options: TargetOptions, profile: Profile): string => {
  const baseUrl = options.baseUrl ?? profile.baseUrl
  if (baseUrl === undefined)
    throw new ConfigurationError(
      `the profile has no baseUrl, and --base-url is not given; pass --base-url URL, or write \`baseUrl\` into the profile`,
    )
  const basePath = profile.basePaths[profile.environment]
  // Each URL would contain the base path twice.
  if (basePath !== '' && new URL(baseUrl).pathname.endsWith(basePath))
    throw new ConfigurationError(
      `the base URL "${baseUrl}" ends with the base path ${basePath}, which the profile appends (\`basePaths.${profile.environment}\`); remove it from the base URL`,
    )
  // loadProfile has checked the profile, but not the base URL, which may be that of production.
  const confused = ambiguousAddresses(profile, baseUrl)
  if (confused.length > 0) throw new ConfigurationError(confused, `nothing is sent to ${baseUrl}`)
  return baseUrl
}

/** The profile with the accounts of its customers and the rejected orders of this environment. */
const withFactsOf = (environment: Environment, { payments, ...profile }: Profile): Profile => ({
  ...profile,
  ...(payments !== undefined && { payments: ordersIn(payments, environment) }),
  customers: profile.customers.map((customer) => ({
    ...customer,
    accounts: customer.accounts.filter(({ environments = [environment] }) =>
      environments.includes(environment),
    ),
  })),
})

/**
 * What is different for the embedded bank: its customers are invented, and nothing happens in the world if a run of the sandbox
 * acts in production as well.
 */
const ofEmbeddedBank = (
  { allow }: Profile,
  environment: Environment,
): Pick<Profile, 'allow' | 'personalData'> => ({
  personalData: 'kept',
  allow: environment === 'sandbox' ? { ...allow, production: [...EFFECTS] } : allow,
})

/** @throws ConfigurationError if the profile or the options are wrong. */
export const resolveTarget = async (
  options: TargetOptions & Partial<Pick<RunOptions, 'time'>>,
  env: NodeJS.ProcessEnv,
): Promise<RunSubject> => {
  const { time = 'auto' } = options
  const isEmbedded = options.profile === undefined
  const loaded = isEmbedded
    ? resolveProfile(referenceProfile(), env, 'the reference bank')
    : await loadProfile(options.profile, env)
  const environment = options.environment ?? loaded.profile.environment
  const profile = withFactsOf(environment, {
    ...loaded.profile,
    environment,
    ...(isEmbedded && ofEmbeddedBank(loaded.profile, environment)),
  })
  const hasLoans = profile.loans !== undefined && environment === 'sandbox'
  if (applicationsIn(profile).length === 0 && !(hasLoans && applicationsIn(profile, 'loans').length > 0))
    throw new ConfigurationError(
      `no application exists in ${environment}, which is judged; add \`${environment}\` to the \`environments\` of one of \`applications\`, or choose the other with --environment`,
    )
  const canMoveTime = time === 'auto' && testHooksIn(profile).advanceClock !== undefined
  if (isEmbedded && time === 'wall')
    throw new ConfigurationError(
      `--time wall: the embedded reference bank has a virtual clock only; start it with ${typed('bank')}, and pass its address`,
    )
  const baseUrl = isEmbedded ? undefined : baseUrlOf(options, profile)
  const nameAt = (url: string): string => profile.name || `${new URL(url).host}, ${environment}`
  return {
    profile:
      baseUrl === undefined ? profile : withRedirectUris({ ...profile, name: nameAt(baseUrl) }, baseUrl),
    digest: loaded.digest,
    warnings: loaded.warnings,
    secrets: knownSecrets(loaded),
    variables: loaded.variables,
    clock: isEmbedded ? 'virtual' : canMoveTime ? 'testHook' : 'wall',
    ...(baseUrl !== undefined && { baseUrl }),
  }
}
