import { addressOf } from '../../profile/operations.ts'
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { applicationsIn } from '../../profile/applications.ts'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { grantedVariants, oauthOf, type Variant } from '../../profile/oauth.ts'
import { openGrantsFile, readGrant, writeGrant, type StoredGrant, type GrantsFile } from './grants-file.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import type { ApplicationProfile, CustomerProfile, Profile } from '../../profile/schema.ts'

/** The application, the customer and the variant of a grant. */
export interface Parties {
  readonly application: ApplicationProfile
  readonly customer: CustomerProfile | undefined
  readonly variant: Variant
}

/** Keeps the shared grants for the next run. */
export interface GrantStore {
  find(parties: Parties): StoredGrant | undefined
  keep(parties: Parties, grant: StoredGrant): void
  /** Removes a grant that no longer works. */
  drop(parties: Parties): void
}

export const noGrantStore: GrantStore = {
  find: () => undefined,
  keep: () => undefined,
  drop: () => undefined,
}

/** Which grants of an earlier run belong to this one. */

/** How a worker opens the file. Plain data: it crosses threads. */
export interface GrantStoreKey {
  readonly file: string
  /** In base64. */
  readonly key: string
}

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** In the state folder of the user, not beside the profile or among the reports: it must not be committed. */
const defaultFileOf = (profile: Profile, baseUrl: string, env: NodeJS.ProcessEnv): string => {
  const state = env['XDG_STATE_HOME'] ?? env['LOCALAPPDATA'] ?? join(homedir(), '.local', 'state')
  return join(state, manifest.name, 'grants', `${hashOf([profile.name, baseUrl]).slice(0, 16)}.json`)
}

/** Everything that a grant depends on: if any of it changes, it is another grant. */
const identityOf = (
  profile: Profile,
  baseUrl: string,
  { application, customer, variant }: Parties,
): string => {
  const { scope, token } = oauthOf(profile, variant)
  const { name, kind, clientId } = application
  return hashOf([
    ...[baseUrl, profile.environment, addressOf(profile, token), scope],
    ...[name, kind, clientId, customer?.name, customer?.username],
    // A different choice of accounts is a different consent.
    customer?.accounts.map(({ iban, consented }) => [iban, consented]),
  ])
}

/** Opens the file of kept grants if the profile asks for one. @throws ConfigurationError if it cannot be used. */
export const openGrantStore = async (
  profile: Profile,
  baseUrl: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly keeping: GrantStoreKey; readonly secrets: readonly KnownSecret[] } | undefined> => {
  const { authorization } = profile
  if (authorization.kind === 'tokens' || authorization.keep === undefined) return undefined
  const { key: secret, file = defaultFileOf(profile, baseUrl, env) } = authorization.keep
  const opened = await openGrantsFile(file, secret)
  const customers = [undefined, ...profile.customers]
  const parties = applicationsIn(profile).flatMap((application) =>
    customers.flatMap((customer) =>
      grantedVariants(profile).map((variant) => ({ application, customer, variant })),
    ),
  )
  const grants = parties.flatMap((one) => readGrant(opened, identityOf(profile, baseUrl, one)) ?? [])
  return {
    keeping: { file, key: opened.key.toString('base64') },
    secrets: grants.flatMap(secretsOf),
  }
}

const secretsOf = ({ access, refreshToken }: StoredGrant): readonly KnownSecret[] => [
  { name: 'access_token', value: access.accessToken },
  ...(refreshToken === undefined ? [] : [{ name: 'refresh_token', value: refreshToken }]),
]

export const createGrantStore = (
  { file, key }: GrantStoreKey,
  profile: Profile,
  baseUrl: string,
): GrantStore => {
  const opened: GrantsFile = { file, key: Buffer.from(key, 'base64') }
  const of = (parties: Parties): string => identityOf(profile, baseUrl, parties)
  return {
    find: (parties) => readGrant(opened, of(parties)),
    keep(parties, { access, refreshToken }) {
      const grant = { access, ...(refreshToken !== undefined && { refreshToken }) }
      writeGrant(opened, of(parties), grant)
    },
    drop: (parties) => writeGrant(opened, of(parties), undefined),
  }
}
