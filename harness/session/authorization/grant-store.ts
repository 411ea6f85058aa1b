import { applicationsIn } from '../../profile/applications.ts'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import * as z from 'zod'
import { createSeal, keyOf } from '../../evidence/seal.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { grantedVariants, oauthOf, type Variant } from '../../profile/oauth.ts'
import { messageOf, systemCodeOf } from '../../evidence/errors.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import type { ApplicationProfile, CustomerProfile, Profile } from '../../profile/schema.ts'

/** Grants in an encrypted file: only their number is visible without the key. */

/** An access token, and what it was granted for. */
export interface Access {
  readonly accessToken: string
  readonly scope: string
  /** The consent of a TPP. */
  readonly consentId?: string
}

/** A grant that is kept after a run, with its refresh token. */
export interface StoredGrant {
  readonly access: Access
  readonly refreshToken?: string
}

const fileSchema = z.strictObject({
  format: z.literal(1),
  /** The salt of the key derivation. */
  salt: z.string(),
  /** A known text, encrypted: it distinguishes a wrong key from a damaged file. */
  proof: z.string(),
  /** Keyed by a hash of what the grant depends on: an encrypted grant cannot be moved to another key. */
  grants: z.record(z.string(), z.string()),
})

type Contents = z.output<typeof fileSchema>

const grantSchema = z.strictObject({
  access: z.strictObject({ accessToken: z.string(), scope: z.string(), consentId: z.string().optional() }),
  refreshToken: z.string().optional(),
})

const KNOWN = 'conformance'

/** A file and the key that decrypts it. */
interface GrantsFile {
  readonly file: string
  readonly key: Buffer
}

const damaged = (file: string, what: string): ConfigurationError =>
  new ConfigurationError(
    `authorization.keep: ${file} is damaged (${what}); remove it to begin afresh, which costs each customer one more authorization`,
  )

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws ConfigurationError if the file exists and is not a file of kept grants. */
const read = (file: string): Contents | undefined => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined
    throw new ConfigurationError(
      `authorization.keep: ${file} cannot be read (${messageOf(error)}); name another file with authorization.keep.file`,
    )
  }
  const contents = fileSchema.safeParse(parsed(text))
  if (contents.success) return contents.data
  throw damaged(file, 'it is not a file of stored grants')
}

/** Writes the file atomically, readable for the owner only. */
const write = (file: string, contents: Contents): void => {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${JSON.stringify(contents, undefined, 1)}\n`, { mode: 0o600 })
    chmodSync(draft, 0o600)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new ConfigurationError(
      `authorization.keep: ${file} cannot be written (${messageOf(error)}); name another file with authorization.keep.file`,
    )
  }
}

const sealOf = (key: Buffer, { salt }: Contents, of: string) => createSeal(key, `${salt} ${of}`)

/**
 * Opens the file, or creates it.
 * @throws ConfigurationError if it was encrypted with another key, is damaged, or cannot be written.
 */
const openGrantsFile = async (file: string, secret: string): Promise<GrantsFile> => {
  const known = read(file)
  const salt = known?.salt ?? randomBytes(16).toString('base64')
  const key = await keyOf([secret], Buffer.from(salt, 'base64'))
  if (known === undefined) {
    const empty: Contents = { format: 1, salt, proof: '', grants: {} }
    write(file, { ...empty, proof: sealOf(key, empty, KNOWN).close(KNOWN, 0) })
    return { file, key }
  }
  try {
    sealOf(key, known, KNOWN).open(known.proof, 0)
  } catch {
    throw new ConfigurationError(
      `authorization.keep.key: ${file} was sealed with another key; set the variable that the key is read from to that one, or remove the file to begin afresh, which costs each customer one more authorization`,
    )
  }
  return { file, key }
}

/** @throws ConfigurationError if the content was changed. */
const readGrant = ({ file, key }: GrantsFile, of: string): StoredGrant | undefined => {
  const contents = read(file)
  const sealed = contents?.grants[of]
  if (contents === undefined || sealed === undefined) return undefined
  try {
    const { access, refreshToken } = grantSchema.parse(parsed(sealOf(key, contents, of).open(sealed, 0)))
    const { accessToken, scope, consentId } = access
    return {
      access: { accessToken, scope, ...(consentId !== undefined && { consentId }) },
      ...(refreshToken !== undefined && { refreshToken }),
    }
  } catch {
    throw damaged(file, 'a grant in it is not what was written there')
  }
}

/** Writes or removes a grant; grants that other processes wrote meanwhile stay. */
const writeGrant = ({ file, key }: GrantsFile, of: string, grant: StoredGrant | undefined): void => {
  const contents = read(file)
  // If the file was removed, nothing is stored.
  if (contents === undefined) return
  const others = Object.fromEntries(Object.entries(contents.grants).filter(([known]) => known !== of))
  const sealed = grant && sealOf(key, contents, of).close(JSON.stringify(grant), 0)
  write(file, { ...contents, grants: sealed === undefined ? others : { ...others, [of]: sealed } })
}

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

/** Keeps nothing. */
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
  const { environment } = profile
  const { basePaths, scope, token } = oauthOf(profile, variant)
  const { name, kind, clientId } = application
  return hashOf([
    ...[baseUrl, environment, basePaths[environment], scope, token],
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

/** The grant store of a worker. */
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
