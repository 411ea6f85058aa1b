import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { openGrantsFile, readGrant, writeGrant } from './grants-file.ts'
import type { KnownSecret } from '../evidence/redaction.ts'
import type { ApplicationProfile, CustomerProfile, Profile } from '../profile/schema.ts'
import type { Keeper, KeptGrant } from '../session/keeper.ts'
import type { GrantsFile } from './grants-file.ts'

/** Which grants of an earlier run belong to this one. */

/** How a worker comes to what is kept. Plain data: it crosses threads. */
export interface Keeping {
  readonly file: string
  /** In base64. */
  readonly key: string
}

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** Below the user's own state, and neither beside the profile nor among the reports: it must not be committed. */
const placeOf = (profile: Profile, baseUrl: string, env: NodeJS.ProcessEnv): string => {
  const state = env['XDG_STATE_HOME'] ?? env['LOCALAPPDATA'] ?? join(homedir(), '.local', 'state')
  return join(state, manifest.name, 'grants', `${hashOf([profile.name, baseUrl]).slice(0, 16)}.json`)
}

/** All that a grant depends on: with any of it changed, it is another one's. */
const identityOf = (
  { environment, basePaths, scopes, operations }: Profile,
  baseUrl: string,
  { name, kind, clientId }: ApplicationProfile,
  customer: Pick<CustomerProfile, 'name' | 'username' | 'accounts'> | undefined,
): string =>
  hashOf([
    ...[baseUrl, environment, basePaths[environment], scopes.accounts, operations.token.path],
    ...[name, kind, clientId, customer?.name, customer?.username],
    // Another choice of accounts is another consent.
    customer?.accounts.map(({ iban, consented }) => [iban, consented]),
  ])

/** Opens the file of kept grants, where the profile asks for one. @throws ConfigurationError where that cannot be. */
export const openKeeping = async (
  profile: Profile,
  baseUrl: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly keeping: Keeping; readonly secrets: readonly KnownSecret[] } | undefined> => {
  const { authorization } = profile
  if (authorization.kind === 'tokens' || authorization.keep === undefined) return undefined
  const { key: secret, file = placeOf(profile, baseUrl, env) } = authorization.keep
  const opened = await openGrantsFile(file, secret)
  const customers = [undefined, ...profile.customers]
  const grants = profile.applications.flatMap((application) =>
    customers.flatMap(
      (customer) => readGrant(opened, identityOf(profile, baseUrl, application, customer)) ?? [],
    ),
  )
  return {
    keeping: { file, key: opened.key.toString('base64') },
    secrets: grants.flatMap(secretsOf),
  }
}

const secretsOf = ({ access, refreshToken }: KeptGrant): readonly KnownSecret[] => [
  { name: 'access_token', value: access.accessToken },
  ...(refreshToken === undefined ? [] : [{ name: 'refresh_token', value: refreshToken }]),
]

/** The same file, where scenarios act. */
export const createKeeper = ({ file, key }: Keeping, profile: Profile, baseUrl: string): Keeper => {
  const opened: GrantsFile = { file, key: Buffer.from(key, 'base64') }
  const of = (application: ApplicationProfile, customer: CustomerProfile | undefined): string =>
    identityOf(profile, baseUrl, application, customer)
  return {
    find: (...whose) => readGrant(opened, of(...whose)),
    keep(application, customer, { access, refreshToken }) {
      const grant = { access, ...(refreshToken !== undefined && { refreshToken }) }
      writeGrant(opened, of(application, customer), grant)
    },
    drop: (...whose) => writeGrant(opened, of(...whose), undefined),
  }
}
